import { UserError } from '../model/errors.ts'

/**
 * Splits a command as a POSIX shell splits words: spaces, single and double quotes, backslash. No variables, globs or pipes.
 * @throws UserError when it is empty or a quote is left open
 */
export function splitCommand(command: string): readonly string[] {
  const words: string[] = []
  let word: string | null = null
  let quote: '"' | "'" | null = null
  for (let at = 0; at < command.length; at += 1) {
    const character = command.charAt(at)
    if (quote === null && /\s/.test(character)) {
      if (word !== null) words.push(word)
      word = null
    } else if (quote === null && (character === '"' || character === "'")) {
      quote = character
      word ??= ''
    } else if (character === quote) {
      quote = null
    } else if (character === '\\' && quote !== "'" && at + 1 < command.length) {
      at += 1
      word = (word ?? '') + command.charAt(at)
    } else {
      word = (word ?? '') + character
    }
  }
  if (quote !== null) throw new UserError(`agent-command has an open ${quote} quote: ${command}`)
  if (word !== null) words.push(word)
  if (words.length === 0) throw new UserError('agent-command is empty: give the program that drives the agent.')
  return words
}
