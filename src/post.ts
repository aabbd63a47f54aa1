import { closeAbandonedCheck } from './usecases/close-abandoned-check.ts'

await closeAbandonedCheck(process.env, (text) => process.stdout.write(text))
