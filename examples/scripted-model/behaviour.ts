import { commented } from './commented.ts'
import { type Conversation, type Fields, isFields, type Move, type OfferedTool, textOf, type Turn } from './conversation.ts'
import { type Knowledge, listedSkill, readKnowledge } from './knowledge.ts'
import type { KnownTask } from './known-tasks.ts'
import { chance, pick } from './seeded.ts'
import { withoutBridge } from './without-bridge.ts'

export interface Character {
  readonly tasks: readonly KnownTask[]
  /** Share of trials in which the model slips although it was told everything, 0..1. */
  readonly slipRate: number
  /** Mixed into every choice. */
  readonly seed: number
}

const RENDER = 'render_micro_app'
/** Share of simple questions that get an app when nothing says when not to render. */
const EAGERNESS = 0.4
/** Share of apps that miss a quality which nothing asked for. */
const CARELESSNESS = 0.5

/** What the model does next. Depends only on the conversation, the seed in it, and the model's own character. */
export function nextMove(conversation: Conversation, character: Character): Move {
  const asked = conversation.turns.findLast((turn) => turn.by === 'user')
  const task = character.tasks.find((known) => contains(asked?.text ?? '', known.prompt))
  if (asked === undefined || task === undefined) return say('I can help with that. Could you tell me a little more about what you need?')
  const seed = `${conversation.seed ?? 'none'}/${character.seed}/${task.id}`
  const after = conversation.turns.slice(conversation.turns.indexOf(asked) + 1)
  const done = after.findLast((turn) => turn.by === 'tool' && callOf(after, turn.call_id)?.name === RENDER)
  if (done?.by === 'tool') return afterRendering(done.text, after, task, conversation, character, seed)
  return task.app ? towardsApp(task, after, conversation, character, seed) : towardsText(task, after, conversation, character, seed)
}

function towardsApp(task: KnownTask, after: readonly Turn[], conversation: Conversation, character: Character, seed: string): Move {
  const skill = listedSkill(conversation)
  if (skill !== null && offers(conversation, 'skill_view') && !called(after, 'skill_view')) {
    return { kind: 'calls', calls: [{ name: 'skill_view', args: { name: skill } }] }
  }
  const open = task.lookups.filter((lookup) => offers(conversation, lookup.tool) && !called(conversation.turns, lookup.tool))
  if (open.length > 0) return { kind: 'calls', calls: open.map((lookup) => ({ name: lookup.tool, args: reworded(lookup.args, seed) })) }
  return renderApp(task, conversation, character, seed)
}

function towardsText(task: KnownTask, after: readonly Turn[], conversation: Conversation, character: Character, seed: string): Move {
  const knowledge = readKnowledge(conversation)
  const mistake = task.mistakes.find((wrong) => wrong.app)
  const slips = chance(seed, 'slip') < character.slipRate
  // A model that only saw a name in an index has no reason to render; one that read how to render, but not when not to, may.
  const eager = knowledge.bridge && !knowledge.whenNot && chance(seed, 'eager') < EAGERNESS
  if ((slips || eager) && mistake !== undefined && offers(conversation, RENDER)) return render(mistake.content, task, conversation)
  const file = /create an? (\S+\.\w+) file\b.*?\bprints '([^']*)'/is.exec(task.prompt)
  if (file !== null && offers(conversation, 'write_file') && !called(after, 'write_file')) {
    return { kind: 'calls', calls: [{ name: 'write_file', args: { path: file[1], content: `print('${file[2]}')\n` } }] }
  }
  return say(task.good.trim())
}

function renderApp(task: KnownTask, conversation: Conversation, character: Character, seed: string): Move {
  if (!offers(conversation, RENDER)) return say(`Here is what I would show you: ${task.facts.join(', ')}.`)
  const knowledge = readKnowledge(conversation)
  const written = chooseVersion(task, knowledge, character, seed)
  if (!written.app) return say(written.content.trim())
  const grounded = commented(withoutUnseenFacts(written.content, task, conversation), seed)
  return render(knowledge.bridge ? grounded : withoutBridge(grounded, seed), task, conversation)
}

/** The good app; or a mistake, by a seeded slip or because nothing told the model better. */
function chooseVersion(
  task: KnownTask,
  knowledge: Knowledge,
  character: Character,
  seed: string,
): { readonly content: string; readonly app: boolean } {
  const careless = task.mistakes.find(
    (wrong) =>
      (wrong.fails === 'interaction.answers_hidden' && !knowledge.hideAnswers) ||
      (wrong.fails === 'interaction.initial_state' && !knowledge.safeDefaults),
  )
  if (careless !== undefined && chance(seed, 'careless') < CARELESSNESS) return careless
  const slips = task.mistakes.filter((wrong) => !wrong.fails.startsWith('rubric.'))
  const slip = chance(seed, 'slip') < character.slipRate ? pick(slips, seed, 'which slip') : undefined
  return slip ?? { content: task.good, app: true }
}

