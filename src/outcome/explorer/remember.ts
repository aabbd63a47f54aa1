import type { PerformedStep } from '../../model/outcome.ts'
import { choicesInRows } from './choice-rows.ts'
import { rank } from './choose.ts'
import { formOf, groupOf, identityOf, meeting, newDeed, viewOf, type Memory } from './memory.ts'
import type { PageScan } from './scan.ts'
import { perturbedKey, type Choice, type Taste } from './situation.ts'
import { plainWords, readName, saysMissing } from './words.ts'

export function isFinal(choice: Choice, scan: PageScan): boolean {
  if (choice.action !== 'click' && choice.action !== 'hold') return false
  return readName(choice.target.name, choice.target.submit).intent === 'final' && !choicesInRows(scan).has(choice.target)
}

/** Notes how much is left untried in the view that a press on a tab leaves. */
export function leave(memory: Memory, choice: Choice, scan: PageScan, taste: Taste): void {
  if (choice.target.kind !== 'tab') return
  const left = rank(scan, memory, taste).filter((each) => each.score >= 40 && each.target.kind !== 'tab').length
  for (const tab of scan.candidates)
    if (tab.kind === 'tab' && tab.group === choice.target.group && tab.checked) memory.unfinished.set(identityOf(tab), left)
}

/** @param said what the page said in dialogs during the step */
export function remember(memory: Memory, choice: Choice, before: PageScan, after: PageScan, step: PerformedStep, said = ''): void {
  const { target } = choice
  const known = new Set(before.candidates.filter((each) => !each.blocked).map((each) => `${each.key}|${each.name}`))
  const opened =
    after.layer !== before.layer ||
    after.candidates.some((each) => !each.blocked && !known.has(`${each.key}|${each.name}`) && each.key !== target.key)
  const form = formOf(before)
  const changed = step.changed === true
  const words = after.text.replace(/\d+/g, '')
  const novel = changed && !memory.texts.has(words)
  noteProgress(memory, choice, before, after, step, said, novel)
  memory.texts.add(before.text.replace(/\d+/g, '')).add(words)
  for (const key of choice.action === 'set_range'
    ? [identityOf(target)]
    : [identityOf(target), `${identityOf(target)}|${viewOf(before)}`]) {
    const deed = memory.deeds.get(key) ?? { ...newDeed(), count: 0 }
    memory.deeds.set(key, { count: deed.count + 1, form, novel, changed, opened })
  }
  // What was learnt from sweeping holds for the view as it now is, too.
  if (choice.action === 'sweep') memory.deeds.set(`${identityOf(target)}|${viewOf(after)}`, { count: 1, form, novel, changed, opened })
  // Counted under the names before and after: pressing one often renames its fellows.
  for (const scan of [before, after]) {
    const members = scan.candidates.filter((each) => each.group === target.group)
    if (
      scan === after &&
      groupOf(target, members) ===
        groupOf(
          target,
          before.candidates.filter((each) => each.group === target.group),
        )
    )
      continue
    if (
      scan === after &&
      (members.length === 0 || !members.every((member) => known.has(`${member.key}|${member.name}`) || member.key === target.key))
    )
      continue
    const group = groupOf(target, members)
    memory.groups.set(group, (memory.groups.get(group) ?? 0) + 1)
  }
  // The tab that was open has been seen.
  for (const other of before.candidates)
    if (target.kind === 'tab' && other.kind === 'tab' && other.group === target.group && other.checked)
      memory.deeds.set(identityOf(other), memory.deeds.get(identityOf(other)) ?? { ...newDeed(), form, changed: true })
  memory.names.add(plainWords(target.name))
  notePlace(memory, choice, after)
  memory.last = {
    key: target.key,
    name: target.name,
    changed,
    opened,
    tested: choice.action === 'click' && /^(final|check)$/.test(readName(target.name, target.submit).intent),
  }
  if (/otherwise|another .* than before/.test(choice.why))
    memory.deeds.set(perturbedKey(target.kind === 'range' ? target.key : target.group), { ...newDeed(), changed, opened })
  if (isFinal(choice, before)) memory.finalFailed = !step.sent && !opened
  else if (opened) memory.finalFailed = false
}

/** A thing pressed, then a place pressed: it went there. */
function notePlace(memory: Memory, { action, target }: Choice, after: PageScan): void {
  const thing = memory.last?.name ?? ''
  if (action !== 'click' || thing === '' || memory.last?.key === target.key || target.name.includes(thing)) return
  const place = after.candidates.find((each) => each.key === target.key)
  const moved = after.candidates.some((each) => each.name === thing && each.key.startsWith(`${target.key} > `))
  if (place?.name.includes(thing) !== true || !moved) return
  memory.places.add(target.key)
  memory.put += 1
}

/** Notes whether the step tried or brought anything new, and whether a final action was pressed in vain. */
function noteProgress(
  memory: Memory,
  choice: Choice,
  before: PageScan,
  after: PageScan,
  step: PerformedStep,
  said: string,
  novel: boolean,
): void {
  // Where an overlay went, what was behind it is no news.
  const known = before.layer === after.layer ? new Set(before.text.split(' ')) : new Set([...memory.words, ...before.text.split(' ')])
  const news = after.text.split(' ').filter((word) => !known.has(word))
  const complaint = withoutNumbers(stretch(after.text, known))
  const complains =
    saysMissing(`${said} ${complaint}`) || [...memory.complaints].some((earlier) => withoutNumbers(after.text).includes(earlier))
  const neverRead = news.filter((word) => !memory.words.has(word)).length
  for (const word of [...before.text.split(' '), ...news]) memory.words.add(word)
  for (const each of before.candidates) if (!each.blocked) memory.met.add(meeting(each))
  const met = memory.met.size
  for (const each of after.candidates) if (!each.blocked) memory.met.add(meeting(each))
  const brought = memory.met.size > met
  // New words alone are no progress for ever: a log grows with every press.
  const fresh = brought || !memory.deeds.has(identityOf(choice.target)) || (novel && memory.vain.size < MOST_WORDS_IN_VAIN)
  memory.stale = fresh ? 0 : memory.stale + 1
  const asksBack = before.layer === null && after.layer !== null
  if (!isFinal(choice, before) || step.status !== 'done' || brought || neverRead > MOST_WORDS_OF_A_REPLY || asksBack) return
  if (complains) {
    if (complaint !== '') memory.complaints.add(complaint)
    return
  }
  memory.vain.add(formOf(before))
  if (readName(choice.target.name, choice.target.submit).strength >= OUTRIGHT) memory.vainSends.add(formOf(before))
}

const MOST_WORDS_IN_VAIN = 3
/** More new words than this are the next question or page rather than a thank-you. */
const MOST_WORDS_OF_A_REPLY = 6
/** Strength of names such as "Send …", "Submit …", "… to Hermes". */
const OUTRIGHT = 8

/** From the first new word to the last; empty where that is too long to be one message. */
function stretch(text: string, known: ReadonlySet<string>): string {
  const words = text.split(' ')
  const isNew = (word: string): boolean => !known.has(word)
  const part = words.slice(Math.max(0, words.findIndex(isNew)), words.findLastIndex(isNew) + 1)
  return part.length > LONGEST_COMPLAINT ? '' : part.join(' ')
}

const LONGEST_COMPLAINT = 25

const withoutNumbers = (text: string): string => text.replace(/\d+/g, '#')
