/** The value of `--name`, whatever camel case the parser gave it. */
export function textOption(options: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = options[name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())]
  return typeof value === 'string' ? value : undefined
}
