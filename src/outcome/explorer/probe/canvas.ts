import type { DomProbe } from './dom.ts'

export interface CanvasProbe {
  /** Points worth pressing on a canvas: centres of areas of one colour, largest first, at most 12; in CSS pixels. */
  regions(key: string): { readonly x: number; readonly y: number }[]
}

/** Self-contained: its source text runs in the page's isolated world. */
export function canvasProbe(dom: DomProbe): CanvasProbe {
  const regions = (key: string): { x: number; y: number }[] => {
    const canvas = dom.find(key)
    if (!(canvas instanceof HTMLCanvasElement)) return []
    const columns = 60
    const rows = 40
    const small = dom.plain(document).createElement('canvas')
    small.width = columns
    small.height = rows
    const context = small.getContext('2d', { willReadFrequently: true })
    if (!context || canvas.width === 0 || canvas.height === 0) return []
    context.imageSmoothingEnabled = false
    let data: Uint8ClampedArray
    try {
      context.drawImage(canvas, 0, 0, columns, rows)
      data = context.getImageData(0, 0, columns, rows).data
    } catch {
      return []
    }
    const colour = (cell: number): number =>
      ((data[cell * 4] ?? 0) >> 4) * 65536 +
      ((data[cell * 4 + 1] ?? 0) >> 4) * 4096 +
      ((data[cell * 4 + 2] ?? 0) >> 4) * 256 +
      ((data[cell * 4 + 3] ?? 0) >> 5)
    const seen = new Uint8Array(columns * rows)
    const areas: { size: number; x: number; y: number }[] = []
    for (let start = 0; start < columns * rows; start += 1) {
      if (seen[start]) continue
      const stack = [start]
      const wanted = colour(start)
      seen[start] = 1
      let left = columns
      let right = 0
      let top = rows
      let bottom = 0
      let size = 0
      for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
        size += 1
        const x = cell % columns
        const y = Math.floor(cell / columns)
        left = Math.min(left, x)
        right = Math.max(right, x)
        top = Math.min(top, y)
        bottom = Math.max(bottom, y)
        for (const [dx, dy] of [
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
        ] as const) {
          const nx = x + dx
          const ny = y + dy
          const next = ny * columns + nx
          if (nx < 0 || ny < 0 || nx >= columns || ny >= rows || seen[next] || colour(next) !== wanted) continue
          seen[next] = 1
          stack.push(next)
        }
      }
      const share = size / (columns * rows)
      if (size >= 6 && share < 0.5) areas.push({ size, x: (left + right + 1) / 2, y: (top + bottom + 1) / 2 })
    }
    const box = canvas.getBoundingClientRect()
    // Buttons are usually below what they act on, so lower areas of like size come first.
    return areas
      .sort((a, b) => b.size - a.size || b.y - a.y || a.x - b.x)
      .slice(0, 12)
      .map((area) => ({ x: Math.round((area.x / columns) * box.width), y: Math.round((area.y / rows) * box.height) }))
  }
  return { regions }
}