/** A model cannot show what it never saw: facts that only the tools hold are replaced by invented names when no tool returned them. */
function withoutUnseenFacts(html: string, task: KnownTask, conversation: Conversation): string {
  const seen = conversation.turns.map((turn) => (turn.by === 'model' ? '' : turn.text)).join('\n')
  const unseen = task.facts.filter((fact) => task.lookups.some((lookup) => contains(lookup.output, fact)) && !contains(seen, fact))
  return unseen.reduce((text, fact, index) => text.replaceAll(fact, `Example ${index + 1}`), html)
}

/** The document under the argument names that the tool's schema gives it. */
function render(html: string, task: KnownTask, conversation: Conversation): Move {
  const tool = conversation.tools.find((offered) => offered.name === RENDER)
  const title = /<title>([^<]{1,110})<\/title>/i.exec(html)?.[1]?.trim() ?? task.id.replaceAll('_', ' ')
  return { kind: 'calls', calls: [{ name: RENDER, args: fillSchema(tool, { html, title, archetype: task.archetype }) }] }
}

function fillSchema(
  tool: OfferedTool | undefined,
  values: { readonly html: string; readonly title: string; readonly archetype: string },
): Fields {
  const properties = isFields(tool?.parameters['properties']) ? tool.parameters['properties'] : {}
  const required = new Set(Array.isArray(tool?.parameters['required']) ? tool.parameters['required'] : [])
  const args: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    const value = valueFor(name, isFields(schema) ? schema : {}, values, required.has(name))
    if (value !== undefined) args[name] = value
  }
  return args
}

function valueFor(
  name: string,
  schema: Fields,
  values: { readonly html: string; readonly title: string; readonly archetype: string },
  required: boolean,
): unknown {
  if (/html|document|markup|content|source/i.test(name)) return values.html
  if (/title|name|heading/i.test(name)) return values.title
  if (/archetype|kind|category/i.test(name))
    return Array.isArray(schema['enum']) && !schema['enum'].includes(values.archetype) ? schema['enum'][0] : values.archetype
  if (!required) return undefined
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  const defaults: Readonly<Record<string, unknown>> = { number: 1, integer: 1, boolean: true, array: [], object: {} }
  return defaults[textOf(schema['type'])] ?? values.title
}

/** A refused app is written anew with what the error says, twice at most; an accepted one is announced. */
function afterRendering(
  result: string,
  after: readonly Turn[],
  task: KnownTask,
  conversation: Conversation,
  character: Character,
  seed: string,
): Move {
  if (!/"(?:ok|success)"\s*:\s*false|"error"\s*:\s*"/.test(result)) return say(announcement(task))
  const tries = after.filter((turn) => turn.by === 'model' && turn.calls.some((call) => call.name === RENDER)).length
  if (tries >= 3) return say('I could not display the app, so here is the short version in text.')
  return task.app ? renderApp(task, conversation, character, seed) : say(task.good.trim())
}

function announcement(task: KnownTask): string {
  return task.app
    ? 'It is on your screen. Use it, and press its final button when you are done: I will go on from what you send.'
    : `Here it is. ${task.good.trim()}`
}

/** Nobody repeats a query word for word: another order, a leading ./, one word more. */
function reworded(args: Fields, seed: string): Fields {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => {
      if (typeof value !== 'string') return [key, value]
      if (key === 'path' && !value.startsWith('/')) return [key, chance(seed, key) < 0.5 ? value : `./${value}`]
      if (key === 'query') return [key, chance(seed, key) < 0.5 ? value : `${value} explained`]
      return [key, value]
    }),
  )
}

const say = (text: string): Move => ({ kind: 'text', text })
const offers = (conversation: Conversation, name: string): boolean => conversation.tools.some((tool) => tool.name === name)
const called = (turns: readonly Turn[], name: string): boolean =>
  turns.some((turn) => turn.by === 'model' && turn.calls.some((call) => call.name === name))

function callOf(turns: readonly Turn[], id: string): { readonly name: string } | undefined {
  return turns.flatMap((turn) => (turn.by === 'model' ? turn.calls : [])).find((call) => call.id === id)
}

const plain = (text: string): string => text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase()
const contains = (text: string, part: string): boolean => part !== '' && plain(text).includes(plain(part))
