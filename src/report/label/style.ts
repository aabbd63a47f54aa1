import { DARK, LIGHT } from '../html/style.ts'

/** Style of the labelling page: the report's paper and colours, filling one window, nothing to scroll for the verdict. */
export const LABEL_STYLE = `
:root{${LIGHT}}
@media (prefers-color-scheme: dark){:root{${DARK}}}
*{box-sizing:border-box}
[hidden]{display:none!important}
html,body{height:100%}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere;display:grid;grid-template:auto minmax(0,1fr) / minmax(0,1fr)}
h1,h2,p,ol,dl,dd,figure,blockquote{margin:0;padding:0}
ol{list-style:none}
code,pre,kbd{font:12.5px/1.55 ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
pre{margin:0;white-space:pre-wrap;tab-size:2}
button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:9px;padding:6px 12px;min-height:36px;cursor:pointer}
button:hover{border-color:var(--quiet)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
kbd{display:inline-block;min-width:20px;padding:0 5px;border:1px solid var(--line);border-bottom-width:2px;border-radius:5px;background:var(--page);color:var(--quiet);font-size:11.5px;line-height:17px;text-align:center}
.quiet{color:var(--quiet);font-weight:400}
h2{font-size:12px;font-weight:600;letter-spacing:.04em;text-transform:uppercase;color:var(--quiet)}

header{display:flex;align-items:center;gap:18px;padding:10px 20px;background:var(--card);border-bottom:1px solid var(--line)}
.brand{font-size:13px;color:var(--quiet);white-space:nowrap}.brand b{color:var(--ink);margin-right:4px;letter-spacing:-.01em}
.progress{flex:1;height:8px;border-radius:4px;background:var(--sunk);overflow:hidden;display:flex}
.progress i{display:block;height:100%;width:0;transition:width .18s ease-out}
#bar-pass{background:var(--pass)}#bar-fail{background:var(--fail)}
.count{font-size:13px;color:var(--quiet);font-variant-numeric:tabular-nums;white-space:nowrap}.count b{color:var(--ink);font-weight:600}
header button{font-size:13px;padding:2px 10px;min-height:30px;border-color:transparent;background:transparent;color:var(--quiet)}

main{display:grid;grid-template:minmax(0,1fr) auto / minmax(0,1fr) clamp(320px,29vw,440px);min-height:0}
.stage{display:flex;flex-direction:column;min-height:0;min-width:0;padding:12px 6px 12px 20px}
nav{display:flex;align-items:center;gap:2px;margin-bottom:10px}
nav button{border-color:transparent;background:transparent;color:var(--quiet);font-size:14px;padding:4px 11px;min-height:32px}
nav button[aria-selected=true]{background:var(--card);border-color:var(--line);color:var(--ink);font-weight:550;box-shadow:var(--shadow)}
nav button:disabled{opacity:.4;cursor:default;border-color:transparent}
nav button kbd{margin-left:5px}
.where{margin-left:auto;padding-right:10px;font-size:12.5px;color:var(--quiet);white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.view{flex:1;min-height:0;display:flex;flex-direction:column;gap:10px}
.view figure{flex:1;min-height:0;display:flex;flex-direction:column;background:var(--card);border:1px solid var(--line);border-radius:14px;box-shadow:var(--shadow);overflow:hidden}
.view figure img{flex:1;min-height:0;width:100%;object-fit:contain;background:var(--sunk)}
figcaption{display:flex;gap:12px;justify-content:space-between;padding:7px 14px;font-size:13px;border-top:1px solid var(--line)}
figcaption .quiet{white-space:nowrap}
.strip{display:flex;gap:8px;overflow-x:auto;padding:3px;flex:none;scrollbar-width:thin}
.strip:empty{display:none}
.strip button{flex:none;width:106px;padding:0;min-height:0;border-radius:8px;overflow:hidden;display:block;background:var(--card);position:relative}
.strip img{display:block;width:100%;aspect-ratio:16/10;object-fit:cover;object-position:top}
.strip button::after{content:attr(data-number);position:absolute;left:4px;top:4px;min-width:18px;padding:0 4px;border-radius:9px;background:rgb(20 20 24/.72);color:#fff;font:600 11px/18px system-ui}
.strip button[aria-current=true]{outline:2px solid var(--accent);outline-offset:1px;border-color:transparent}
.hint{font-size:13px;color:var(--quiet)}
#frame-place{flex:1;min-height:0;display:flex}
iframe{flex:1;border:1px solid var(--line);border-radius:14px;background:#fff;color-scheme:light;box-shadow:var(--shadow)}
.view.text{overflow:auto;background:var(--card);border:1px solid var(--line);border-radius:14px;box-shadow:var(--shadow);padding:18px 22px}
#answer{font:15px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;max-width:78ch}
#context{display:grid;gap:16px}
#context h3{margin:0 0 4px;font-size:13.5px;font-weight:600}
#context pre{padding:10px 12px;background:var(--sunk);border-radius:8px}

aside{overflow:auto;padding:16px 20px 20px 14px;display:grid;gap:18px;align-content:start;scrollbar-width:thin}
.question{background:var(--card);border:1px solid var(--line);border-left:5px solid var(--accent);border-radius:14px;padding:14px 18px;box-shadow:var(--shadow)}
.question h2{text-transform:none;letter-spacing:0;font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-weight:500}
.question p{font-size:17px;line-height:1.5;margin-top:6px;text-wrap:pretty}
.question b{font-weight:650}.question b.pass{color:var(--pass)}.question b.fail{color:var(--fail)}
blockquote{border-left:3px solid var(--line);padding:1px 0 1px 12px;margin-top:6px;white-space:pre-wrap}
aside section>h2+*{margin-top:6px}
#payloads{display:grid;gap:8px}
#payloads pre{background:var(--sunk);border-radius:8px;padding:8px 12px;max-height:15rem;overflow:auto}
.steps{font-size:13.5px;display:grid;gap:1px}
.steps li{display:grid;grid-template-columns:24px 1fr;gap:6px;padding:3px 6px;border-radius:7px;cursor:default;color:var(--ink)}
.steps li::before{content:attr(data-number);color:var(--quiet);font-variant-numeric:tabular-nums;text-align:right}
.steps li.pictured{cursor:pointer}.steps li.pictured:hover{background:var(--sunk)}
.steps li.shown{background:var(--note-tint)}
.steps li.undone{color:var(--warn)}.steps li.sent::after{content:"sent a payload";grid-column:2;font-size:12px;color:var(--pass)}
textarea{width:100%;font:inherit;font-size:14px;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:9px;padding:7px 11px;resize:vertical}
textarea::placeholder{color:var(--quiet)}

main>footer{grid-column:1/-1;display:grid;grid-template-columns:1fr auto auto auto 1fr;align-items:center;gap:10px;padding:10px 20px;background:var(--card);border-top:1px solid var(--line)}
.travel{display:flex;align-items:center;gap:10px;color:var(--quiet);font-size:13px;font-variant-numeric:tabular-nums}
.travel button{min-width:40px;padding:4px}
.quietly{border-color:transparent;background:transparent;color:var(--quiet)}
.verdicts{display:flex;gap:10px}
.verdicts button{font-size:17px;font-weight:600;min-width:156px;min-height:48px;border-radius:12px}
.verdicts kbd{margin-right:7px;background:transparent;border-color:currentColor;color:inherit;opacity:.75}
.pass{--tone:var(--pass);--tint:var(--pass-tint)}.fail{--tone:var(--fail);--tint:var(--fail-tint)}
button.pass,button.fail{color:var(--tone);background:var(--tint);border-color:transparent}
button.pass:hover,button.fail:hover{border-color:var(--tone)}
button.pass[aria-pressed=true],button.fail[aria-pressed=true],button.pressed{background:var(--tone);color:var(--card);border-color:var(--tone)}
.standing{justify-self:end;font-size:13px;color:var(--quiet)}

.done{align-self:center;justify-self:center;text-align:center;max-width:720px;padding:32px;outline:none}
.tick{width:64px;height:64px;margin:0 auto 18px;border-radius:50%;display:grid;place-items:center;font-size:32px;background:var(--pass-tint);color:var(--pass)}
.done h1{font-size:26px;font-weight:600;letter-spacing:-.015em}
.done h2{margin:28px 0 8px}
.done pre{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 16px;text-align:left}
.done p{margin-top:10px}
.trouble{position:fixed;left:50%;top:60px;transform:translateX(-50%);background:var(--fail);color:var(--card);border-radius:10px;padding:9px 16px;box-shadow:0 6px 24px rgb(0 0 0/.25);z-index:9}
dialog{border:1px solid var(--line);border-radius:16px;background:var(--card);color:inherit;padding:22px 26px;box-shadow:0 20px 60px rgb(0 0 0/.3)}
dialog::backdrop{background:rgb(10 10 14/.4)}
dialog dl{display:grid;gap:8px;margin:14px 0 18px}dialog dl div{display:grid;grid-template-columns:84px 1fr;gap:12px}
dt{white-space:nowrap}dd{color:var(--ink)}
@media (max-width:900px){
  body{grid-template:auto auto / minmax(0,1fr)}html,body{height:auto}
  main{grid-template:auto auto auto / minmax(0,1fr)}.stage{padding:12px;height:70vh}nav{overflow-x:auto}nav button{white-space:nowrap}.where{display:none}
  aside{padding:8px 14px}main>footer{position:sticky;bottom:0;grid-template-columns:auto 1fr auto;gap:6px;padding:8px 12px}
  .travel,.standing{display:none}.verdicts{justify-content:center}.verdicts button{min-width:110px}
}
@media (max-width:560px){
  .brand,header button,figcaption .quiet{display:none}header{padding:10px 12px}.quietly{padding:6px}.quietly kbd{display:none}.verdicts button{min-width:88px}.count{white-space:normal}
}
@media (prefers-reduced-motion: reduce){*{transition:none!important}}
`
