import type { Command } from 'commander'
import pc from 'picocolors'
import { EXIT, UserError, type ExitCode } from '../model/errors.ts'
import type { GradedApp } from '../usecases/grade.ts'
import { gradeFiles, readApp, readManifest } from '../usecases/grade-files.ts'
import { conclude, printJson, say } from './conclude.ts'
import { addRenderingOptions, readRenderingOptions } from './rendering-options.ts'

interface GradeCommandOptions {
  readonly task?: string
  readonly html?: string
  readonly manifest?: string
  readonly tasksFolder: string
  readonly screenshots?: string
  readonly json?: true
}

/** `grade`: micro-apps that exist already. */
export function addGradeCommand(program: Command, defaultTasks: string): void {
  const command = program
    .command('grade')
    .description('grade micro-apps that exist already: exit 0 when all pass, 1 when one fails, 3 when one could not be measured')
    .option('--task <id>', 'task of the one app')
    .option('--html <file>', 'the one app')
    .option('--manifest <file>', 'JSONL: lines {"task_id", "html": document, or path relative to the manifest, "id"?}')
    .option('--tasks-folder <folder>', 'folder of task folders', defaultTasks)
    .option('--screenshots <folder>', 'write a screenshot of every step below this folder')
    .option('--json', 'print one JSON document')
  addRenderingOptions(command).action((options: GradeCommandOptions) => conclude(() => grade(options)))
}

async function grade(options: GradeCommandOptions): Promise<ExitCode> {
  const apps = await appsOf(options)
  const graded = await gradeFiles({
    ...readRenderingOptions({ ...options }),
    apps,
    tasks_folder: options.tasksFolder,
    screenshot_folder: options.screenshots ?? null,
    onGraded: (app, done) => say(`${describe(app)} ${pc.dim(`${done}/${apps.length}`)}`),
  })
  if (options.json === true) printJson({ schema: 'genui-eval/grades@1', apps: graded })
  else for (const app of graded) process.stdout.write(`${details(app)}\n`)
  if (graded.some((app) => app.verdict === 'infra')) return EXIT.inconclusive
  return graded.some((app) => app.verdict === 'fail') ? EXIT.regression : EXIT.pass
}

async function appsOf({ task, html, manifest }: GradeCommandOptions) {
  if (manifest !== undefined) {
    if (task !== undefined || html !== undefined) throw new UserError('give either --manifest, or --task and --html')
    return readManifest(manifest)
  }
  if (task === undefined || html === undefined) throw new UserError('give --task ID and --html FILE, or --manifest FILE')
  return [await readApp(task, html)]
}

const SIGN = { pass: pc.green('✔ pass'), fail: pc.red('✘ fail'), infra: pc.yellow('? not measured') } as const

function describe(app: GradedApp): string {
  const why = app.verdict === 'pass' ? '' : ` ${app.failure_class ?? ''}: ${app.detail}`
  return `${SIGN[app.verdict]} ${app.task_id} ${pc.dim(app.id)}${why}`
}

function details(app: GradedApp): string {
  const path = app.steps
    .filter((step) => step.by !== 'variation' && step.status === 'done')
    .map(
      (step) =>
        `    ${step.number}. ${step.by} ${step.action} ${JSON.stringify(step.name)}${step.value === null ? '' : ` = ${step.value}`}${step.sent ? ' → callback' : ''}`,
    )
  const failed = app.checks
    .filter((check) => check.status === 'fail')
    .map((check) => `    ${check.diagnostic ? 'note' : 'FAIL'} ${check.grader}.${check.name}: ${check.evidence.message}`)
  return [describe(app), ...failed, app.reached_by === null ? '' : `  path (${app.reached_by}):`, ...path]
    .filter((line) => line !== '')
    .join('\n')
}
