import { answerFor, numberFor, optionFor } from './answers.ts'
import { groupOf, identityOf } from './memory.ts'
import type { Candidate } from './probe/candidate.ts'
import { choice, distance, mayPerturb, times, type Choice, type Situation } from './situation.ts'
import { demandedPhrase, isConsent, isPlaceholder } from './words.ts'

/** As many times a field is filled while every answer brings something new. */
const MOST_QUESTIONS = 15

export function judgeField(field: Candidate, situation: Situation): Choice | null {
  const { memory, view, taste, need } = situation
  const filled = memory.deeds.get(`${identityOf(field)}|${view}`)?.count ?? memory.deeds.get(identityOf(field))?.count ?? 0
  const phrase = demandedPhrase(field.hint)
  if (phrase !== null && field.value !== phrase && filled < 3)
    return choice('fill', field, answerFor(field, filled), 92, 'the phrase that is asked for')
  if (phrase !== null) return null
  const empty = field.value === ''
  if ((field.required && empty) || field.invalid)
    // One field may stand for question after question.
    return filled < (memory.stale === 0 ? MOST_QUESTIONS : 3)
      ? choice('fill', field, answerFor(field, filled + taste.turn), 90, field.invalid ? 'it is not valid yet' : 'it is required')
      : null
  if (filled > 0 && filled < 2 && !empty && memory.last?.key === field.key && !situation.finalVisible)
    return choice('press_enter', field, null, 30, 'take what was typed')
  if (filled > 0) return null
  if (/\b(search|filter|find)\b/i.test(field.hint) || field.input_type === 'search')
    return choice('fill', field, answerFor(field, taste.turn), 4, 'try the search')
  if (taste.perturb > 0 && mayPerturb(field, situation))
    return choice(
      'fill',
      field,
      field.input_type === 'number' ? String(numberFor(field, taste.turn)) : answerFor(field, taste.turn),
      84,
      'another text than before',
    )
  if (!empty) return choice('fill', field, answerFor(field, taste.turn + 1), 5, 'change what is preset')
  return choice('fill', field, answerFor(field, taste.turn), need ? 41 : 25, 'a field that is empty')
}

export function judgeSelect(select: Candidate, situation: Situation): Choice | null {
  const { taste, need } = situation
  const done = times(select, situation)
  const current = select.options.find((option) => option.value === select.value)
  if (!current || isPlaceholder(current) || select.invalid) {
    const value = optionFor(select, taste.turn)
    return value === null || done > 1 ? null : choice('select', select, value, 90, 'nothing is chosen yet')
  }
  const other = optionFor(select, taste.turn + 1)
  if (other === null) return null
  if (mayPerturb(select, situation)) return choice('select', select, other, 85, 'another option than before')
  return choice('select', select, other, done > 0 ? 2 : need ? 20 : 8, 'another option')
}

export function judgeRadio(radio: Candidate, situation: Situation): Choice | null {
  const { memory, taste, groups, need } = situation
  const members = (groups.get(radio.group) ?? []).filter((member) => member.enabled && !member.blocked)
  const set = (groups.get(radio.group) ?? []).some((member) => member.checked)
  if (radio.checked) return null
  const place = members.indexOf(radio)
  if (!set) return choice('check', radio, null, 90 - distance(place, taste.turn, members.length) * 0.01, 'one of these must be chosen')
  if (mayPerturb(radio, situation) && (memory.groups.get(groupOf(radio, groups.get(radio.group) ?? [])) ?? 0) === 0)
    return choice('check', radio, null, 85, 'another one than before')
  return choice(
    'check',
    radio,
    null,
    times(radio, situation) > 0 ? 4 : need ? (memory.last?.tested && !memory.last.opened ? 37 : 30) : 8,
    'another answer',
  )
}

export function judgeCheckbox(box: Candidate, situation: Situation): Choice | null {
  const { taste, groups, need, memory } = situation
  const members = groups.get(box.group) ?? []
  const usable = members.filter((member) => member.enabled && !member.blocked)
  const done = times(box, situation)
  if (mayPerturb(box, situation) && members.length > 1 && usable.indexOf(box) === taste.turn % Math.max(1, usable.length))
    return choice(box.checked ? 'uncheck' : 'check', box, null, 85, 'ticked otherwise than before')
  const lone = members.length === 1 && !box.required && !isConsent(box.name)
  if (lone && done === 0 && mayPerturb(box, situation))
    return choice(box.checked ? 'uncheck' : 'check', box, null, 83.5, 'ticked otherwise than before')
  if (box.checked) return choice('uncheck', box, null, done > 1 ? 0 : 3, 'take the tick away')
  if (box.required || box.invalid || isConsent(box.name)) return choice('check', box, null, done > 1 ? 5 : 88, 'it must be ticked')
  const none = members.every((member) => !member.checked)
  if (none && members.length > 1 && (memory.groups.get(groupOf(box, members)) ?? 0) === 0)
    return choice('check', box, null, 84 - distance(usable.indexOf(box), taste.turn, usable.length) * 0.01, 'none of these is ticked')
  return choice(
    'check',
    box,
    null,
    done > 1
      ? 0
      : done > 0
        ? 4
        : (need ? (members.length > 1 ? 33 : 40) : 7) - distance(usable.indexOf(box), taste.turn, usable.length) * 0.01,
    'tick one more',
  )
}

export function judgeRange(range: Candidate, situation: Situation): Choice | null {
  const { memory, view, need, finalVisible, taste } = situation
  if (range.invalid || /\b(slide|swipe|drag)\b.{0,20}\b(to|right)\b/i.test(range.hint)) {
    const done = times(range, situation)
    if (done < 1 && range.value !== String(range.max))
      return choice('set_range', range, String(range.max ?? 100), 78, 'a slider that confirms')
  }
  if (taste.perturb > 0 && mayPerturb({ ...range, group: range.key }, situation))
    return choice('set_range', range, String(numberFor(range, taste.turn)), 86, 'another value than before')
  const swept = memory.deeds.has(`${identityOf(range)}|${view}`)
  if (swept) return null
  // What sends is there and enabled, yet sent nothing: it may want the slider to have been moved at all; no disabled button is to be woken.
  if ((memory.finalFailed || memory.vain.size > 0) && finalVisible && !situation.sleeping)
    return times(range, situation) > 0 ? null : choice('set_range', range, String(numberFor(range, taste.turn)), 42, 'move it once')
  return choice('sweep', range, taste.turn % 2 === 1 ? 'from the end' : null, need || !finalVisible ? 42 : 11, 'move it and see')
}
