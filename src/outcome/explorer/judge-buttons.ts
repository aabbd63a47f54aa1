import { groupOf, identityOf } from './memory.ts'
import type { Candidate } from './probe/candidate.ts'
import { choice, distance, hasJustOpenedTab, mayPerturb, times, type Choice, type Situation } from './situation.ts'
import { isRefusal, plainWords, wantsHolding, type Reading } from './words.ts'

export function judgeButton(button: Candidate, situation: Situation): Choice | null {
  const { memory, form, groups, need, taste, readings } = situation
  const reading = readings.get(button) ?? { intent: 'neutral', strength: 0 }
  const deed = memory.deeds.get(identityOf(button))
  const sameForm = deed !== undefined && deed.form === form
  const members = groups.get(button.group) ?? []
  const inGroup = memory.groups.get(groupOf(button, members)) ?? 0
  if (button.kind === 'link' && /^https?:/.test(button.value)) return null
  if (wantsHolding(button.name)) return choice('hold', button, null, deed ? 6 : 82, 'it asks to be held')
  // Chips and cards: buttons that show whether they are chosen.
  const shows = reading.intent === 'neutral' && members.length > 1 && members.some((member) => member.checked !== null)
  if (button.kind !== 'tab' && !button.submit && (shows || button.toggles)) return judgeChip(button, members, situation)

  const sorting = judgePlace(button, members, situation)
  if (sorting) return sorting
  if (button.kind === 'tab' && (button.toggles || !leadsOn(reading))) return judgeTab(button, situation, deed !== undefined, sameForm)
  const armed = memory.last?.key === button.key && memory.last.changed && !memory.last.opened
  const wanted = members.length > 1 ? distance(members.indexOf(button), taste.turn, members.length) * 0.01 : 0
  if (taste.turn > 0 && !deed && isRefusal(button.name) && members.some((member) => readings.get(member)?.intent === 'final'))
    return choice('click', button, null, 83, 'the other decision')
  if (reading.intent === 'neutral' && !deed && members.length > 1 && inGroup === 0 && taste.perturb > 2 && mayPerturb(button, situation))
    return choice('click', button, null, 83 - wanted, 'another one than before')
  switch (reading.intent) {
    case 'final': {
      const base = 74 + reading.strength * 0.8 - (button.kind === 'custom' && button.wraps ? 20 : 0)
      if (!deed) return choice('click', button, null, Math.min(base, 82) - wanted, 'it looks like the final action')
      if (armed && deed.count < 2) return choice('click', button, null, 79, 'it may want a second press')
      if (sameForm) return choice('click', button, null, deed.count > 2 ? 0 : 3, 'pressed already')
      return choice('click', button, null, Math.max(4, base - 12 * deed.count), 'things have changed since it was pressed')
    }
    case 'check':
      if (!deed) return choice('click', button, null, (inGroup > 0 ? 50 : 68) + reading.strength - wanted, 'it brings one further')
      return choice(
        'click',
        button,
        null,
        sameForm && !deed.novel ? 3 : deed.opened ? 60 : Math.max(4, 60 - 6 * deed.count),
        'again, since things have changed',
      )
    case 'forward': {
      if (!deed) return choice('click', button, null, 70 + reading.strength * 0.5, 'it leads on')
      if (sameForm && !deed.novel) return choice('click', button, null, 3, 'pressed already')
      return choice(
        'click',
        button,
        null,
        deed.opened ? 66 : deed.novel ? Math.max(44, 70 - 3 * deed.count) : Math.max(12, 70 - 6 * deed.count),
        'on and on',
      )
    }
    case 'back':
      return choice('click', button, null, deed ? (deed.count > 2 || sameForm ? 0 : 1) : 5 + reading.strength * 0.3, 'nothing else is left')
    case 'neutral':
      break
    default:
      return reading.intent satisfies never
  }
  if (deed && need && members.length > 1 && deed.changed && !sameForm && hasJustOpenedTab(situation))
    return choice('click', button, null, 59 - wanted, 'the same question about something else')
  if (deed) {
    // Keys of a list may be reused for new content, so what opened something may do so again.
    if (deed.novel && deed.count < 15) return choice('click', button, null, (need ? 45 : 20) - deed.count, 'it brought something new')
    if (sameForm && deed.changed && deed.count < 12) return choice('click', button, null, Math.max(2, 14 - deed.count), 'again')
    return choice('click', button, null, sameForm || deed.count > 4 ? 0 : Math.max(2, (deed.changed ? 16 : 8) - 3 * deed.count), 'again')
  }
  const base = button.kind === 'custom' ? (button.wraps ? 28 : 47) : button.kind === 'link' ? 22 : 50
  const fresh = memory.names.has(plainWords(button.name)) ? 0 : 3
  return choice('click', button, null, base + fresh - Math.min(inGroup, 3) * (need ? 5 : 8) - wanted, 'not tried yet')
}

