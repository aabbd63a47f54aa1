import { ownTasksFolder } from './own-tasks-folder.ts'
import { runAction } from './usecases/run-action.ts'

const cancelled = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => cancelled.abort())

process.exitCode = await runAction({
  env: process.env,
  write: (text) => process.stdout.write(text),
  ownTasks: ownTasksFolder(),
  signal: cancelled.signal,
})
