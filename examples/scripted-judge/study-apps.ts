import { all, everShown, everUsable, type Heuristic, isAmong, noteSentences, numbersIn, overlap, rendered, shownLine } from './looking.ts'
import type { Material } from './material.ts'

const CLOSE = 4

/** Distinct losses that stand in lines about a loss, rounded. */
function losses(material: Material): Set<string> {
  const found = new Set<string>()
  for (const { lines } of material.screens) {
    for (const [index, line] of lines.entries()) {
      if (!/\bloss\b/i.test(line)) continue
      const near = /loss now|^loss$/i.test(line) ? (lines[index + 1] ?? '') : line.slice(line.search(/\bloss\b/i))
      for (const number of numbersIn(near)) if (number > 0 && number < 1 && /\d\.\d{3}/.test(near)) found.add(number.toFixed(CLOSE))
    }
  }
  return found
}

/** Screens on which a share of the fields is p and a whole one is k, with what the two measures must then be. */
function measures(material: Material): { wanted: number[]; shown: number[]; moved: boolean }[] {
  return material.screens.flatMap(({ fields, lines }, index) => {
    const numbers = fields.map(Number).filter((number) => Number.isFinite(number))
    const before = index === 0 ? fields : (material.screens[index - 1]?.fields ?? [])
    const [first, second] = numbers
    if (first === undefined || second === undefined) return []
    // The order of the fields is lost when one of them changed: the share is the one that is not above 1.
    const [p, k] = first <= 1 && !(second < 1) ? [first, second] : [second <= 1 ? second : second / 100, first]
    const shown = lines.flatMap(numbersIn)
    return [{ wanted: [1 - (1 - p) ** k, p ** k], shown, moved: before.join() !== fields.join() }]
  })
}

/** Lines with figures other than the fields' own that were new after a range was moved, at most. */
function figuresThatFollow(material: Material): number {
  return Math.max(
    0,
    ...material.screens.map(({ fields, fresh, label }) => {
      if (!label.startsWith('after set_range')) return 0
      return fresh.filter((line) =>
        numbersIn(line).some(
          (number) => !fields.some((field) => Math.abs(Number(field) - number) < 1e-9 || Math.abs(Number(field) / 10 - number) < 1e-9),
        ),
      ).length
    }),
  )
}

/** Whether a score that was sent fits what the screen counted, where both are there. */
function scoreFits(material: Material): boolean {
  const counted = material.screens
    .flatMap(({ lines }) => lines.flatMap((line) => /\b(\d+) (?:right|correct)\b/i.exec(line)?.[1] ?? []))
    .map(Number)
  const questionsAsked = Math.max(
    0,
    ...everShown(material)
      .flatMap((line) => /\bquestion \d+ (?:of|\/) (\d+)/i.exec(line)?.[1] ?? [])
      .map(Number),
  )
  const scores = material.payloads.flatMap(({ score }) => (typeof score === 'number' ? [score] : []))
  if (counted.length === 0 || questionsAsked === 0) return true
  const possible = new Set(
    counted.flatMap((right) => [right, right + 1]).flatMap((right) => [right, right / questionsAsked, (100 * right) / questionsAsked]),
  )
  return scores.every((score) => [...possible].some((value) => Math.abs(value - score) < 1))
}

const tries = (material: Material) =>
  everUsable(material).filter(
    ({ kind, name }) =>
      kind === 'range' ||
      kind === 'radio' ||
      kind === 'checkbox' ||
      /\b(?:reveal|show (?:the )?answer|next question|run|simulate|step|start|play|check|collect)\b|gc\.collect/i.test(name),
  )

const questions = (material: Material): string[] => everShown(material).filter((line) => line.includes('?'))

