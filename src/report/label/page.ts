import { escapeHtml } from '../untrusted-text.ts'
import { LABEL_BEHAVIOUR } from './behaviour.ts'
import { LABEL_STYLE } from './style.ts'

export interface LabelPageFacts {
  /** Path of the label file, as the person gave it. */
  readonly label_file: string
  /** What to run when all is labelled. */
  readonly next_command: string
}

/**
 * The labelling page: a frame without content, which its script fills from the server, text as text.
 * @param nonce of the content security policy that it is served with
 */
export function labelPage({ label_file: file, next_command: next }: LabelPageFacts, nonce: string): string {
  const quoted = escapeHtml(nonce)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Label trials · genui-eval</title>
<style nonce="${quoted}">${LABEL_STYLE}</style>
</head>
<body>
<header>
  <p class="brand"><b>genui-eval</b> label</p>
  <div class="progress" role="progressbar" aria-label="Labelled" aria-valuemin="0" id="progress"><i id="bar-pass"></i><i id="bar-fail"></i></div>
  <p class="count" id="count" aria-live="polite"></p>
  <button id="keys-button" title="All keys (?)"><kbd>?</kbd> Keys</button>
</header>
<main id="work" hidden>
  <section class="stage" aria-label="What the agent made">
    <nav role="tablist" aria-label="Views">
      <button role="tab" id="tab-pictures" aria-controls="view-pictures">Screenshots <kbd>1</kbd></button>
      <button role="tab" id="tab-app" aria-controls="view-app">Try it <kbd>2</kbd></button>
      <button role="tab" id="tab-answer" aria-controls="view-answer">Answer in words <kbd>3</kbd></button>
      <button role="tab" id="tab-context" aria-controls="view-context">What the agent knew <kbd>4</kbd></button>
      <p class="where" id="where"></p>
    </nav>
    <div class="view" id="view-pictures" role="tabpanel">
      <figure><img id="picture" alt=""><figcaption><span id="caption"></span><span class="quiet">↑ ↓ through the steps</span></figcaption></figure>
      <ol class="strip" id="strip"></ol>
    </div>
    <div class="view" id="view-app" role="tabpanel" hidden>
      <p class="hint">The micro-app runs without a network. Keys go to it while you are in it: click beside it to label on.</p>
      <div id="frame-place"></div>
    </div>
    <div class="view text" id="view-answer" role="tabpanel" hidden><pre id="answer"></pre></div>
    <div class="view text" id="view-context" role="tabpanel" hidden><div id="context"></div></div>
  </section>
  <aside>
    <section class="question">
      <h2 id="rubric-id"></h2>
      <p id="criteria"></p>
    </section>
    <section><h2>The user asked</h2><blockquote id="prompt"></blockquote></section>
    <section><h2>Tools the agent called</h2><p id="calls"></p></section>
    <section id="payload-part"><h2>What the app sent</h2><div id="payloads"></div></section>
    <section id="step-part"><h2>What was done in it</h2><ol class="steps" id="steps"></ol></section>
    <section id="note-part"><h2><label for="note">Note</label></h2><textarea id="note" rows="2" maxlength="2000" placeholder="Why, when it was a close call (N)"></textarea></section>
  </aside>
  <footer>
    <div class="travel"><button id="previous" title="Previous (←)">←</button><span id="position"></span><button id="next" title="Next (→)">→</button></div>
    <button class="quietly" id="undo"><kbd>U</kbd> Undo</button>
    <div class="verdicts">
      <button class="fail" id="fail" aria-pressed="false"><kbd>F</kbd> Fail</button>
      <button class="pass" id="pass" aria-pressed="false"><kbd>P</kbd> Pass</button>
    </div>
    <button class="quietly" id="skip"><kbd>S</kbd> Skip</button>
    <p class="standing" id="standing"></p>
  </footer>
</main>
<section class="done" id="done" hidden tabindex="-1">
  <div class="tick" aria-hidden="true">✓</div>
  <h1 id="done-title"></h1>
  <p id="done-counts"></p>
  <p class="quiet">Saved in <code>${escapeHtml(file)}</code></p>
  <h2>Next: hold the judge against them</h2>
  <pre id="next-command">${escapeHtml(next)}</pre>
  <p><button id="copy">Copy</button> <button id="review">Look through the labels</button> <button class="pass" id="end">End the session</button></p>
</section>
<p class="trouble" id="trouble" role="alert" hidden></p>
<dialog id="keys">
  <h2>Keys</h2>
  <dl>
    <div><dt><kbd>P</kbd> <kbd>F</kbd></dt><dd>pass or fail, then the next one</dd></div>
    <div><dt><kbd>S</kbd> <kbd>→</kbd></dt><dd>skip: the next one, without a label</dd></div>
    <div><dt><kbd>←</kbd></dt><dd>the one before</dd></div>
    <div><dt><kbd>U</kbd></dt><dd>take the last label back</dd></div>
    <div><dt><kbd>↑</kbd> <kbd>↓</kbd></dt><dd>through the screenshots</dd></div>
    <div><dt><kbd>1</kbd>…<kbd>4</kbd></dt><dd>screenshots, the app itself, the answer in words, what the agent knew</dd></div>
    <div><dt><kbd>N</kbd></dt><dd>write a note; <kbd>Esc</kbd> leaves it</dd></div>
  </dl>
  <p><button id="keys-close">Close</button></p>
</dialog>
<script nonce="${quoted}">${LABEL_BEHAVIOUR}</script>
</body>
</html>
`
}