/** Where things go to places by two presses: what was picked up is put down, in one place after the other; what lies in a place has been sorted. */
function judgePlace(button: Candidate, members: readonly Candidate[], { memory, taste }: Situation): Choice | null {
  const { places, last } = memory
  if (places.size === 0) return null
  if ([...places].some((place) => button.key.startsWith(`${place} > `))) return choice('click', button, null, 2, 'it has been put there')
  const isPlace = (key: string): boolean => places.has(key)
  if (!members.some(({ key }) => isPlace(key))) return null
  const all = members.filter(({ wraps, key }) => wraps || isPlace(key))
  if (!all.includes(button)) return null
  const pickedUp = last !== null && last.changed && !all.some(({ key }) => key === last.key)
  if (!pickedUp) return choice('click', button, null, 2, 'there is nothing to put there')
  return choice('click', button, null, 62 - distance(all.indexOf(button), memory.put + taste.turn, all.length) * 0.01, 'put it there')
}

/** A bar may hold Back and Next instead of tabs. */
function leadsOn({ intent, strength }: Reading): boolean {
  return (intent === 'final' && strength >= 6) || (intent === 'forward' && strength >= 3) || intent === 'back'
}

function judgeTab(tab: Candidate, { finalVisible, readings, memory }: Situation, seen: boolean, sameForm: boolean): Choice | null {
  const count = memory.deeds.get(identityOf(tab))?.count ?? 0
  if (tab.checked) return seen ? null : choice('click', tab, null, 2, 'the open tab')
  if (seen && (memory.unfinished.get(identityOf(tab)) ?? 0) > 0 && count < 4)
    return choice('click', tab, null, 33, 'something was left undone there')
  if (seen) return choice('click', tab, null, sameForm ? 0 : 14 - 2 * count, 'a tab seen before')
  const drawn = readings.get(tab)?.intent === 'neutral' ? 0 : 1
  return choice('click', tab, null, (finalVisible ? 36 : 58) + drawn, 'a tab not seen yet')
}

function judgeChip(chip: Candidate, members: readonly Candidate[], situation: Situation): Choice | null {
  const { memory, taste, need } = situation
  const done = times(chip, situation)
  const open = members.filter((member) => member.enabled && !member.blocked)
  const set = members.some((member) => member.checked)
  const inGroup = memory.groups.get(groupOf(chip, members)) ?? 0
  if (mayPerturb(chip, situation) && set && inGroup === 0 && !chip.checked)
    return choice('click', chip, null, 84, 'another one than before')
  if (chip.checked) return choice('click', chip, null, done > 0 ? 1 : 2, 'take the choice back')
  const wanted = distance(open.indexOf(chip), taste.turn, open.length) * 0.01
  const drawn = /^(keep|select|choose|add|include|pick|approve|accept)\b/.test(plainWords(chip.name)) ? 1 : 0
  if (!set && inGroup === 0)
    return choice(
      'click',
      chip,
      null,
      (members.length === 1 ? 44 : memory.names.has(plainWords(chip.name)) ? 60 : 84) + drawn - wanted,
      'none of these is chosen',
    )
  if (done > 0) return choice('click', chip, null, 3, 'again')
  return choice(
    'click',
    chip,
    null,
    (need ? (!set ? 38 : members.length > 4 ? 44 : 31) : 12) + drawn - Math.min(inGroup, 4) - wanted,
    'one more of these',
  )
}
