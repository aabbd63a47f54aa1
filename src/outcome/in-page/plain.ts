/**
 * The node as its interface describes it. A form's fields and a document's named elements replace its own properties (`<input name="parentElement">`),
 * in every world; read through the prototypes they do not. Runs in the observer's isolated world. Self-contained: sent to the page as source.
 */
export function plain<T extends object>(node: T): T {
  if (!(node instanceof HTMLFormElement) && !(node instanceof Document)) return node
  const prototype: object = node instanceof Document ? HTMLDocument.prototype : HTMLFormElement.prototype
  return new Proxy(node, {
    get(target, key) {
      const value: unknown = Reflect.get(prototype, key, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
