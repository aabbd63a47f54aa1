import { judgeButton } from './judge-buttons.ts'
import { judgeCheckbox, judgeField, judgeRadio, judgeRange, judgeSelect } from './judge-fields.ts'
import { groupOf, type Memory } from './memory.ts'
import type { Candidate } from './probe/candidate.ts'
import type { PageScan } from './scan.ts'
import { choice, PLAIN_TASTE, situate, times, type Choice, type Situation, type Taste } from './situation.ts'

/** All sensible actions, the best first. Pure: the same scan and memory give the same order. */
export function rank(scan: PageScan, memory: Memory, taste: Taste = PLAIN_TASTE): Choice[] {
  const situation = situate(scan, memory, taste)
  const choices: { readonly choice: Choice; readonly order: number }[] = []
  scan.candidates.forEach((candidate, order) => {
    if (!candidate.enabled || candidate.blocked) return
    const choice = judge(candidate, situation)
    if (choice) choices.push({ choice, order })
  })
  return choices.sort((a, b) => b.choice.score - a.choice.score || a.order - b.order).map((each) => each.choice)
}

function judge(candidate: Candidate, situation: Situation): Choice | null {
  switch (candidate.kind) {
    case 'text':
    case 'editable':
      return judgeField(candidate, situation)
    case 'select':
      return judgeSelect(candidate, situation)
    case 'radio':
      return judgeRadio(candidate, situation)
    case 'checkbox':
      return judgeCheckbox(candidate, situation)
    case 'range':
      return judgeRange(candidate, situation)
    case 'summary':
      if (candidate.checked) return null
      return choice(
        'click',
        candidate,
        null,
        times(candidate, situation) > 0 ? 3 : situation.need || !situation.finalVisible ? 45 : 9,
        'open what is closed',
      )
    case 'canvas':
      return choice(
        'click',
        candidate,
        null,
        times(candidate, situation) > 0
          ? 0
          : 20 - 2 * (situation.memory.groups.get(groupOf(candidate, situation.groups.get(candidate.group) ?? [])) ?? 0) * 0.5,
        'press what is painted',
      )
    case 'link':
    case 'button':
    case 'tab':
    case 'custom':
      return judgeButton(candidate, situation)
    default:
      return candidate.kind satisfies never
  }
}
