import type { Conversation } from './conversation.ts'

/** What the texts in the model's context tell it about writing micro-apps. Nothing else decides how well it writes. */
export interface Knowledge {
  /** The callback contract: an app reports back by `window.hermes.sendAction`. */
  readonly bridge: boolean
  /** When an app is the wrong answer. */
  readonly whenNot: boolean
  /** Answers in practice apps are hidden at first. */
  readonly hideAnswers: boolean
  /** Only what is disposable is preselected. */
  readonly safeDefaults: boolean
}

/** Everything that the model was told: instructions, tool descriptions and tool results (a skill that it loaded, an error that a handler gave). */
export function readKnowledge({ instructions, tools, turns }: Conversation): Knowledge {
  const schemas = tools.map((tool) => `${tool.description}\n${JSON.stringify(tool.parameters)}`)
  const results = turns.map((turn) => (turn.by === 'tool' ? turn.text : ''))
  const told = [...instructions, ...schemas, ...results].join('\n')
  return {
    bridge: /\bsendAction\b/.test(told),
    whenNot:
      /when not to (?:render|use)|without the tool|(?:do not|don't|never) (?:render|use|call)\b[^.\n]{0,60}(?:app|tool|simple|fact)|answer in (?:plain )?text/i.test(
        told,
      ),
    hideAnswers: /hid(?:e|es|den)\b[^.\n]{0,80}answer|answers?\b[^.\n]{0,80}\bhid(?:e|den)/i.test(told),
    safeDefaults: /pre-?(?:select|check)|unselected|unchecked/i.test(told),
  }
}

/** A skill about micro-apps in the index of available skills, to be loaded before the first app is written. */
export function listedSkill({ instructions }: Conversation): string | null {
  const index = /<available_skills>([\s\S]*?)<\/available_skills>/.exec(instructions.join('\n'))?.[1] ?? ''
  const line = index.split('\n').find((entry) => /^\s*-\s*\S+/.test(entry) && /micro-?app|generative|interactive/i.test(entry))
  return line === undefined ? null : (/^\s*-\s*([^\s:]+(?::[^\s:]+)?)/.exec(line)?.[1] ?? null)
}
