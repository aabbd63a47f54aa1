/** What the name of a button lets a person expect of it. */
export type Intent = 'final' | 'forward' | 'check' | 'back' | 'neutral'

export interface Reading {
  readonly intent: Intent
  /** Among buttons of one intent the higher goes first; 0..9. */
  readonly strength: number
}

const STRONG_FINAL =
  /\b(send|submit|confirm|finish|finali[sz]e|complete|save|apply|activate|schedule|execute|approve|publish|deploy|launch|book|checkout|place order|wrap up|hand (off|over|back)|lock in|report|export|deliver|sign off|envoyer|valider|confirmer|terminer|enregistrer|senden|absenden|abschicken|bestätigen|speichern|abschließen|enviar|confirmar|guardar|finalizar)\b/
const SOFT_FINAL =
  /\b(done|accept|agree|create|order|pay|buy|reserve|terminate|kill|stop (it|process|selected)|archive|proceed|settle|use (this|these|it)|go with|pick this|choose this|select this|set up|enable|share|register|subscribe|sign up|log (it|this)|record|request|tell|return to|reading plan|that'?s (it|all|my)|i'?m (done|ready|sure|finished)|yes|end (the )?(session|quiz|review|lab)|run (batch|all|it)|delete|remove|clean ?up|free up|purge|choose|update|post|notify|import|install|merge|commit (changes|this|all|now|batch|selection))\b/
