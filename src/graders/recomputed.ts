import type { Check, Evidence } from '../model/check.ts'
import { parseFormula, type Formula } from '../model/formula.ts'
import type { ObservedState, Outcome, PerformedStep } from '../model/outcome.ts'
import type { Recomputation } from '../model/recomputation.ts'
import type { Task } from '../model/task.ts'
import { cut, diagnostic, failed, passed, placeOf, skipped } from './check.ts'
import { changedNumbers, showsValue, shownNumbers, type ShownNumber } from './shown-numbers.ts'

const ID = 'interaction.recomputed'

/** A range that was moved, with what the page showed before and after. */
interface Move {
  readonly step: PerformedStep
  readonly before: ObservedState
  readonly after: ObservedState
}

type Item = NonNullable<Evidence['items']>[number] & { readonly move: Move; readonly decides: boolean }

/**
 * After every move of a range, the text shows what the task's formulas give for the values that stand in the form, and changes as much as it must.
 * Values are read from the form, not from the step: which of an app's ranges was moved, and which it has besides, is its own affair.
 * A diagnostic unless the task says that it decides: a good app may show its figures in a chart only, or other figures.
 */
export function recomputed(task: Task, outcome: Outcome): Check {
  const wanted = task.own_assertions?.recomputes ?? []
  if (wanted.length === 0) return skipped(ID, 'The task names nothing that must be computed anew.')
  const moves = movesOf(outcome)
  if (moves.length === 0) return skipped(ID, 'No range was moved to another value.')
  const items = wanted.flatMap((recomputation) => moves.flatMap((move) => judge(recomputation, move)))
  if (items.length === 0) return skipped(ID, 'The page writes no numbers that could be compared, or its ranges have other units.')
  const shown = items.slice(0, 20).map(({ requirement, met, how }) => ({ requirement, met, how }))
  const wrong = items.find((item) => !item.met && item.decides) ?? items.find((item) => !item.met)
  if (wrong === undefined) {
    const check = passed(ID, { message: 'What depends on a moved range was computed anew.', items: shown })
    return items.some((item) => item.decides) ? check : diagnostic(check)
  }
  const check = failed(ID, 'rubric_fail', {
    message: `Not computed anew after "${cut(wrong.move.step.name || wrong.move.step.target, 80)}" was moved to ${wrong.move.step.value ?? '?'}: ${wrong.how}.`,
    expected: wrong.requirement,
    seen: cut(wrong.move.after.text.rendered, 300),
    selector: wrong.move.step.target,
    step: wrong.move.step.number,
    ...placeOf(wrong.move.after),
    items: shown,
  })
  return wrong.decides ? check : diagnostic(check)
}

function movesOf(outcome: Outcome): Move[] {
  return outcome.steps.flatMap((step) => {
    if (step.action !== 'set_range' || step.status !== 'done') return []
    const after = outcome.states.find((state) => state.index === step.number)
    const before = outcome.states.findLast((state) => state.index < step.number)
    return after === undefined || before === undefined || formNumbers(before).join() === formNumbers(after).join()
      ? []
      : [{ step, before, after }]
  })
}

/** Current values of inputs, in order; each stands on a line of its own. */
function formNumbers(state: ObservedState): number[] {
  return state.text.form_values
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(Number)
    .filter((value) => Number.isFinite(value))
}

function judge(recomputation: Recomputation, move: Move): Item[] {
  const numbers = shownNumbers(move.after.text.rendered)
  const decides = recomputation.decides === true
  const items: Item[] = []
  if (recomputation.shows !== undefined) {
    const how = figuresShown(recomputation, recomputation.shows, numbers, formNumbers(move.after))
    if (how !== null) items.push({ requirement: recomputation.what, ...how, move, decides })
  }
  if (recomputation.changes !== undefined && numbers.length > recomputation.changes) {
    const changed = changedNumbers(shownNumbers(move.before.text.rendered), numbers, Number(move.step.value))
    items.push({
      requirement: `${recomputation.what}: at least ${recomputation.changes} numbers change`,
      met: changed >= recomputation.changes,
      how: `${changed} of ${numbers.length} numbers changed, the moved value apart`,
      move,
      decides,
    })
  }
  return items
}

/** Null when the values in the form cannot be the inputs, or the page writes fewer numbers than are asked for. */
function figuresShown(
  { inputs = [] }: Recomputation,
  figures: NonNullable<Recomputation['shows']>,
  numbers: readonly ShownNumber[],
  values: readonly number[],
): { met: boolean; how: string } | null {
  const names = inputs.map(({ name }) => name)
  const settings = assignments(inputs, [...new Set(values)].slice(0, 20))
  if (settings.length === 0 || numbers.length < figures.length) return null
  const judged = settings.map((setting) => ({
    setting,
    missing: figures.filter(
      ({ formulas }) =>
        !formulas.some((text) => {
          const value = formulaOf(text, names)(setting)
          return Number.isFinite(value) && numbers.some((number) => showsValue(number, value))
        }),
    ),
  }))
  const best = judged.reduce((left, right) => (right.missing.length < left.missing.length ? right : left))
  const given = Object.entries(best.setting).map(([name, value]) => `${name} = ${value}`)
  const at = given.length === 0 ? '' : ` for ${given.join(', ')}`
  if (best.missing.length === 0) return { met: true, how: `all figures are shown${at}` }
  const lacking = best.missing.map(({ figure, formulas }) => {
    const value = formulaOf(formulas[0] ?? '', names)(best.setting)
    return `${figure} (${Number(value.toPrecision(6))})`
  })
  return { met: false, how: `the text shows no ${lacking.join(', no ')}${at}` }
}

/** Every way in which values of the form can be the inputs. */
function assignments(inputs: NonNullable<Recomputation['inputs']>, values: readonly number[]): Record<string, number>[] {
  return inputs.reduce<Record<string, number>[]>(
    (settings, { name, min, max }) => {
      const fits = (value: number): boolean => value >= min && value <= max
      const candidates = values.flatMap((value) => (fits(value) ? [value] : max <= 1 && fits(value / 100) ? [value / 100] : []))
      return settings.flatMap((setting) => candidates.map((value) => ({ ...setting, [name]: value })))
    },
    [{}],
  )
}

/** Tasks are read with their formulas checked; one that cannot be read has no value. */
function formulaOf(text: string, names: readonly string[]): Formula {
  const parsed = parseFormula(text, names)
  return parsed.ok ? parsed.formula : () => Number.NaN
}
