// The minified build has no types of its own.
declare module 'axe-core/axe.min.js' {
  const axe: { readonly source: string }
  export default axe
}
