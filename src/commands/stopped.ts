/** The command was stopped from outside, and that has been said. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}
