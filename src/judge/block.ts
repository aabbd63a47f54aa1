/** One piece of the material. The heading is the prompt's own words; the text is data, with invisible characters spelled out. */
export interface Block {
  readonly heading: string
  readonly text: string
  /** Share of the room, relative to the other blocks. */
  readonly weight: number
}
