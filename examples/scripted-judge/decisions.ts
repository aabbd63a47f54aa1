import { all, everShown, everUsable, firstControls, type Heuristic, isAmong, numbersIn, rendered, shownLine } from './looking.ts'
import type { Control } from './material.ts'

const named = (controls: readonly Control[], pattern: RegExp): Control[] => controls.filter(({ name }) => pattern.test(name))

/** Apps with which the user decides something. */
export const DECISIONS: Readonly<Record<string, Heuristic>> = {
  editable_drafts_and_batch_submit: (material) => {
    const controls = firstControls(material)
    const mails = material.toolAnswers.match(/\bID: \w+/g)?.length ?? 0
    const selectors = (word: RegExp): number => named(controls, word).length
    const drafts = controls.filter(({ kind }) => kind === 'text' || kind === 'editable')
    const widest = Math.max(0, ...material.payloads.map(({ decisions }) => (Array.isArray(decisions) ? decisions.length : 0)))
    return all(
      rendered(material),
      {
        met: [/reply/i, /archive/i, /ignore/i].every(
          (word) => selectors(word) >= mails || named(controls, word).some(({ kind }) => kind === 'select'),
        ),
        what: 'each mail can be replied to, archived or ignored',
      },
      { met: drafts.length > 0, what: 'drafts can be edited' },
      {
        met: (material.screens[0]?.fields ?? []).some((line) => line.length > 20),
        what: 'drafts are filled in',
        quote: material.screens[0]?.fields[0],
      },
      { met: widest >= mails, what: 'one button sends all decisions', quote: shownLine(material, /batch|send|all/i) },
    )
  },
  safe_defaults_for_important_files: (material) => {
    const boxes = firstControls(material).filter(({ kind }) => kind === 'checkbox')
    const ticked = (pattern: RegExp): boolean => named(boxes, pattern).some(({ checked }) => checked === true)
    const keeps = shownLine(material, /tick[^.]*\bto keep\b|not ticked[^.]*delet|\bkeep\b[^.]*ticked/i)
    return all(
      rendered(material),
      { met: keeps === undefined, what: 'a tick means deletion', quote: keeps },
      {
        met: ticked(/\.iso/) && ticked(/\.zip/),
        what: 'the large archives are ticked at first',
        quote: shownLine(material, /\.iso|\.zip/),
      },
      { met: !ticked(/\.pdf/), what: 'the documents are not ticked at first', quote: shownLine(material, /\.pdf/) },
    )
  },
  safe_process_kill_ui: (material) => {
    const killable = everUsable(material).filter(
      ({ kind, name }) => kind !== 'button' && /postgres|hermes-gateway|\b1102\b|\b3310\b/.test(name),
    )
    const warning = shownLine(
      material,
      /protected|locked|cannot be selected|do not (?:kill|stop)|warning|critical|danger|production database\b.*(?:never|not|careful)/i,
    )
    const sent = material.payloads.some(({ pids }) => Array.isArray(pids) && pids.some((pid) => pid === 1102 || pid === 3310))
    return all(
      rendered(material),
      {
        met: shownLine(material, /\b4812\b/) !== undefined && shownLine(material, /48\.5/) !== undefined,
        what: 'process 4812 and its share are flagged',
        quote: shownLine(material, /\b4812\b/),
      },
      {
        met: !sent && (killable.length === 0 || warning !== undefined),
        what: 'postgres and the gateway are protected or warned about',
        quote: warning ?? shownLine(material, /postgres/),
      },
    )
  },
  breakeven_calculation_accuracy: (material) => {
    const followed = material.screens
      .slice(1)
      .filter(({ fields, fresh }) =>
        fields.some((field) =>
          fresh.some((line) => line.includes('$') && isAmong(Number(field) * 1.89, numbersIn(line.replaceAll('$', ' ')))),
        ),
      )
    const even = shownLine(material, /break.?even[^]*\b9[23](?:\.\d+)?\b|\b9[23](?:\.\d+)?\s*(?:h|hours?)[^]*break.?even/i)
    return all(
      rendered(material),
      { met: followed.length > 0, what: 'the cost of renting follows the hours at $1.89', quote: shownLine(material, /1\.89/) },
      {
        met: shownLine(material, /\$\s?175\b/) !== undefined,
        what: 'the purchase is written off at $175 a month',
        quote: shownLine(material, /\$\s?\d+/),
      },
      { met: even !== undefined, what: 'the break-even point of about 93 hours is named', quote: even },
    )
  },
  literature_comparison_and_selection: (material) => {
    const papers = [/\bRAGAS\b/, /\bARES\b/, /TruLens/i, /\bRGB\b/]
    const clash = shownLine(material, /contradict|disagree|conflict|tension|at odds|clash/i)
    const picked = material.payloads.some(({ selected_papers: selected }) => Array.isArray(selected) && selected.length > 0)
    return all(
      rendered(material),
      {
        met: papers.every((name) => shownLine(material, name) !== undefined),
        what: 'all four papers are there',
        quote: shownLine(material, /RAGAS/),
      },
      { met: clash !== undefined, what: 'the contradiction between them is shown', quote: clash },
      { met: picked, what: 'papers that the user picked are sent', quote: shownLine(material, /select|send|synthes/i) },
    )
  },
  memory_grounded_cron_planner: (material) => {
    const text = everShown(material).join('\n')
    const spots = [/PACELC/, /Raft[^\n]*(?:Split|Vote)/i, /Backprop|Chain Rule/i]
    const adjusts = everUsable(material).filter(
      ({ kind, name }) =>
        /\b(?:mon|tue|wed|daily|every day|days?|week|time|hour|frequency|often|when|lighter)\b/i.test(name) && kind !== 'link',
    )
    return all(
      rendered(material),
      {
        met: spots.every((spot) => spot.test(text)),
        what: 'the three weak spots of the memory are there',
        quote: shownLine(material, /PACELC|Raft/),
      },
      { met: adjusts.length > 0, what: 'days or time can be adjusted', quote: shownLine(material, /time|week|day/i) },
      { met: material.payloads.some(({ schedule }) => typeof schedule === 'string' && schedule !== ''), what: 'a schedule is sent' },
    )
  },
  valid_cron_and_channel_config: (material) => {
    const controls = everUsable(material)
    const editsTopics = named(controls, /topic|keyword|remove|add\b/i).filter(({ kind }) => kind !== 'radio')
    const cron = material.payloads.some(
      ({ cron_expression: cronText }) => typeof cronText === 'string' && /^(?:[\d*/,-]+\s+){4}[\d*/,a-z-]+$/i.test(cronText),
    )
    const channel = controls.filter(({ name, kind }) => /telegram|discord/i.test(name) || (kind === 'select' && /channel/i.test(name)))
    return all(
      rendered(material),
      { met: editsTopics.length > 0, what: 'keywords can be edited', quote: shownLine(material, /topic|keyword/i) },
      { met: named(controls, /time|hour|\bat\b|days?\b|mon\b/i).length > 0, what: 'time or days can be chosen' },
      { met: channel.length > 0, what: 'a channel can be chosen', quote: shownLine(material, /telegram/i) },
      { met: cron, what: 'a valid cron expression is sent', quote: shownLine(material, /(?:[\d*]+\s){4}[\d*]/) },
    )
  },
  interactive_filtering_or_scoring: (material) => {
    const controls = everUsable(material)
    const weighs = controls.filter(
      ({ kind, name }) =>
        kind === 'range' ||
        kind === 'select' ||
        /filter|find|search|weight|sort/i.test(name) ||
        /^(?:risk|power|cost|all|security|flexibility|latency)$/i.test(name),
    )
    const picks = material.payloads.some(({ selected_approach: picked }) => typeof picked === 'string' && picked !== '')
    return all(
      rendered(material),
      { met: weighs.length > 0, what: 'approaches can be filtered or weighted', quote: shownLine(material, /filter|weigh|security/i) },
      { met: picks, what: 'one approach can be selected', quote: shownLine(material, /deep dive|choose|select/i) },
    )
  },
}
