import { readFile, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { UserError } from '../model/errors.ts'
import { COLUMNS, encodeCell, type DatasetRow } from './columns.ts'

type RowFormat = 'json' | 'jsonl' | 'csv' | 'parquet'

const FORMATS: Readonly<Record<string, RowFormat>> = {
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.csv': 'csv',
  '.parquet': 'parquet',
}

function formatOf(file: string): RowFormat {
  const format = FORMATS[extname(file).toLowerCase()]
  if (format === undefined)
    throw new UserError([{ where: file, at: '', message: `name a file that ends in ${Object.keys(FORMATS).join(', ')}` }])
  return format
}

/**
 * Reads dataset rows; the format follows the file's extension. A row's `truncated_fields` (also from a dataset server's `truncated_cells`) is kept.
 * @throws UserError when the file cannot be read as its format.
 */
export async function readRows(file: string): Promise<DatasetRow[]> {
  const format = formatOf(file)
  try {
    return await READERS[format](file)
  } catch (error) {
    if (error instanceof UserError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError([{ where: file, at: '', message: `cannot be read as ${format}: ${reason}` }])
  }
}

const READERS: Readonly<Record<RowFormat, (file: string) => Promise<DatasetRow[]>>> = {
  json: async (file) => rowsOfJson(JSON.parse(await readFile(file, 'utf8')), file),
  jsonl: readJsonLines,
  csv: readCsv,
  parquet: readParquet,
}

function isRow(value: unknown): value is DatasetRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An array of rows, or a dataset server's answer `{rows: [{row, truncated_cells}]}`. */
function rowsOfJson(value: unknown, file: string): DatasetRow[] {
  const list = isRow(value) && Array.isArray(value['rows']) ? value['rows'] : value
  if (!Array.isArray(list)) throw new UserError([{ where: file, at: '$', message: 'must be an array of rows' }])
  return list.map((item: unknown, index) => {
    if (!isRow(item)) throw new UserError([{ where: file, at: `$[${index}]`, message: 'must be a row (an object)' }])
    if (!isRow(item['row'])) return item
    const cut: unknown = item['truncated_cells']
    return Array.isArray(cut) && cut.length > 0 ? { ...item['row'], truncated_fields: cut } : item['row']
  })
}

async function readJsonLines(file: string): Promise<DatasetRow[]> {
  const rows: DatasetRow[] = []
  for (const [index, line] of (await readFile(file, 'utf8')).split('\n').entries()) {
    if (line.trim() === '') continue
    const place = { where: file, at: `line ${index + 1}` }
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch (error) {
      throw new UserError([{ ...place, message: `is not JSON: ${error instanceof Error ? error.message : String(error)}` }])
    }
    if (!isRow(value)) throw new UserError([{ ...place, message: 'must be a row (an object)' }])
    rows.push(value)
  }
  return rows
}

async function readCsv(file: string): Promise<DatasetRow[]> {
  const { parse } = await import('csv-parse/sync')
  const rows: unknown[] = parse(await readFile(file), { columns: true, bom: true, skip_empty_lines: true })
  return rows.filter(isRow)
}

async function readParquet(file: string): Promise<DatasetRow[]> {
  const { asyncBufferFromFile, parquetReadObjects } = await import('hyparquet')
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file) })
  return rows.map(withPlainNumbers).filter(isRow)
}

/** Parquet's 64-bit integers arrive as BigInt, which JSON does not know. */
function withPlainNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(withPlainNumbers)
  if (isRow(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withPlainNumbers(inner)]))
  return value
}

/**
 * Writes rows of decoded cells. JSON and JSONL keep them as they are; CSV and Parquet, which do not nest, hold JSON in strings.
 * @throws UserError when the extension names no format.
 */
export async function writeRows(file: string, rows: readonly DatasetRow[]): Promise<void> {
  switch (formatOf(file)) {
    case 'json':
      return writeFile(file, `${JSON.stringify(rows, null, 2)}\n`)
    case 'jsonl':
      return writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    case 'csv': {
      const { stringify } = await import('csv-stringify/sync')
      const cells = rows.map((row) => COLUMNS.map((column) => encodeCell(column, row[column])))
      return writeFile(file, stringify([[...COLUMNS], ...cells]))
    }
    case 'parquet': {
      const { parquetWriteBuffer } = await import('hyparquet-writer')
      const buffer = parquetWriteBuffer({
        columnData: COLUMNS.map((name) =>
          name === 'expected_tool_trigger'
            ? { name, type: 'BOOLEAN' as const, data: rows.map((row) => row[name] === true) }
            : { name, type: 'STRING' as const, data: rows.map((row) => encodeCell(name, row[name])) },
        ),
      })
      return writeFile(file, new Uint8Array(buffer))
    }
  }
}
