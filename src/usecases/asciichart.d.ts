declare module 'asciichart' {
  interface PlotSettings {
    readonly height?: number
    readonly min?: number
    readonly max?: number
    readonly format?: (value: number) => string
  }
  const asciichart: { plot(series: readonly number[], settings?: PlotSettings): string }
  export default asciichart
}
