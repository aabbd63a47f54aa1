import type { Candidate } from './probe/candidate.ts'
import { demandedPhrase, isPlaceholder } from './words.ts'

/**
 * What a person would type into a field, by its type, label and limits.
 * `turn` 0 is the first answer, 1 and more are other answers to the same question.
 */
export function answerFor(field: Candidate, turn: number): string {
  const phrase = demandedPhrase(field.hint)
  if (phrase !== null) return turn % 3 === 1 ? phrase.toUpperCase() : turn % 3 === 2 ? phrase.toLowerCase() : phrase
  switch (field.input_type) {
    case 'email':
      return pick(['alex.morgan@example.com', 'sam.lee@example.org'], turn)
    case 'tel':
      return pick(['+14155550123', '4155550199', '0612345678'], turn)
    case 'url':
      return pick(['https://example.com/notes', 'https://example.org/other'], turn)
    case 'password':
      return pick(['Correct-Horse-42!', 'Other-Horse-43!'], turn)
    case 'number':
      return String(numberFor(field, turn))
    case 'date':
      return within(pick(['2030-06-17', '2030-07-22', '2020-03-04'], turn), field)
    case 'datetime-local':
      return within(pick(['2030-06-17T09:30', '2030-07-22T18:00'], turn), field)
    case 'time':
      return within(pick(['09:30', '18:00'], turn), field)
    case 'month':
      return within(pick(['2030-06', '2030-07'], turn), field)
    case 'week':
      return pick(['2030-W25', '2030-W30'], turn)
    case 'color':
      return pick(['#2563eb', '#16a34a'], turn)
    default:
      return text(field, turn)
  }
}

function text(field: Candidate, turn: number): string {
  if (field.pattern !== '') {
    const fitting = fromPattern(field.pattern, turn)
    if (fitting !== null) return fitting
  }
  const said = field.hint.split(' | ')
  // The last part is the text around, which may speak of other fields.
  const hint = (said.length > 1 ? said.slice(0, -1).join(' ') : field.hint).toLowerCase()
  const about = (...words: readonly string[]): boolean => words.some((word) => hint.includes(word))
  let answer: string
  if (about('e-mail', 'email')) answer = pick(['alex.morgan@example.com', 'sam.lee@example.org'], turn)
  else if (about('cron')) answer = pick(['0 8 * * 1', '30 18 * * 2'], turn)
  else if (about('phone')) answer = pick(['+14155550123', '+14155550199'], turn)
  else if (about('time (', 'hh:mm')) answer = pick(['09:30', '18:00'], turn)
  else if (about('yyyy-mm-dd')) answer = pick(['2030-06-17', '2030-07-22'], turn)
  else if (about('http', 'url', 'link')) answer = pick(['https://example.com/notes', 'https://example.org/other'], turn)
  else if (about('keyword', 'tag', 'topic', 'label', 'item')) answer = pick(['Benchmarks', 'Robotics'], turn)
  else if (about('name') && field.input_type !== 'textarea') answer = pick(['Alex Morgan', 'Sam Lee'], turn)
  else if (
    about('how many', 'number of', 'amount', 'count', 'percent', 'age', 'hours', 'minutes', 'days') &&
    field.input_type !== 'textarea'
  )
    answer = pick(['3', '4'], turn)
  else
    answer = pick(
      [
        'This fits my needs best, please go on with it as discussed.',
        'I would rather take the other way and look at it again tomorrow.',
        'Neither of them is quite what I expected when I began with this.',
      ],
      turn,
    )
  const least = field.min_length ?? 0
  while (answer.length < least) answer += ` ${answer}`
  return field.max_length !== null && field.max_length > 0 ? answer.slice(0, field.max_length) : answer
}

/** A number between the limits that falls on a step; without limits a small one. */
export function numberFor(field: Pick<Candidate, 'min' | 'max' | 'step' | 'value'>, turn: number): number {
  const step = field.step !== null && field.step > 0 ? field.step : 1
  const low = field.min ?? 0
  const high = field.max ?? (field.min === null ? Math.max(10, Number(field.value) * 2 || 0) : low + 10 * step)
  const shares = [0.4, 0.7, 0.2, 0.9]
  let wanted = low + (high - low) * (shares[turn % shares.length] ?? 0.5)
  wanted = low + Math.round((wanted - low) / step) * step
  if (String(wanted) === field.value) wanted = wanted + step <= high ? wanted + step : wanted - step
  return Number(wanted.toFixed(6))
}

/** Index of the option that a person would choose (`turn` 0), or another one; null when there is no other. */
export function optionFor(select: Candidate, turn: number): string | null {
  const real = select.options.filter((option) => !isPlaceholder(option))
  const others = turn > 0 ? real.filter((option) => option.value !== select.value) : real
  return others[turn > 0 ? (turn - 1) % Math.max(1, others.length) : 0]?.value ?? null
}

function pick(answers: readonly string[], turn: number): string {
  return answers[turn % answers.length] ?? ''
}

/** ISO dates and times of one kind compare as text. */
function within(date: string, field: Candidate): string {
  if (field.earliest !== '' && date < field.earliest) return field.earliest
  return field.latest !== '' && date > field.latest ? field.latest : date
}

/** Text for the simple patterns that forms use (fixed counts of classes and literals); null for others. */
export function fromPattern(pattern: string, turn: number): string | null {
  let made = ''
  const token = /\\d|\\w|\[([^\]]+)\]|\\(.)|([A-Za-z0-9 _\-/:@.#])/y
  const source = pattern.replace(/^\^|\$$/g, '')
  let at = 0
  while (at < source.length) {
    token.lastIndex = at
    const found = token.exec(source)
    if (!found) return null
    at = token.lastIndex
    const many = /^(?:\{(\d+)(?:,(\d*))?\}|\+|\*|\?)/.exec(source.slice(at))
    if (many) at += many[0].length
    const count = many ? Number(many[1] ?? (many[0] === '?' || many[0] === '*' ? 0 : 1)) : 1
    const digit = String((4 + turn) % 10)
    const letter =
      found[0] === '\\d'
        ? digit
        : found[0] === '\\w'
          ? 'a'
          : found[1] !== undefined
            ? memberOf(found[1], turn)
            : (found[2] ?? found[3] ?? '')
    made += letter.repeat(count)
  }
  try {
    return new RegExp(`^(?:${pattern})$`, 'v').test(made) ? made : null
  } catch {
    return null
  }
}

function memberOf(set: string, turn: number): string {
  if (set.startsWith('^')) return 'a'
  if (/0-9|\\d/.test(set)) return String((4 + turn) % 10)
  if (/A-Z/.test(set)) return turn % 2 === 0 ? 'K' : 'M'
  if (/a-z|\\w/.test(set)) return turn % 2 === 0 ? 'k' : 'm'
  return set.charAt(0)
}
