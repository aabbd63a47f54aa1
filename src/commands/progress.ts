import cliProgress from 'cli-progress'
import pc from 'picocolors'
import { describeEvent } from '../usecases/describe-progress.ts'
import type { RunEvent } from '../usecases/open-run.ts'

export interface Progress {
  readonly show: (event: RunEvent) => void
  readonly end: () => void
}

/** A bar with live failures on a terminal, plain lines elsewhere (CI). */
export function startProgress(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? barProgress(stream) : { show: (event) => stream.write(`${describeEvent(event)}\n`), end: () => undefined }
}

function barProgress(stream: NodeJS.WriteStream): Progress {
  let bar: cliProgress.SingleBar | null = null
  let failed = 0
  const stop = () => {
    bar?.stop()
    bar = null
  }
  return {
    show: (event) => {
      if (event.kind === 'stage') {
        stop()
        const format = ' {bar} {value}/{total} trials · {failed} failed · ETA {eta_formatted}'
        bar = new cliProgress.SingleBar({ stream, format, hideCursor: true }, cliProgress.Presets.shades_classic)
        bar.start(event.trials, 0, { failed })
        return
      }
      if (event.kind === 'trial') {
        if (event.record.verdict === 'fail') failed += 1
        bar?.increment(1, { failed })
        if (event.record.verdict === 'pass') return
      }
      stream.write(`\r\u001b[K${paint(event)}\n`)
    },
    end: stop,
  }
}

function paint(event: RunEvent): string {
  const line = describeEvent(event)
  if (event.kind === 'trial') return event.record.verdict === 'fail' ? pc.red(line) : pc.yellow(line)
  return event.kind === 'retry' ? pc.yellow(line) : pc.dim(line)
}
