import type { Check } from '../model/check.ts'
import type { Task } from '../model/task.ts'
import { RENDER_TOOL, type MicroApp, type Transcript } from '../model/transcript.ts'
import { isSuccessfulRender } from './app.ts'
import { cut, failed, listed, passed, skipped } from './check.ts'
import { containsText, searchable } from './text-search.ts'

const TRIGGER = 'transcript.expected_tool_trigger'
const TEXT = 'transcript.must_contain_strings_in_text_response'

/** Did the agent render where it should, and only there; does a text answer hold what it must. */
export function transcriptChecks(task: Task, transcript: Transcript, app: MicroApp | null): Check[] {
  return [task.expected_tool_trigger ? triggered(transcript, app) : notTriggered(transcript), textResponse(task, transcript)]
}

function triggered(transcript: Transcript, app: MicroApp | null): Check {
  const calls = transcript.tool_calls.filter((call) => call.name === RENDER_TOOL)
  const expected = `a successful ${RENDER_TOOL} call`
  if (calls.length === 0) {
    const others = transcript.tool_calls.map((call) => call.name)
    return failed(TRIGGER, 'undertrigger', {
      message: `The agent answered without calling ${RENDER_TOOL}${others.length === 0 ? '' : ` (it called ${listed(others)})`}.`,
      expected,
      seen: answerOf(transcript) === '' ? 'an empty answer' : `the text answer "${cut(answerOf(transcript), 200)}"`,
    })
  }
  const good = calls.filter(isSuccessfulRender)
  if (good.length === 0) {
    const last = calls.at(-1)
    return failed(TRIGGER, 'render_failed', {
      message: `${RENDER_TOOL} was called ${times(calls.length)} and never succeeded.`,
      expected,
      seen: `the last result was ${cut(last?.result ?? '', 240)}`,
    })
  }
  if (app === null) {
    return failed(TRIGGER, 'render_failed', {
      message: `${RENDER_TOOL} reported success, but left no HTML document: not in its result, in no file, nor in its arguments.`,
      expected: 'an HTML document in `html` of the result, in a file of the scratch folder, or in `html` of the arguments',
      seen: `the last result was ${cut(good.at(-1)?.result ?? '', 240)}`,
    })
  }
  return passed(TRIGGER, {
    message: `${RENDER_TOOL} succeeded ${times(good.length)} of ${calls.length}; the document came from the ${app.from === 'file' ? 'file named in the result' : app.from}.`,
  })
}

function notTriggered(transcript: Transcript): Check {
  const calls = transcript.tool_calls.filter((call) => call.name === RENDER_TOOL)
  const good = calls.filter(isSuccessfulRender)
  if (good.length > 0) {
    return failed(TRIGGER, 'overtrigger', {
      message: `The agent rendered a micro-app for a question that wants a plain answer (${RENDER_TOOL} succeeded ${times(good.length)}).`,
      expected: `no successful ${RENDER_TOOL} call`,
      seen: `${RENDER_TOOL}(${cut(JSON.stringify(good[0]?.args ?? {}), 160)})`,
    })
  }
  const tried = calls.length === 0 ? '' : ` (${times(calls.length)} it tried and the tool refused)`
  return passed(TRIGGER, { message: `The agent rendered no micro-app${tried}.` })
}

function textResponse(task: Task, transcript: Transcript): Check {
  const wanted = task.outcome_dom_assertions.must_contain_strings_in_text_response ?? []
  if (wanted.length === 0) return skipped(TEXT, 'The task asks for no string in the text answer.')
  const answer = answerOf(transcript)
  const forms = [searchable(answer), searchable(withoutEmphasis(answer))]
  const items = wanted.map((requirement) => {
    const met = answer !== '' && forms.some((form) => containsText(form, requirement))
    return { requirement, met, how: met ? 'in the text answer' : 'not in the text answer' }
  })
  const missing = items.filter((item) => !item.met).map((item) => item.requirement)
  if (missing.length === 0) return passed(TEXT, { message: `The text answer holds ${listed(wanted)}.`, items })
  return failed(TEXT, 'text_mismatch', {
    message: `The text answer lacks ${listed(missing)}.`,
    expected: listed(wanted),
    seen: answer === '' ? 'an empty answer' : cut(answer, 300),
    items,
  })
}

/** The last text; some agents end with an empty message after the answer proper. */
function answerOf(transcript: Transcript): string {
  if (transcript.final_text.trim() !== '') return transcript.final_text
  const texts = transcript.messages.filter((message) => message.role === 'assistant' && message.content.trim() !== '')
  return texts.at(-1)?.content ?? ''
}

/** Markdown emphasis and code marks, which part words: `**Lo**w-**R**ank`. */
function withoutEmphasis(text: string): string {
  return text.replace(/\*\*|__|[*`]/gu, '')
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
