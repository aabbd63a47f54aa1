import { deflateSync } from 'node:zlib'
import { ANY, app, atLoad, OBSERVED, onClick, type HostilePage } from './hostile-page.ts'

/** A few kilobytes that unpack to a picture of 20,000 × 20,000 points. */
function pictureBomb(): string {
  const side = 20_000
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const framed = Buffer.alloc(body.length + 8)
    framed.writeUInt32BE(data.length, 0)
    body.copy(framed, 4)
    framed.writeUInt32BE(checksum(body), body.length + 4)
    return framed
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  const rows = deflateSync(Buffer.alloc(side * (1 + side / 8)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const png = Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
  return `data:image/png;base64,${png.toString('base64')}`
}

function checksum(data: Buffer): number {
  let crc = 0xffffffff
  for (const byte of data) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

/** An SVG that draws itself ten times at each of eight levels. */
function drawingBomb(): string {
  const levels = Array.from({ length: 8 }, (_, level) => `<g id="l${level + 1}">${`<use href="#l${level}"/>`.repeat(10)}</g>`)
  return `<svg width=300 height=300><defs><rect id="l0" width="9" height="9"/>${levels.join('')}</defs><use href="#l8"/></svg>`
}

/** Using up what pages share: memory outside the script's heap, threads, storage, the painter, queues. */
export const EXHAUSTING: readonly HostilePage[] = [
  atLoad('array buffers', 'const all = []; for (;;) all.push(new Uint8Array(2e8).fill(1))', ANY),
  atLoad('array buffers, slowly', 'const all = []; setInterval(() => all.push(new Uint8Array(2e8).fill(1)), 5)', ANY),
  atLoad(
    'array buffers in workers',
    'for (let i = 0; i < 4; i++) new Worker(URL.createObjectURL(new Blob(["const all = []; for (;;) all.push(new Uint8Array(1e8).fill(1))"])))',
    ANY,
  ),
  atLoad(
    'wasm memory',
    'const all = []; for (;;) { const m = new WebAssembly.Memory({ initial: 4096, maximum: 65536 }); new Uint8Array(m.buffer).fill(1); all.push(m) }',
    ANY,
  ),
  atLoad(
    'canvases',
    'const all = []; for (let i = 0; i < 300; i++) { const c = Object.assign(document.createElement("canvas"), { width: 4096, height: 4096 }); c.getContext("2d").fillRect(0, 0, 4096, 4096); all.push(c) }',
    ANY,
  ),
  { id: 'picture bomb', html: `<img src="${pictureBomb()}" width=600 height=300>${app('')}`, ends: ANY },
  { id: 'drawing bomb', html: `${app('')}${drawingBomb()}`, ends: ANY },
  atLoad(
    'two hundred workers',
    'for (let i = 0; i < 200; i++) new Worker(URL.createObjectURL(new Blob(["setInterval(() => 0, 1)"])))',
    ANY,
  ),
  atLoad(
    'workers that breed',
    'const breed = `onmessage = ({ data }) => { for (let i = 0; i < 2; i++) { const w = new Worker(URL.createObjectURL(new Blob([data]))); w.postMessage(data) } }`; const w = new Worker(URL.createObjectURL(new Blob([breed]))); w.postMessage(breed)',
    ANY,
  ),
  atLoad('shared worker loop', 'for (let i = 0; i < 4; i++) new SharedWorker("data:text/javascript,for(;;);//" + i)', OBSERVED, true),
  atLoad(
    'shader loop',
    `const g = document.body.appendChild(document.createElement('canvas')).getContext('webgl2');
     if (g) { const p = g.createProgram(); const add = (t, s) => { const x = g.createShader(t); g.shaderSource(x, s); g.compileShader(x); g.attachShader(p, x) };
     add(g.VERTEX_SHADER, '#version 300 es\\nvoid main() { gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 300.0; }');
     add(g.FRAGMENT_SHADER, '#version 300 es\\nprecision highp float; out vec4 c; void main() { float x = 0.0; for (int i = 0; i < 2000000000; i++) x = fract(x * 1.1 + 0.3); c = vec4(x); }');
     g.linkProgram(p); g.useProgram(p); g.drawArrays(g.POINTS, 0, 1); }`,
    ANY,
  ),
  atLoad(
    'web graphics',
    'navigator.gpu?.requestAdapter().then((a) => a?.requestDevice()).then((d) => { for (let i = 0; i < 100; i++) d.createBuffer({ size: 2 ** 28, usage: 8 }) }); for (let i = 0; i < 100; i++) document.createElement("canvas").getContext("webgl")',
    ANY,
  ),
  atLoad(
    'database flood',
    'const open = indexedDB.open("flood", 1); open.onupgradeneeded = () => open.result.createObjectStore("s", { autoIncrement: true }); open.onsuccess = () => { const more = () => { const t = open.result.transaction("s", "readwrite"); t.objectStore("s").add(new Uint8Array(5e7).fill(1)); t.oncomplete = more }; more() }',
    ANY,
  ),
  atLoad(
    'private files flood',
    'navigator.storage.getDirectory().then(async (d) => { const f = await (await d.getFileHandle("f", { create: true })).createWritable(); for (;;) await f.write(new Uint8Array(5e7).fill(1)) }).catch(() => 0)',
    ANY,
  ),
  atLoad(
    'cache flood',
    'caches.open("f").then(async (c) => { for (let i = 0; ; i++) await c.put("/" + i, new Response(new Uint8Array(5e7).fill(1))) }).catch(() => 0)',
    ANY,
  ),
  atLoad('blob flood', 'window.all = []; for (let i = 0; i < 100; i++) all.push(new Blob([new Uint8Array(5e7).fill(i)]))', ANY),
  atLoad(
    'local storage and cookies',
    'try { for (let i = 0; ; i++) localStorage["k" + i] = "x".repeat(1e5) } catch {} for (let i = 0; i < 5000; i++) document.cookie = "c" + i + "=" + "x".repeat(3000)',
    OBSERVED,
    true,
  ),
  atLoad('idle callbacks', 'const f = () => { requestIdleCallback(f); requestIdleCallback(f) }; f()', ANY),
  atLoad('a million timers', 'for (let i = 0; i < 1e6; i++) setTimeout(() => 0, i % 5000)', ANY),
  atLoad(
    'message flood',
    'onmessage = () => { postMessage("x", "*"); if (Math.random() < 0.01) postMessage("y", "*") }; for (let i = 0; i < 1000; i++) postMessage("x", "*")',
    ANY,
  ),
  atLoad(
    'channel ping-pong',
    'const c = new BroadcastChannel("x"); const d = new BroadcastChannel("x"); d.onmessage = () => { d.postMessage(1); d.postMessage(2) }; c.onmessage = () => c.postMessage(3); c.postMessage(0)',
    ANY,
  ),
  atLoad(
    '20,000 animations',
    'document.body.insertAdjacentHTML("beforeend", "<style>@keyframes k{to{transform:rotate(1turn);filter:blur(9px)}}b{display:inline-block;animation:k 1s infinite}</style>" + "<b>x</b>".repeat(2e4))',
    ANY,
  ),
  atLoad(
    'style bomb',
    'let s = "--a0:1px 1px;"; for (let i = 1; i < 40; i++) s += `--a${i}:var(--a${i - 1}) var(--a${i - 1});`; document.body.insertAdjacentHTML("beforeend", `<div style="${s}box-shadow:var(--a39)">x</div><div style="display:grid;grid-template-columns:repeat(9999999,1px);grid-template-rows:repeat(9999999,1px)"><i style="grid-area:9999998/9999998"></i></div>`)',
    ANY,
  ),
  atLoad('performance marks', 'for (let i = 0; i < 1e6; i++) performance.mark("m" + i, { detail: "x".repeat(99) })', ANY),
  atLoad(
    'clipboard and share',
    'for (let i = 0; i < 1000; i++) { navigator.clipboard?.writeText("x".repeat(1e5)).catch(() => 0); navigator.share?.({ text: "x" }).catch(() => 0) }',
    OBSERVED,
    true,
  ),
  atLoad(
    'speech and sound',
    'for (let i = 0; i < 200; i++) { speechSynthesis.speak(new SpeechSynthesisUtterance("x".repeat(1e4))); try { new AudioContext().createOscillator().start() } catch {} }',
    ANY,
  ),
  onClick('structured clone', 'for (let i = 0; i < 20; i++) new MessageChannel().port1.postMessage(new Uint8Array(1e8))', OBSERVED, true),
]
