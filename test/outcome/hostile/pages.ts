import { ANY, app, atLoad, HANG, OBSERVED, onClick, type HostilePage } from './hostile-page.ts'

/** Loops: each is seen from outside within 5 s. */
export const LOOPS: readonly HostilePage[] = [
  atLoad('loop at load', 'for (;;);', HANG),
  onClick('loop on click', 'for (;;);', HANG),
  atLoad('microtask loop', 'const f = () => Promise.resolve().then(f); f()', HANG),
  atLoad(
    'mutation observer loop',
    'new MutationObserver(() => document.body.setAttribute("a", Math.random())).observe(document.body, { attributes: true }); document.body.setAttribute("a", 1)',
    HANG,
  ),
  atLoad('regular expression', '/^(a+)+$/.test("a".repeat(60) + "b")', HANG),
  onClick('toJSON loop', 'window.hermes.sendAction({ toJSON() { for (;;); } })', HANG),
  atLoad('getter loop', 'Object.defineProperty(document, "title", { get() { for (;;); } })', OBSERVED, true),
  atLoad(
    'frame by frame',
    'const f = () => { const t = performance.now() + 900; while (performance.now() < t); requestAnimationFrame(f) }; f()',
    ANY,
  ),
  atLoad(
    'wasm loop',
    'WebAssembly.instantiate(new Uint8Array([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,9,1,7,0,3,64,12,0,11,11])).then(({ instance }) => instance.exports.f())',
    HANG,
  ),
  atLoad('worker loop', 'new Worker(URL.createObjectURL(new Blob(["for(;;);"])))', OBSERVED, true),
  atLoad(
    'unload loop',
    'addEventListener("pagehide", () => { for (;;); }); addEventListener("beforeunload", (e) => { e.preventDefault(); e.returnValue = "x" })',
    OBSERVED,
    true,
  ),
  atLoad(
    'synchronous xhr',
    'for (let i = 0; i < 50; i++) { const x = new XMLHttpRequest(); x.open("GET", "https://example.com/" + i, false); try { x.send() } catch {} }',
    OBSERVED,
    true,
  ),
  {
    id: 'loop in a sandboxed frame',
    html: `${app('')}<iframe sandbox="allow-scripts" srcdoc="<script>setTimeout(() => { for (;;); }, 50)</script>"></iframe>`,
    ends: HANG,
  },
]

/** Floods of dialogs, console lines, events, nodes, memory and requests. */
export const FLOODS: readonly HostilePage[] = [
  atLoad('endless alert', 'for (;;) alert("x")', HANG),
  atLoad('alert storm', 'for (let i = 0; i < 100; i++) alert(i)', OBSERVED, true),
  atLoad('confirm until no', 'while (confirm("again?"));', HANG),
  atLoad('interval of prompts', 'setInterval(() => prompt("x"), 1)', ANY),
  atLoad('a million console lines', 'for (let i = 0; i < 1e6; i++) console.log("line", i)', OBSERVED, true),
  atLoad('100,000 console errors', 'for (let i = 0; i < 1e5; i++) console.error("line", i)', OBSERVED, true),
  atLoad('one huge console line', 'console.error("x".repeat(5e7))', OBSERVED, true),
  atLoad('10,000 exceptions', 'for (let i = 0; i < 1e4; i++) setTimeout(() => { throw new Error("e" + i) })', ANY),
  atLoad('10,000 rejections', 'for (let i = 0; i < 1e4; i++) Promise.reject(new Error("e" + i))', OBSERVED, true),
  atLoad('a huge exception', 'setTimeout(() => { throw new Error("x".repeat(3e7)) })', OBSERVED, true),
  onClick('100,000 callbacks', 'for (let i = 0; i < 1e5; i++) hermes.sendAction({ i })', OBSERVED),
  onClick('100 MB payload', 'hermes.sendAction("x".repeat(1e8))', OBSERVED, true),
  onClick('deep payload', 'let d = 1; for (let i = 0; i < 1e5; i++) d = [d]; hermes.sendAction(d)', OBSERVED, true),
  atLoad('100,000 nodes', 'document.body.insertAdjacentHTML("beforeend", "<i>x</i>".repeat(1e5))', ANY),
  atLoad('endless nodes', 'for (;;) document.body.append(document.createElement("div"))', ANY),
  atLoad(
    'deep nesting',
    'let e = document.body; for (let i = 0; i < 5000; i++) e = e.appendChild(document.createElement("div")); e.textContent = "deep"',
    ANY,
  ),
  atLoad('memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()))', ['renderer_crash', 'js_hang']),
  atLoad('5,000 refused requests', 'for (let i = 0; i < 5000; i++) fetch("https://example.com/" + i).catch(() => 0)', ANY),
  atLoad(
    '200 frames',
    'for (let i = 0; i < 200; i++) document.body.append(Object.assign(document.createElement("iframe"), { srcdoc: "<p>f" }))',
    ANY,
  ),
  atLoad('50 windows', 'for (let i = 0; i < 50; i++) window.open("about:blank", "w" + i)', OBSERVED, true),
  atLoad('text flood', 'document.body.append("word ".repeat(2e6))', ANY),
  atLoad('never at rest', 'setInterval(() => { document.querySelector("p").textContent = Math.random() }, 5)', OBSERVED, true),
  {
    id: 'paint bomb',
    html: `${'<div style="position:fixed;inset:0;backdrop-filter:blur(60px) hue-rotate(9deg)"></div>'.repeat(300)}${app('')}`,
    ends: ANY,
  },
]