/** Apps to learn with. */
export const STUDY_APPS: Readonly<Record<string, Heuristic>> = {
  hidden_answers_by_default: (material) => {
    const first = material.screens[0]?.lines ?? []
    const open = noteSentences(material).filter((note) => first.some((line) => overlap(note, line) > 0.6))
    const answer = first.find(
      (line, index) => /^answer:?$/i.test(line) && (first[index + 1] ?? '').length > 3 && !/show|reveal/i.test(first[index + 1] ?? ''),
    )
    const later = material.screens.slice(1).flatMap(({ fresh }) => fresh)
    return all(
      rendered(material),
      {
        met: open.length === 0,
        what: 'no note that answers a question is on the first screen',
        quote: first.find((line) => open.some((note) => overlap(note, line) > 0.6)),
      },
      { met: answer === undefined, what: 'no card is open on the first screen', quote: answer },
      { met: later.length > 0, what: 'more is shown after a click', quote: first.find((line) => /show answer|reveal|check/i.test(line)) },
    )
  },
  valid_backprop_step_computation: (material) =>
    all(
      rendered(material),
      { met: losses(material).size >= 2, what: 'loss and weights are computed anew after an update', quote: shownLine(material, /loss/i) },
      {
        met: everUsable(material).some(({ kind, name }) => kind === 'range' || /step|next/i.test(name)),
        what: 'the passes can be stepped through',
      },
    ),
  diagnostic_mapping_from_semi_guided: (material) => {
    const weak = material.payloads.filter(({ weak_concepts: concepts }) => Array.isArray(concepts))
    const right = shownLine(material, /\b(?:right|correct)\b[^\n]*so far|\d+ (?:of|out of|\/) \d+ (?:right|correct)/i)
    return all(
      rendered(material),
      { met: questions(material).length >= 3, what: 'questions are asked', quote: questions(material)[0] },
      { met: weak.length > 0, what: 'weak concepts are sent' },
      { met: scoreFits(material), what: 'they are worked out from the answers', quote: right },
    )
  },
  live_softmax_distribution_bars: (material) =>
    all(
      rendered(material),
      { met: everUsable(material).some(({ kind }) => kind === 'range'), what: 'the temperature has a slider' },
      {
        met: figuresThatFollow(material) >= 3,
        what: 'several probabilities change when the slider is moved',
        quote: shownLine(material, /%|0\.\d/),
      },
    ),
  autonomous_pedagogical_ui_initiative: (material) =>
    all(rendered(material), {
      met: tries(material).length > 0,
      what: 'there is something to try or to be tested on',
      quote: tries(material)[0]?.name,
    }),
  interview_prep_active_ui: (material) =>
    all(
      rendered(material),
      { met: tries(material).length > 0, what: 'there is something to try or to be tested on', quote: tries(material)[0]?.name },
      { met: questions(material).length > 0, what: 'interview questions are asked', quote: questions(material)[0] },
    ),
  math_formula_accuracy: (material) => {
    const moved = measures(material).filter((each) => each.moved)
    const right = moved.filter(({ wanted, shown }) => wanted.every((value) => isAmong(value, shown)))
    return all(
      rendered(material),
      { met: moved.length > 0, what: 'the sliders were moved' },
      { met: right.length === moved.length, what: 'both measures are right after every move', quote: shownLine(material, /pass@k/i) },
    )
  },
  node_exploration_interactivity: (material) => {
    const pressed = new Set(material.steps.filter(({ action }) => action === 'click').map(({ name }) => name))
    const details = material.screens
      .slice(1)
      .flatMap(({ fresh }) => fresh.filter((line) => line.split(' ').length >= 5 && !/sent|saved|progress/i.test(line)))
    return all(
      rendered(material),
      { met: pressed.size >= 2 && new Set(details).size >= 3, what: 'each node shows details of its own', quote: details[0] },
      {
        met: everUsable(material).some(({ kind, name }) => kind === 'checkbox' || /master/i.test(name)),
        what: 'what is mastered can be marked',
        quote: shownLine(material, /master/i),
      },
    )
  },
}
