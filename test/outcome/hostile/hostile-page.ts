import type { PageEnd } from '../../../src/model/outcome.ts'

/** A page that tries to hurt the run. `end` lists the verdicts on it that are right. */
export interface HostilePage {
  readonly id: string
  readonly html: string
  readonly ends: readonly PageEnd[]
  /** The page works beside its mischief: a click on its button must still be heard. */
  readonly sends?: boolean
}

export const OBSERVED: readonly PageEnd[] = ['observed']
export const HANG: readonly PageEnd[] = ['js_hang']
export const ANY: readonly PageEnd[] = ['observed', 'js_hang', 'renderer_crash']

export const app = (script: string, click = ''): string =>
  `<!doctype html><p>app</p><button>Send</button><script>document.querySelector('button').onclick = () => { ${click}; window.hermes.sendAction({ sent: true }) };\n${script}</script>`

export const atLoad = (id: string, script: string, ends: readonly PageEnd[], sends = false): HostilePage => ({
  id,
  html: app(script),
  ends,
  sends,
})
export const onClick = (id: string, script: string, ends: readonly PageEnd[], sends = false): HostilePage => ({
  id,
  html: app('', script),
  ends,
  sends,
})
