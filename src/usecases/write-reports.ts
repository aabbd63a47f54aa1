import type { Results } from '../model/results.ts'
import type { Task } from '../model/task.ts'
import type { RunFolder } from '../records/run-folder.ts'
import { commentBody } from '../report/comment.ts'
import { htmlReport } from '../report/html/report.ts'
import { jobSummary } from '../report/job-summary.ts'
import { junitXml } from '../report/junit.ts'
import { NO_LINKS } from '../report/markdown-sections.ts'
import { mediaLimitFor, readMedia } from './report-media.ts'

/** Marker of a comment that is written to disk, not posted. */
export const LOCAL_MARKER = '<!-- genui-eval -->'

/**
 * Writes `results.json`, `report.html`, `junit.xml`, `comment.md` and `summary.md` into the run folder. All are functions of the results.
 * @param tasks tasks of the run, for the schemas that payloads are shown against
 */
export async function writeReports(results: Results, folder: RunFolder, tasks: readonly Task[] = []): Promise<void> {
  await folder.write('results.json', `${JSON.stringify(results, null, 1)}\n`)
  await folder.write('junit.xml', junitXml(results))
  await folder.write('comment.md', commentBody(results, { marker: LOCAL_MARKER, links: NO_LINKS }).body)
  await folder.write('summary.md', jobSummary(results, NO_LINKS).body)
  const media = await readMedia(results, folder, tasks)
  await folder.write('report.html', htmlReport(results, media, mediaLimitFor(results.trials.length)))
}
