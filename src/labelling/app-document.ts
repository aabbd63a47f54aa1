/**
 * How a micro-app is served to the frame of the labelling page. The document is hostile: it may neither reach a network nor the page around
 * it. The frame is sandboxed by its element and by this header, so that the address opened by itself is no less shut in. Dialogs, which would block the labeller, are answered as
 * in a run.
 */
export const APP_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    'sandbox allow-scripts allow-forms',
    "default-src 'none'",
    "script-src 'unsafe-inline' 'unsafe-eval'",
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    'media-src data: blob:',
    "connect-src 'none'",
    "frame-src 'none'",
    "worker-src 'none'",
    "object-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'x-dns-prefetch-control': 'off',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), clipboard-read=(), clipboard-write=(), display-capture=(), payment=(), usb=(), serial=(), hid=(), publickey-credentials-get=(), identity-credentials-get=()',
}

/** WebRTC obeys no content security policy, so its constructors are taken away before the app's first script; the bridge answers as in a run. */
const PRELUDE = `<script>(()=>{for(const name of ['RTCPeerConnection','webkitRTCPeerConnection','RTCDataChannel','WebTransport'])try{delete window[name]}catch{}
const storage=()=>{const kept=new Map();return{getItem:(k)=>kept.get(String(k))??null,setItem:(k,v)=>{kept.set(String(k),String(v))},removeItem:(k)=>{kept.delete(String(k))},clear:()=>kept.clear(),key:(i)=>[...kept.keys()][i]??null,get length(){return kept.size}}};
for(const name of ['localStorage','sessionStorage'])try{Object.defineProperty(window,name,{configurable:true,value:storage()})}catch{}
Object.assign(window,{alert:()=>{},confirm:()=>true,prompt:(_,value)=>value??''});window.hermes={sendAction:()=>Promise.resolve({ok:true})};document.currentScript.remove()})()</script>`

/** The document with the prelude before anything of its own. */
export function appDocument(html: string): string {
  const doctype = /^\uFEFF?\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? ''
  return `${doctype}${PRELUDE}${html.slice(doctype.length)}`
}
