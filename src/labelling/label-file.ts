import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { open, readFile, type FileHandle } from 'node:fs/promises'
import { labelKey, labelSchema, type Label, type LabelLine } from '../model/label.ts'
import { UserError } from '../model/errors.ts'
import type { Problem } from '../model/schema.ts'

/** A label file that is open for appending. */
export interface LabelLog {
  /** Labels that stand: what the file held, with what was appended since. */
  readonly standing: ReadonlyMap<string, Label>
  /** Resolves when the line is on the disk (fsync). Lines keep the order of the calls. */
  append(line: LabelLine): Promise<void>
  close(): Promise<void>
}

/**
 * Opens (or starts) a label file. A torn last line, left by a program that was killed while it wrote, is cut off.
 * @throws UserError when the file holds anything but labels, or cannot be written
 */
export async function openLabelFile(path: string): Promise<LabelLog> {
  const file = await open(path, 'a+').catch((error: unknown) => {
    throw new UserError([{ where: path, at: '', message: `cannot be written: ${describe(error)}` }])
  })
  try {
    const standing = new Map(standingLabels(await wholeLines(file), path))
    let queue: Promise<void> = Promise.resolve()
    return {
      standing,
      append(line) {
        const written = queue.then(async () => {
          await file.appendFile(`${JSON.stringify(line)}\n`)
          await file.datasync()
          settle(standing, line)
        })
        queue = written.catch(() => {})
        return written
      },
      async close() {
        await queue
        await file.close()
      },
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/**
 * The labels of a file that stand.
 * @throws UserError when the file is missing or holds anything but labels
 */
export async function readLabelFile(path: string): Promise<readonly Label[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UserError([{ where: path, at: '', message: `cannot be read: ${describe(error)}; make one with "genui-eval label"` }])
  })
  return [...standingLabels(withoutTornEnd(text), path).values()]
}

async function wholeLines(file: FileHandle): Promise<string> {
  const text = await file.readFile('utf8')
  const whole = withoutTornEnd(text)
  if (whole.length < text.length) await file.truncate(Buffer.byteLength(whole))
  else if (text !== '' && !text.endsWith('\n')) await file.appendFile('\n')
  return whole
}

/** What stands after the last line end is kept only when it is whole JSON. */
function withoutTornEnd(text: string): string {
  const end = text.lastIndexOf('\n') + 1
  return parseJson(text.slice(end)) === undefined ? text.slice(0, end) : text
}

const PROBLEMS_SHOWN = 20

function standingLabels(text: string, path: string): Map<string, Label> {
  const standing = new Map<string, Label>()
  const problems: Problem[] = []
  for (const [index, row] of text.split('\n').entries()) {
    if (row.trim() === '' || problems.length >= PROBLEMS_SHOWN) continue
    const value = parseJson(row)
    if (isLabelLine(value)) settle(standing, value)
    else
      problems.push({
        where: path,
        at: `line ${index + 1}`,
        message: 'is no label that this version can read; remove the line or give another file',
      })
  }
  if (problems.length > 0) throw new UserError(problems)
  return standing
}

function settle(standing: Map<string, Label>, line: LabelLine): void {
  const { verdict, ...rest } = line
  if (verdict === null) standing.delete(labelKey(line))
  else standing.set(labelKey(line), { ...rest, verdict })
}

let validate: ValidateFunction<LabelLine> | undefined

function isLabelLine(value: unknown): value is LabelLine {
  if (validate === undefined) {
    const ajv = new Ajv({ allErrors: false, allowUnionTypes: true, strictTypes: false })
    formats.default(ajv)
    validate = ajv.compile<LabelLine>(labelSchema)
  }
  return validate(value)
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
