import PQueue from 'p-queue'
import type { LoadedTask } from '../model/task.ts'
import type { BrowserEngine } from '../outcome/engine.ts'
import { jobsOf, mutantJobs, rubricMutantJobs, type SpecimenGroup, type ValidationJob } from './validation-jobs.ts'
import { missOf, reportOf, type Miss, type ValidationReport, type ValidationResult } from './validation-report.ts'

export interface ValidateOptions {
  readonly tasks: readonly LoadedTask[]
  readonly engine: BrowserEngine
  /** Mutants take the most time. */
  readonly mutants: boolean
  /** Pages open at once, 1 or more. */
  readonly concurrency: number
  /** Told after every specimen, in the order in which they end. */
  readonly onProgress?: (event: ValidationProgress) => void
}

export interface ValidationProgress {
  readonly group: SpecimenGroup
  readonly task_id: string
  readonly specimen: string
  /** Null when it was judged as it must be. */
  readonly miss: Miss | null
  readonly done: number
  readonly planned: number
}

/** Proves the suite without a model: references pass, doing nothing fails, traps fail where they must, fakes and mutants fail. */
export async function validateSuite(options: ValidateOptions): Promise<ValidationReport> {
  const jobs = [
    ...options.tasks.flatMap((loaded) => jobsOf(loaded, options.engine)),
    ...(options.mutants
      ? options.tasks.flatMap((loaded) => [...mutantJobs(loaded, options.engine), ...rubricMutantJobs(loaded, options.engine)])
      : []),
  ]
  const results = await runJobs(jobs, options)
  return reportOf(results, options.tasks)
}

async function runJobs(jobs: readonly ValidationJob[], options: ValidateOptions): Promise<ValidationResult[]> {
  const queue = new PQueue({ concurrency: options.concurrency })
  let done = 0
  return Promise.all(
    jobs.map((job) =>
      queue.add(async () => {
        const { grade, trouble } = await job.grade()
        const miss = job.judgedRightly(grade) ? null : missOf(job, grade, trouble)
        done += 1
        options.onProgress?.({ group: job.group, task_id: job.task.task_id, specimen: job.specimen, miss, done, planned: jobs.length })
        return { job, grade, miss }
      }),
    ),
  )
}