const FORWARD =
  /\b(next|continue|start|begin|go|enter|open|let'?s|got it|ok|okay|understood|ready|proceed|play|show me|explore|try it|get started|suivant|continuer|commencer|weiter|starten|los|siguiente|continuar|empezar|compare|review|preview|summary|decide|to (the )?(quiz|lab|map|summary|review))\b/
const CHECK =
  /\b(check|grade|evaluate|score|reveal|show (the )?(answers?|results?|score)|see (the )?(answers?|results?|score)|verify|calculate|compute|analy[sz]e|test|validate|generate|mark|results?|run|draw|simulate|sample|i knew|i know|knew it|good|easy|hard|again later|forgot|got it wrong|got it right|missed)\b/
const BACK =
  /^(cancel|back|go back|return$|close|dismiss|later|not now|not yet|no\b|nope|never mind|undo|reset|clear|restart|start over|start again|try again|retry|again|redo|discard|edit|change|previous|prev|skip|stay|wait|abort|quit|exit|collapse|hide|decline|reject|deny|keep (editing|studying|working|going|them|it|exploring|playing|looking|learning|practi[cs]ing|reading|file|files|everything|my)|review again|annuler|retour|zurück|abbrechen|cancelar|volver|atrás|deselect|select none|none|uncheck|study more|practi[cs]e more|let me|revise|download|print|copy)\b/
const BACK_ANYWHERE = /\b(back to|go back|start over|run again|play again|cancel|reset|don'?t|do not)\b/
const BARE_CLOSE = /^[×✕✖xX⨯−–-]$/
const BARE_FORWARD = /^[→➔➜▶»›>]+$/
const BARE_BACKWARD = /^[←«‹<]+$/

/** Lower case, without emoji, arrows and other ornaments. */
export function plainWords(name: string): string {
  return name
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[^\p{L}\p{N}' /&+-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Reads the name of a button. `submits` says that it is the submit button of a form. */
export function readName(name: string, submits: boolean): Reading {
  const bare = name.trim()
  if (BARE_CLOSE.test(bare)) return { intent: 'back', strength: 1 }
  if (BARE_BACKWARD.test(bare)) return { intent: 'back', strength: 2 }
  if (BARE_FORWARD.test(bare)) return { intent: 'forward', strength: 3 }
  const words = plainWords(name)
  const count = words === '' ? 0 : words.split(' ').length
  if (BACK.test(words) || (BACK_ANYWHERE.test(words) && !/\bhermes\b/.test(words)))
    return { intent: 'back', strength: /^(close|dismiss|back|hide)/.test(words) ? 3 : 1 }
  // A sentence is an answer or a card, unless it begins with the verb.
  const head = count > 8 ? words.split(' ').slice(0, 3).join(' ') : words
  if (/\bhermes\b/.test(words) && count <= 12) return { intent: 'final', strength: 9 }
  if (/^(send|submit)\b/.test(head)) return { intent: 'final', strength: 8 }
  if (STRONG_FINAL.test(head) && !(count > 3 && !new RegExp(`^(\\S+ )?${STRONG_FINAL.source}`).test(head)))
    return { intent: 'final', strength: submits ? 8 : 7 }
  if (CHECK.test(head) && !submits && count <= 6 && !SOFT_FINAL.test(head))
    return { intent: 'check', strength: /^(check|grade|evaluate|score|verify)/.test(head) ? 5 : 2 }
  if (submits) return { intent: 'final', strength: 6 }
  if (SOFT_FINAL.test(head) && (count <= 4 || SOFT_FINAL.test(words.split(' ').slice(0, 2).join(' '))))
    return { intent: 'final', strength: /^(select|choose|pick|add)\b/.test(head) ? 2 : 4 }
  if (FORWARD.test(words.split(' ').slice(0, 3).join(' ')) && count <= 8)
    return { intent: 'forward', strength: /^(next|continue|start|begin)/.test(head) ? 4 : 2 }
  return { intent: 'neutral', strength: 0 }
}

/** The phrase that a field asks to have typed ("type DELETE to confirm"); null when it asks for none. */
export function demandedPhrase(hint: string): string | null {
  const demand = /\b(?:re-?)?(?:type|enter|write|input|tape[zr]?|tippen|schreiben)\b/i.exec(hint)
  // A field that shows nothing but a word in capitals wants that word.
  const shown = hint.split(' | ').find((part) => /^[A-Z]{3,}(?: [A-Z]{3,})*$/.test(part))
  if (!demand) return shown ?? null
  const rest = hint.slice(demand.index + demand[0].length, demand.index + demand[0].length + 120)
  const marked = /^[^.|]{0,30}?«([^»]{1,40})»/.exec(rest)?.[1]
  const quoted = /^[^.|]{0,30}?["“”'‘`]([^"“”'’`]{1,40})["“”'’`]/.exec(rest)?.[1]
  const capitals = /^:?\s*(?:the (?:word|words|text|phrase|code)\s+|in\s+)?([A-Z][A-Z0-9_-]{2,}(?: [A-Z][A-Z0-9_-]{2,})*)\b/.exec(rest)?.[1]
  const plain =
    /^\s+(?!(?:your|an?|the|it|this|something|here|text)\b)([\w-]{2,30})\s+(?:to (?:confirm|continue|proceed|go on)|below|here)\b/i.exec(
      rest,
    )?.[1]
  const figure = /^\s*(?:the\s+)?(?:\w+\s+)?(\d{2,})\b/.exec(rest)?.[1]
  const found = marked ?? quoted ?? capitals ?? plain ?? figure ?? shown ?? null
  return found === null ? null : found.trim()
}

/** A box that says "I have read this" rather than choosing something. */
export function isConsent(name: string): boolean {
  return /\b(agree|understand|confirm|accept|consent|acknowledge|i am sure|i'm sure|i have (read|reviewed|checked)|reviewed|verified|aware|authori[sz]e)\b/i.test(
    name,
  )
}

/** The first option of many a select is no answer. */
export function isPlaceholder(option: { readonly value: string; readonly label: string; readonly disabled: boolean }): boolean {
  return (
    option.disabled || option.value === '' || /^(-|–|—|…|\.{2,}|select\b|choose\b|pick\b|please\b|none selected)/i.test(option.label.trim())
  )
}

/** Signs that the page is at something which ends by itself. */
export function saysWait(text: string): boolean {
  return /\b(undo|sending|saving|loading|running|processing|executing|submitting|working|please wait|hold on|in \d+ ?s|\d+ ?(s|sec|secs|seconds)\b( left| remaining)?)|\p{L}ing ?(…|\.\.\.)/iu.test(
    text,
  )
}

/** Signs that something is still to be done before the final action is taken. */
export function saysMissing(text: string): boolean {
  return /\b(please|must|at least|at most|required|need(s|ed)?|first|before|select|choose|pick|answer|missing|incomplete|remaining|left|invalid|exactly|bitte|veuillez|por favor)\b/i.test(
    text,
  )
}

/** The other of two decisions, which is an answer too and no way back. */
export function isRefusal(name: string): boolean {
  return /^(reject|decline|deny|refuse|block|disapprove|request changes|escalate)\b/.test(plainWords(name))
}

/** How one rates oneself on a flashcard; elsewhere the same words lead back. */
export function isSelfRating(name: string): boolean {
  return /^(not yet|again|no|nope|wrong|skip)\b/.test(plainWords(name))
}

/** A button that wants to be held down. */
export function wantsHolding(name: string): boolean {
  return /\b(press and hold|hold (down )?to|hold for|long[- ]press|keep pressed)\b/i.test(name)
}
