import type { WalkVisitor } from './walk.ts'

export interface PaintCollector extends WalkVisitor {
  result(): { readonly canvas_hash: string | null; readonly painted: boolean }
}

/**
 * Says whether anything but text and empty boxes is painted, and hashes the canvases. Runs in the observer's isolated world. Self-contained: sent to the page as source.
 * An empty page stays blank however its body or its one empty card is coloured; three small coloured boxes are a drawing (bars made of CSS).
 */
export function createPaintCollector(): PaintCollector {
  const MOST_PIXELS = 4_000_000
  const SHAPES = new Set(['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'use', 'image'])
  const WIDGETS = new Set(['button', 'input', 'select', 'textarea', 'progress', 'meter'])
  let painted = false
  let boxes = 0
  let pixels = 0
  let hash = 0x811c9dc5
  let canvases = 0

  function mix(value: number): void {
    hash = Math.imul(hash ^ value, 0x01000193) >>> 0
  }

  function readCanvas(canvas: HTMLCanvasElement): void {
    canvases += 1
    const { width, height } = canvas
    mix(width)
    mix(height)
    pixels += width * height
    if (width === 0 || height === 0 || pixels > MOST_PIXELS) return
    try {
      const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
      if (context === null) return
      context.drawImage(canvas, 0, 0)
      const data = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)
      const first = data[0] ?? 0
      let plain = true
      for (const pixel of data) {
        mix(pixel)
        if (pixel !== first) plain = false
      }
      if (!plain) painted = true
    } catch {
      mix(1)
    }
  }

  function hasBox(element: Element): boolean {
    const box = element.getBoundingClientRect()
    return box.width >= 1 || box.height >= 1
  }

  function isColouredBox(element: Element, style: CSSStyleDeclaration): boolean {
    if (element.childElementCount > 0 || (/^rgba\(.*, 0\)$/.test(style.backgroundColor) && style.backgroundImage === 'none')) return false
    const box = element.getBoundingClientRect()
    return box.width * box.height >= 16 && box.width * box.height < (innerWidth * innerHeight) / 2
  }

  return {
    enter(element, facts) {
      const name = element.localName
      if (name === 'canvas') readCanvas(element as HTMLCanvasElement)
      if (painted || !facts.visible || facts.style === null) return
      if (WIDGETS.has(name)) painted = (element as HTMLInputElement).type !== 'hidden'
      else if (name === 'img') painted = (element as HTMLImageElement).naturalWidth > 0 && hasBox(element)
      else if (name === 'video') painted = (element as HTMLVideoElement).readyState >= 2
      else if (element instanceof SVGElement) painted = SHAPES.has(name) && hasBox(element)
      else if (isColouredBox(element, facts.style)) {
        boxes += 1
        painted = boxes >= 3
      }
    },
    text() {},
    leave() {},
    result: () => ({ canvas_hash: canvases === 0 ? null : hash.toString(16).padStart(8, '0'), painted }),
  }
}
