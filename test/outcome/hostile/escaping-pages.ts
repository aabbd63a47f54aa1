import { ANY, app, atLoad, OBSERVED, onClick, type HostilePage } from './hostile-page.ts'

/** Getting out of sight, into another document or into the way of whoever drives the page. */
export const ESCAPING: readonly HostilePage[] = [
  {
    id: 'closed shadow root with a bridge of its own',
    html: `<p>app</p><div id=host></div><script>
      const root = host.attachShadow({ mode: 'closed' }); root.innerHTML = '<button>Send</button>';
      const hermes = { sendAction: (p) => Promise.resolve({ ok: p }) }; root.querySelector('button').onclick = () => hermes.sendAction({ sent: true })</script>`,
    ends: OBSERVED,
  },
  {
    id: 'frame with a bridge of its own',
    html: `${app('')}<iframe srcdoc="<script>top.hermes = { sendAction() { return Promise.reject('no') } }; parent.hermes.sendAction({ forged: 1 })</script>"></iframe>`,
    ends: OBSERVED,
    sends: true,
  },
  atLoad(
    'prerenders itself',
    'document.head.append(Object.assign(document.createElement("script"), { type: "speculationrules", textContent: JSON.stringify({ prerender: [{ urls: ["/", "/?2", "/?3"] }], prefetch: [{ urls: ["/?4"] }] }) }))',
    OBSERVED,
    true,
  ),
  atLoad(
    'import map of data',
    'document.head.append(Object.assign(document.createElement("script"), { type: "importmap", textContent: JSON.stringify({ imports: { x: "data:text/javascript,window.hermes=null;export default 1" } }) })); import("x")',
    OBSERVED,
  ),
  atLoad(
    'service worker',
    'navigator.serviceWorker?.register(URL.createObjectURL(new Blob(["onfetch = (e) => e.respondWith(new Response(1))"]))).catch(() => 0); navigator.serviceWorker?.register("/").catch(() => 0)',
    OBSERVED,
    true,
  ),
  atLoad(
    'lock for ever',
    'navigator.locks.request("lock", () => new Promise(() => 0)); navigator.locks.request("lock", () => 0)',
    OBSERVED,
    true,
  ),
  onClick(
    'fullscreen and pointer lock on click',
    'document.documentElement.requestFullscreen(); document.body.requestPointerLock()',
    OBSERVED,
    true,
  ),
  onClick('print on click', 'print(); print()', OBSERVED, true),
  onClick(
    'dialogs at the end',
    'addEventListener("beforeunload", (e) => { e.preventDefault(); alert("no"); return "no" }); addEventListener("pagehide", () => alert("bye"))',
    OBSERVED,
    true,
  ),
  onClick('windows on click', 'for (let i = 0; i < 100; i++) open("about:blank", "w" + i, "popup")', OBSERVED, true),
  onClick(
    'downloads on click',
    'for (let i = 0; i < 500; i++) { const a = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob(["x"])), download: i + ".txt" }); a.click() }',
    OBSERVED,
    true,
  ),
  atLoad('printing storm', 'setInterval(() => print(), 20)', ANY),
  atLoad(
    'modal dialog over all',
    'const d = document.body.appendChild(document.createElement("dialog")); d.textContent = "wait"; d.showModal(); d.oncancel = (e) => e.preventDefault()',
    OBSERVED,
  ),
  atLoad(
    'button that runs away',
    'const b = document.querySelector("button"); b.style.position = "fixed"; document.addEventListener("pointermove", () => { b.style.left = Math.random() * 1000 + "px" }, true)',
    ANY,
  ),
  atLoad(
    'button replaced when pressed',
    'document.addEventListener("pointerdown", () => { const b = document.querySelector("button"); b.replaceWith(b.cloneNode(true)) }, true)',
    OBSERVED,
  ),
  atLoad(
    'document rewritten again and again',
    'const write = () => { document.open(); document.write("<button>Send</button><script>setTimeout(() => parent.w?.(), 10)<\\/script>"); document.close(); setTimeout(write, 20) }; setTimeout(write, 20)',
    ANY,
  ),
  atLoad('fragments and hops', 'let i = 0; setInterval(() => { location.hash = ++i; history.back(); history.forward() }, 1)', ANY),
  atLoad(
    'frames of itself',
    'for (let i = 0; i < 30; i++) document.body.append(Object.assign(document.createElement("iframe"), { src: "/?" + i }), Object.assign(document.createElement("iframe"), { src: "/" }))',
    ANY,
  ),
  atLoad(
    'iterators and observers gone',
    'delete Array.prototype[Symbol.iterator]; Array.prototype.map = Array.prototype.push = null; window.MutationObserver = window.requestAnimationFrame = window.setTimeout = null; Document.prototype.querySelectorAll = () => { throw 1 }',
    OBSERVED,
  ),
  atLoad(
    'getters that loop',
    'for (const k of ["innerText", "textContent", "shadowRoot", "children", "value"]) for (const p of [Node, Element, HTMLElement, HTMLInputElement]) try { Object.defineProperty(p.prototype, k, { get() { for (;;); } }) } catch {}',
    ANY,
  ),
  atLoad(
    'custom elements that throw',
    'customElements.define("x-x", class extends HTMLElement { constructor() { super(); throw new Error("no") } connectedCallback() { this.remove(); document.body.append(document.createElement("x-x")) } }); document.body.append(document.createElement("x-x"))',
    ANY,
  ),
  atLoad(
    'page of ten million points',
    'document.body.style.cssText = "width:1e7px;height:1e7px;transform:scale(99)"; scrollTo(9e6, 9e6)',
    ANY,
  ),
  atLoad('editable document', 'document.designMode = "on"; document.documentElement.inert = true', OBSERVED),
  atLoad('debugger', 'setInterval(() => { debugger }, 10)', OBSERVED, true),
]
