import { DEFAULT_OUTCOME_LIMITS } from '../model/outcome.ts'
import type { BrowserEngine } from '../outcome/engine.ts'
import { attempted, type Finding } from './finding.ts'
import { openBrowser } from './open-browser.ts'

/**
 * Draws letters and reports what was painted: without any font letters are empty or all the same box.
 * Each payload field is what the finding rests on.
 */
const FONT_PAGE = `<!doctype html><html lang="en"><title>fonts</title><p>Plain text</p><script>
const pixels = (text) => {
  const canvas = document.createElement('canvas'); canvas.width = canvas.height = 64
  const pen = canvas.getContext('2d'); pen.font = '40px sans-serif'; pen.fillText(text, 4, 48)
  return pen.getImageData(0, 0, 64, 64).data.join()
}
const [blank, a, b, e, cjk] = ['', 'A', 'g', '\\u00e9', '\\u8a9e'].map(pixels)
window.hermes.sendAction({ latin: a !== blank && a !== b && e !== blank && e !== a, cjk: cjk !== blank && cjk !== pixels('\\ufffe') })
</script></html>`

/** The browser: found, starts, its walls hold, it paints text. */
export async function checkBrowser(browserPath: string | null): Promise<readonly Finding[]> {
  let engine: BrowserEngine | null = null
  const found = await attempted(
    'browser',
    'install Google Chrome or chromium-headless-shell, or give its path with --browser-path',
    async () => {
      engine = await openBrowser({ browser_path: browserPath, network: { kind: 'mirror' }, webview: { kind: 'top' } })
      const { name, version, executablePath: path } = engine
      return { status: 'ok', detail: `${name} ${version} starts and its network walls hold, ${path}`, advice: null }
    },
  )
  return engine === null ? [found] : [found, await checkFonts(engine)]
}

async function checkFonts(engine: BrowserEngine): Promise<Finding> {
  try {
    return await attempted('fonts', 'run with GENUI_EVAL_DEBUG=1 and report what you see', async () => {
      const outcome = await engine.observe({
        html: FONT_PAGE,
        selectors: [],
        steps: [],
        accepts_payload: null,
        explore: false,
        vary: false,
        screenshot_folder: null,
        limits: DEFAULT_OUTCOME_LIMITS,
      })
      const [call] = outcome.bridge_calls
      const payload: unknown = call?.ok === true ? call.payload : null
      if (!paints(payload, 'latin')) {
        return {
          status: 'failed',
          detail: 'the browser paints no text',
          advice: 'install a font (Debian: "apt-get install fonts-liberation")',
        }
      }
      if (paints(payload, 'cjk')) return { status: 'ok', detail: 'text is painted', advice: null }
      const advice =
        'only if your tasks use Chinese, Japanese or Korean: install a font for them (Debian: "apt-get install fonts-noto-cjk")'
      return { status: 'ok', detail: 'Latin text is painted; there is no font for Chinese, Japanese and Korean', advice }
    })
  } finally {
    await engine.close()
  }
}

function paints(payload: unknown, script: 'latin' | 'cjk'): boolean {
  return (
    typeof payload === 'object' &&
    payload !== null &&
    script in payload &&
    Object.entries(payload).some(([key, value]) => key === script && value === true)
  )
}