/** Tampering with what the engine might lean on. */
export const TAMPERING: readonly HostilePage[] = [
  atLoad(
    'playwright binding',
    'try { window.__playwright__binding__("{") } catch {} try { window.__playwright__binding__("null") } catch {}',
    OBSERVED,
    true,
  ),
  atLoad('playwright names', 'window.__pwInitScripts = window.__playwright_utility_world__ = null; window.__name = null', OBSERVED, true),
  atLoad('bridge deleted', 'delete window.hermes', OBSERVED),
  atLoad('bridge frozen', 'Object.freeze(window.hermes)', OBSERVED, true),
  atLoad('bridge replaced by a number', 'window.hermes = 7', OBSERVED),
  atLoad('bridge with a throwing getter', 'Object.defineProperty(window, "hermes", { get() { throw new Error("no") } })', OBSERVED),
  atLoad('bridge proxied', 'window.hermes = new Proxy(window.hermes, {})', OBSERVED, true),
  atLoad('sealed window', 'try { Object.freeze(Object.prototype) } catch {}', OBSERVED, true),
  atLoad('toJSON on everything', 'Object.prototype.toJSON = () => "forged"', OBSERVED),
  atLoad(
    'getters on Object.prototype',
    'for (const k of ["ok", "payload", "reason", "type", "value"]) Object.defineProperty(Object.prototype, k, { get() { throw new Error("trap") }, set() {}, configurable: true })',
    ANY,
  ),
  atLoad('body removed', 'document.body.remove()', OBSERVED),
  atLoad('root removed', 'document.documentElement.remove()', OBSERVED),
  atLoad('document rewritten', 'document.open(); document.write("<p>new</p>"); document.close()', OBSERVED),
  atLoad('document written late', 'setTimeout(() => document.write("<p>late</p>"), 30)', OBSERVED),
  {
    id: 'meta policy',
    html: `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; require-trusted-types-for 'script'">${app('')}`,
    ends: OBSERVED,
    sends: true,
  },
  { id: 'no script allowed', html: `<meta http-equiv="Content-Security-Policy" content="script-src 'none'">${app('')}`, ends: OBSERVED },
  { id: 'not HTML', html: '\u0000\u0001\ufffe{"json": true}', ends: OBSERVED },
  { id: 'empty', html: '', ends: OBSERVED },
  { id: 'unclosed everything', html: '<div><p><table><svg><style><script>'.repeat(50), ends: OBSERVED },
  atLoad(
    'events stopped',
    'for (const t of ["click", "mousedown", "pointerdown"]) addEventListener(t, (e) => e.stopImmediatePropagation(), true)',
    OBSERVED,
  ),
  atLoad(
    'fake frames',
    'Object.defineProperty(window, "parent", { value: {} }); Object.defineProperty(window, "length", { value: 1e9 })',
    OBSERVED,
    true,
  ),
  atLoad('crypto and time', 'Date.now = performance.now = () => NaN; Math.random = () => 0', OBSERVED, true),
]

/** Leaving, closing, crashing. */
export const LEAVING: readonly HostilePage[] = [
  atLoad('window.close', 'window.close(); self.close(); top.close()', OBSERVED, true),
  onClick('window.close on click', 'setTimeout(() => window.close(), 50)', OBSERVED, true),
  atLoad('navigates away', 'location.href = "https://example.com/"', OBSERVED, true),
  atLoad('to about:blank', 'setTimeout(() => { location.href = "about:blank" }, 20)', ANY),
  atLoad('to a data address', 'location.href = "data:text/html,gone"', OBSERVED, true),
  atLoad('to a script address', 'location.href = "javascript:void 0"', OBSERVED, true),
  atLoad('to a blob', 'location.href = URL.createObjectURL(new Blob(["<p>blob"], { type: "text/html" }))', ANY),
  atLoad('to chrome://crash', 'location.href = "chrome://crash"', OBSERVED, true),
  atLoad('reload storm', 'location.reload()', ANY),
  atLoad('history storm', 'for (let i = 0; i < 5000; i++) history.pushState(i, "", "#" + i)', ANY),
  { id: 'meta refresh', html: `<meta http-equiv=refresh content="0;url=https://example.com/">${app('')}`, ends: OBSERVED, sends: true },
  atLoad(
    'form submits itself',
    'const f = document.body.appendChild(document.createElement("form")); f.action = "https://example.com/"; f.submit()',
    OBSERVED,
    true,
  ),
  atLoad(
    'download',
    'const a = Object.assign(document.createElement("a"), { href: "data:text/plain,x", download: "x.txt" }); a.click()',
    OBSERVED,
    true,
  ),
  atLoad('print and fullscreen', 'print(); document.documentElement.requestFullscreen().catch(() => 0)', ANY),
  atLoad(
    'permissions',
    'navigator.geolocation.getCurrentPosition(() => 0, () => 0); Notification.requestPermission(); navigator.mediaDevices?.getUserMedia({ video: true }).catch(() => 0)',
    OBSERVED,
    true,
  ),
  atLoad(
    'pointer lock and file picker',
    'document.body.requestPointerLock?.(); document.body.appendChild(Object.assign(document.createElement("input"), { type: "file" })).click()',
    OBSERVED,
    true,
  ),
]
