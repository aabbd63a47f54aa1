const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/gs

/**
 * The first key that stands twice in one object of a JSON text, or null. `JSON.parse` keeps the last of them silently,
 * so that a text with two verdicts would pass for one.
 * @param json a text that `JSON.parse` accepts
 */
export function repeatedKey(json: string): string | null {
  // Keys seen in each open object; null for an open array.
  const open: (Set<string> | null)[] = []
  let last = ''
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(null)
    else if (token === '}' || token === ']') open.pop()
    else if (token !== ':') last = token
    else {
      const key = String(JSON.parse(last))
      const keys = open.at(-1)
      if (keys?.has(key) === true) return key
      keys?.add(key)
    }
  }
  return null
}
