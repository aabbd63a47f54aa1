/**
 * Ways out of a page, one script each, that a browser without walls takes. `{http}` is an address of a TCP listener, `{ws}` the same for WebSockets, `{udp}` host:port of a UDP listener,
 * `{host}` and `{port}` its parts.
 * `alone`: the way replaces the document, so nothing else can be tried beside it.
 */
export interface WayOut {
  readonly id: string
  readonly script: string
  readonly alone?: boolean
}

const element = (html: string): string => `document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(html)})`
const worker = (code: string): string => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}])))`
const frame = (html: string): string =>
  `document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: ${JSON.stringify(html)} }))`
const click = (html: string): string => `${element(html)}; document.body.lastElementChild.click()`

/** A peer that says the other side is at our listener: Chromium looks up its name and knocks. */
const remoteCandidate = (protocol: string, rest: string): string =>
  `const c = new RTCPeerConnection(); c.createDataChannel('x'); c.createOffer().then(async (o) => { await c.setLocalDescription(o); const other = new RTCPeerConnection(); await other.setRemoteDescription(o); await c.setRemoteDescription(await other.createAnswer()); await c.addIceCandidate({ candidate: 'candidate:1 1 ${protocol} 2122260223 ${rest}', sdpMLineIndex: 0 }) })`

export const WAYS_OUT: readonly WayOut[] = [
  { id: 'fetch', script: `fetch('{http}')` },
  { id: 'fetch no-cors', script: `fetch('{http}', { mode: 'no-cors' })` },
  { id: 'fetch post', script: `fetch('{http}', { method: 'POST', body: 'x', mode: 'no-cors' })` },
  { id: 'fetch keepalive', script: `fetch('{http}', { keepalive: true, mode: 'no-cors' })` },
  { id: 'fetch later', script: `fetchLater('{http}', { activateAfter: 0 })` },
  { id: 'xhr', script: `const x = new XMLHttpRequest(); x.open('GET', '{http}'); x.send()` },
  { id: 'xhr synchronous', script: `const x = new XMLHttpRequest(); x.open('GET', '{http}', false); x.send()` },
  { id: 'beacon', script: `navigator.sendBeacon('{http}', 'x')` },
  { id: 'beacon at the end', script: `addEventListener('pagehide', () => navigator.sendBeacon('{http}', 'x'))` },
  { id: 'keepalive at the end', script: `addEventListener('pagehide', () => fetch('{http}', { keepalive: true, mode: 'no-cors' }))` },
  { id: 'event source', script: `new EventSource('{http}')` },
  { id: 'websocket', script: `new WebSocket('{ws}')` },
  { id: 'websocket stream', script: `new WebSocketStream('{ws}')` },
  { id: 'image', script: `new Image().src = '{http}'` },
  { id: 'image srcset', script: element('<img srcset="{http} 1x">') },
  { id: 'picture', script: element('<picture><source srcset="{http}"><img></picture>') },
  { id: 'svg image', script: element('<svg><image href="{http}" width=9 height=9 /></svg>') },
  {
    id: 'svg feImage',
    script: element(
      '<svg width=9 height=9><filter id=ff><feImage href="{http}"/></filter><rect width=9 height=9 filter="url(#ff)"/></svg>',
    ),
  },
  { id: 'input image', script: element('<input type=image src="{http}">') },
  { id: 'background', script: element('<p style="background:url({http})">x</p>') },
  { id: 'cursor', script: element('<p style="cursor:url({http}),auto">x</p>') },
  { id: 'list style', script: element('<ul><li style="list-style-image:url({http})">x</ul>') },
  { id: 'border image', script: element('<p style="border:3px solid;border-image:url({http}) 3">x</p>') },
  { id: 'generated content', script: element('<style>.g::before{content:url({http})}</style><p class=g>x</p>') },
  { id: 'css import', script: element('<style>@import url({http});</style>') },
  { id: 'font', script: element('<style>@font-face{font-family:q;src:url({http})}</style><p style="font-family:q">x</p>') },
  { id: 'font face', script: `new FontFace('z', 'url({http})').load()` },
  { id: 'style sheet', script: element('<link rel=stylesheet href="{http}">') },
  { id: 'script', script: `document.head.append(Object.assign(document.createElement('script'), { src: '{http}' }))` },
  { id: 'module', script: `document.head.append(Object.assign(document.createElement('script'), { type: 'module', src: '{http}' }))` },
  { id: 'dynamic import', script: `import('{http}')` },
  { id: 'module preload', script: element('<link rel=modulepreload href="{http}">') },
  { id: 'preload', script: element('<link rel=preload as=image href="{http}">') },
  { id: 'prefetch', script: element('<link rel=prefetch href="{http}">') },
  { id: 'icon', script: `document.head.append(Object.assign(document.createElement('link'), { rel: 'icon', href: '{http}' }))` },
  { id: 'audio', script: element('<audio src="{http}" preload=auto></audio>') },
  { id: 'video', script: element('<video src="{http}" preload=auto></video>') },
  { id: 'poster', script: element('<video poster="{http}"></video>') },
  { id: 'track', script: element('<video src="data:video/mp4,x"><track default src="{http}"></video>') },
  { id: 'frame', script: element('<iframe src="{http}"></iframe>') },
  { id: 'object', script: element('<object data="{http}"></object>') },
  { id: 'embed', script: element('<embed src="{http}">') },
  {
    id: 'form into a frame',
    script: `${element('<iframe name=ft></iframe><form id=ff1 target=ft action="{http}"></form>')}; ff1.submit()`,
  },
  { id: 'form get', script: `${element('<form id=ff2 action="{http}"></form>')}; ff2.submit()`, alone: true },
  { id: 'form post', script: `${element('<form id=ff3 method=post action="{http}"></form>')}; ff3.submit()`, alone: true },
  { id: 'location', script: `location.href = '{http}'`, alone: true },
  { id: 'location replace', script: `location.replace('{http}')`, alone: true },
  { id: 'meta refresh', script: element('<meta http-equiv=refresh content="0;url={http}">'), alone: true },
  { id: 'link', script: click('<a href="{http}">x</a>'), alone: true },
  { id: 'link in a new window', script: click('<a href="{http}" target=_blank>x</a>') },
  { id: 'ping', script: click('<a href="#x" ping="{http}">x</a>') },
  { id: 'download', script: click('<a href="{http}" download>x</a>') },
  { id: 'window', script: `window.open('{http}')` },
  { id: 'window script', script: `const w = window.open('about:blank'); w.document.write('<img src="{http}">')` },
  { id: 'worker fetch', script: worker(`fetch('{http}', { mode: 'no-cors' })`) },
  { id: 'worker websocket', script: worker(`new WebSocket('{ws}')`) },
  { id: 'worker import', script: worker(`importScripts('{http}')`) },
  { id: 'nested worker', script: worker(`new Worker(URL.createObjectURL(new Blob(["fetch('{http}', { mode: 'no-cors' })"])))`) },
  { id: 'data worker', script: `new Worker("data:text/javascript,fetch('{http}',{mode:'no-cors'})")` },
  { id: 'shared worker fetch', script: `new SharedWorker("data:text/javascript,fetch('{http}',{mode:'no-cors'})")` },
  { id: 'shared worker websocket', script: `new SharedWorker("data:text/javascript,new WebSocket('{ws}')")` },
  { id: 'audio worklet', script: `new AudioContext().audioWorklet.addModule('{http}')` },
  { id: 'paint worklet', script: `CSS.paintWorklet.addModule('{http}')` },
  {
    id: 'speculation prefetch',
    script: `document.head.append(Object.assign(document.createElement('script'), { type: 'speculationrules', textContent: '{"prefetch":[{"source":"list","urls":["{http}"],"eagerness":"immediate"}]}' }))`,
  },
  {
    id: 'speculation prerender',
    script: `document.head.append(Object.assign(document.createElement('script'), { type: 'speculationrules', textContent: '{"prerender":[{"source":"list","urls":["{http}"],"eagerness":"immediate"}]}' }))`,
  },
  {
    id: 'sandboxed frame',
    script: `document.body.append(Object.assign(document.createElement('iframe'), { sandbox: 'allow-scripts', srcdoc: '<img src="{http}">' }))`,
  },
  { id: 'frame script', script: frame(`<script>fetch('{http}', { mode: 'no-cors' })</script>`) },
  {
    id: 'blob frame',
    script: `document.body.append(Object.assign(document.createElement('iframe'), { src: URL.createObjectURL(new Blob(['<img src="{http}">'], { type: 'text/html' })) }))`,
  },
  {
    id: 'empty frame',
    script: `const f = document.body.appendChild(document.createElement('iframe')); f.contentWindow.fetch('{http}', { mode: 'no-cors' })`,
  },
  {
    id: 'css in a shadow root',
    script: `document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'closed' }).innerHTML = '<p style="background:url({http})">x</p>'`,
  },
  { id: 'localhost name', script: `fetch('{http}'.replace('127.0.0.1', 'localhost'), { mode: 'no-cors' })` },
  { id: 'any localhost name', script: `fetch('{http}'.replace('127.0.0.1', 'x.localhost'), { mode: 'no-cors' })` },
  { id: 'decimal address', script: `fetch('{http}'.replace('127.0.0.1', '2130706433'), { mode: 'no-cors' })` },
  { id: 'web transport', script: `new WebTransport('https://{udp}/')` },
  {
    id: 'stun',
    script: `const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:{udp}' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))`,
  },
  {
    id: 'turn by udp',
    script: `const c = new RTCPeerConnection({ iceServers: [{ urls: 'turn:{udp}', username: 'u', credential: 'c' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))`,
  },
  {
    id: 'turn by tcp',
    script: `const c = new RTCPeerConnection({ iceServers: [{ urls: 'turn:{tcp}?transport=tcp', username: 'u', credential: 'c' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))`,
  },
  {
    id: 'turn by tls',
    script: `const c = new RTCPeerConnection({ iceServers: [{ urls: 'turns:{tcp}', username: 'u', credential: 'c' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))`,
  },
  { id: 'remote candidate by udp', script: remoteCandidate('udp', '{host} {port} typ host') },
  { id: 'remote candidate by tcp', script: remoteCandidate('tcp', '{host} {port} typ host tcptype passive') },
  {
    id: 'stun in a fresh frame',
    script: `const f = document.body.appendChild(document.createElement('iframe')); const c = new f.contentWindow.RTCPeerConnection({ iceServers: [{ urls: 'stun:{udp}' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))`,
  },
  { id: 'worker web transport', script: worker(`new WebTransport('https://{udp}/')`) },
  { id: 'shared worker web transport', script: `new SharedWorker("data:text/javascript,new WebTransport('https://{udp}/')")` },
  { id: 'shared worker event source', script: `new SharedWorker("data:text/javascript,new EventSource('{http}')")` },
  { id: 'worker websocket stream', script: worker(`new WebSocketStream('{ws}')`) },
  {
    id: 'dns prefetch',
    script: `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv=x-dns-prefetch-control content=on><link rel=dns-prefetch href="{http}">')`,
  },
  {
    id: 'preconnect',
    script: `document.head.insertAdjacentHTML('beforeend', '<link rel=preconnect href="{http}"><link rel=preconnect crossorigin href="{http}">')`,
  },
  { id: 'compression dictionary', script: element('<link rel=compression-dictionary href="{http}">') },
  { id: 'manifest', script: element('<link rel=manifest href="{http}">') },
  {
    id: 'import map',
    script: `document.head.append(Object.assign(document.createElement('script'), { type: 'importmap', textContent: '{"imports":{"far":"{http}"}}' })); import('far')`,
  },
  {
    id: 'speculation by a header of its own',
    script: `document.head.append(Object.assign(document.createElement('script'), { type: 'speculationrules', textContent: '{"prefetch":[{"source":"document","where":{"href_matches":"/*"},"eagerness":"immediate"}],"prerender":[{"source":"document","eagerness":"immediate"}]}' })); ${element('<a href="{http}">x</a>')}`,
  },
  { id: 'federated log-in', script: `navigator.credentials.get({ identity: { providers: [{ configURL: '{http}', clientId: 'x' }] } })` },
  { id: 'passkey', script: `navigator.credentials.get({ publicKey: { challenge: new Uint8Array(16), rpId: '{host}' } })` },
  { id: 'service worker', script: `navigator.serviceWorker.register('{http}'); navigator.serviceWorker.register('/sw.js')` },
  {
    id: 'background fetch',
    script: `navigator.serviceWorker.ready.then((r) => r.backgroundFetch.fetch('x', ['{http}'])); caches.open('x').then((c) => c.add('{http}'))`,
  },
  {
    id: 'payment',
    script: `new PaymentRequest([{ supportedMethods: '{http}' }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).canMakePayment()`,
  },
  { id: 'media session', script: `navigator.mediaSession.metadata = new MediaMetadata({ artwork: [{ src: '{http}' }] })` },
  { id: 'notification', script: `new Notification('x', { icon: '{http}', image: '{http}' })` },
  {
    id: 'style sheet of a blob document',
    script: `document.body.append(Object.assign(document.createElement('iframe'), { src: URL.createObjectURL(new Blob(['<?xml-stylesheet href="{http}" type="text/css"?><x/>'], { type: 'text/xml' })) }))`,
  },
  {
    id: 'blob document',
    script: `location.href = URL.createObjectURL(new Blob(['<p>page</p><img src="{http}">'], { type: 'text/html' }))`,
    alone: true,
  },
  {
    id: 'web bundle and report',
    script: element('<meta http-equiv=Content-Security-Policy content="img-src data:; report-uri {http}"><img src="https://x.invalid/">'),
    alone: true,
  },
  {
    id: 'visited links',
    script: element(
      '<style>.v:visited{background:url({http})}.v{list-style-image:url({http});display:list-item}</style><a class=v href="#">x</a>',
    ),
  },
  { id: 'print style sheet', script: `${element('<style>@media print{body{background:url({http})}}</style>')}; print()` },
  {
    id: 'svg script',
    script:
      element('<svg><script href="{http}"></script></svg>') +
      `; const s = document.createElementNS('http://www.w3.org/2000/svg', 'script'); s.setAttribute('href', '{http}'); document.body.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'svg')).appendChild(s)`,
  },
  { id: 'frame from data', script: element(`<iframe src="data:text/html,<img src='{http}'>"></iframe>`) },
  { id: 'fenced frame', script: element('<fencedframe src="{http}"></fencedframe>') },
  {
    id: 'mapped address',
    script: `fetch('http://[::ffff:127.0.0.1]:{port}/', { mode: 'no-cors' }); fetch('http://0.0.0.0:{port}/', { mode: 'no-cors' }); fetch('http://[::1]:{port}/', { mode: 'no-cors' })`,
  },
]
