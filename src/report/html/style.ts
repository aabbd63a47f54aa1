/** Style of the report: one column, quiet paper, colour only for verdicts. Light and dark by the system or the reader's choice. */
export const LIGHT = `
  color-scheme: light;
  --page:#f6f6f3; --card:#fff; --sunk:#f1f1ed; --ink:#1c1d1f; --quiet:#62656b; --line:#e0dfd9; --accent:#2f56c6;
  --pass:#1a7a43; --pass-tint:#e5f3ea; --fail:#b9271f; --fail-tint:#fbe9e7; --warn:#8f5a00; --warn-tint:#fbf0d9; --note:#2f56c6; --note-tint:#e8edfb;
  --base:#8d9097; --shadow:0 1px 2px rgb(20 20 30/.05), 0 4px 16px rgb(20 20 30/.04);`
export const DARK = `
  color-scheme: dark;
  --page:#131416; --card:#1b1c1f; --sunk:#232528; --ink:#e9e9e6; --quiet:#9b9ea5; --line:#303237; --accent:#8fabff;
  --pass:#5cc98a; --pass-tint:#17301f; --fail:#ff8a7e; --fail-tint:#3a1b18; --warn:#f0bd5e; --warn-tint:#35290f; --note:#9db4ff; --note-tint:#1d2540;
  --base:#80848c; --shadow:none;`

export const STYLE = `
:root{${LIGHT}}
@media (prefers-color-scheme: dark){:root:not([data-theme=light]){${DARK}}}
:root[data-theme=dark]{${DARK}}
*{box-sizing:border-box}
html{scroll-padding-top:5rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
main,footer{max-width:1160px;margin:0 auto;padding:0 24px}
main{padding-top:28px;padding-bottom:32px}
h1,h2,h3,h4,h5,p,ul,ol,dl,dd,figure,blockquote{margin:0;padding:0}
ul,ol{list-style:none}
a{color:var(--accent);text-underline-offset:3px}
code,pre,kbd{font:12.5px/1.55 ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
pre{margin:0;padding:10px 12px;background:var(--sunk);border-radius:8px;white-space:pre-wrap;overflow:auto;max-height:26rem;tab-size:2}
.quiet{color:var(--quiet);font-weight:400}
.small{font-size:13px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-999px}.skip:focus{left:16px;top:8px;background:var(--card);padding:6px 12px;z-index:9}

.verdict{--tone:var(--warn);--tint:var(--warn-tint);background:var(--card);border:1px solid var(--line);border-radius:16px;padding:22px 28px 20px;box-shadow:var(--shadow);position:relative;overflow:hidden}
.verdict::before{content:"";position:absolute;inset:0 auto 0 0;width:6px;background:var(--tone)}
.verdict.pass{--tone:var(--pass);--tint:var(--pass-tint)}.verdict.fail{--tone:var(--fail);--tint:var(--fail-tint)}
.brand{font-size:13px;color:var(--quiet)}.brand b{color:var(--ink);margin-right:6px;letter-spacing:-.01em}
h1{display:flex;gap:14px;align-items:flex-start;font-size:22px;line-height:1.4;font-weight:500;letter-spacing:-.012em;margin:12px 0 14px;text-wrap:pretty}
h1 strong{display:block;color:var(--tone);font-size:13px;line-height:1.3;letter-spacing:.05em;text-transform:uppercase;font-weight:650;margin-bottom:3px}
.sign{flex:none;width:40px;height:40px;border-radius:50%;display:grid;place-items:center;background:var(--tint);color:var(--tone);font-size:20px;font-weight:700;margin-top:4px}
.facts{display:flex;flex-wrap:wrap;gap:4px 18px;color:var(--quiet);font-size:13px}
.notices{margin-top:14px;display:grid;gap:6px}
.notices li{background:var(--warn-tint);border-radius:10px;padding:9px 14px 9px 38px;position:relative;font-size:14px}
.notices li::before{content:"!";position:absolute;left:13px;top:11px;width:17px;height:17px;border-radius:50%;background:var(--warn);color:var(--card);font:700 12px/17px system-ui;text-align:center}

.cards{display:grid;grid-template-columns:repeat(3,1fr);gap:14px;margin-top:14px}
.card,.conditions>div{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:16px 20px;box-shadow:var(--shadow);min-width:0}
.card{font-size:13px}
h2{font-size:12px;font-weight:600;letter-spacing:.04em;text-transform:uppercase;color:var(--quiet)}
.big{font-size:28px;line-height:1.25;font-weight:600;letter-spacing:-.02em;font-variant-numeric:tabular-nums;margin:4px 0 8px;display:flex;flex-wrap:wrap;align-items:baseline;gap:0 10px}
.big .quiet{font-size:13px;letter-spacing:0}
.card .bar{width:100%;max-width:280px;margin:2px 0 4px -6px}
.share{display:block;width:100%;height:10px;border-radius:5px;margin:6px 0 10px;background:var(--sunk)}
rect.pass{fill:var(--pass)}rect.fail{fill:var(--fail)}rect.infra{fill:var(--base)}rect.missing{fill:var(--line)}
.legend{display:flex;flex-wrap:wrap;gap:2px 16px}
.legend li::before{content:"";display:inline-block;width:8px;height:8px;border-radius:2px;margin-right:6px;background:var(--line)}
.legend .pass::before{background:var(--pass)}.legend .fail::before{background:var(--fail)}.legend .infra::before{background:var(--base)}
.plain{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
.plain th,.plain td{text-align:right;padding:3px 0 3px 8px;font-weight:400;white-space:nowrap}.plain th:first-child{text-align:left;padding-left:0}
.plain thead th{color:var(--quiet);font-size:12px}.plain .more{color:var(--warn)}.plain .less{color:var(--pass)}.plain .level{color:var(--quiet)}

.tools{display:none;position:sticky;top:0;z-index:5;margin:22px -24px 0;padding:10px 24px;background:color-mix(in srgb,var(--page) 92%,transparent);backdrop-filter:blur(8px);gap:8px;flex-wrap:wrap;align-items:center}
.js .tools{display:flex}
.tools input,.tools select,.tools button,.run{font:inherit;font-size:14px;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:9px;padding:6px 11px;min-height:36px}
.tools input{flex:1 1 200px;min-width:0}
.tools select{max-width:170px}
.tools button,.run{cursor:pointer}.tools button:hover,.run:hover{border-color:var(--quiet)}
.tools output{font-size:13px;color:var(--quiet);margin-left:auto;white-space:nowrap}

.tablewrap{background:var(--card);border:1px solid var(--line);border-radius:14px;box-shadow:var(--shadow);overflow:hidden;margin-top:12px}
.tasks{width:100%;border-collapse:collapse}
.tasks th{font-size:12px;font-weight:500;color:var(--quiet);text-align:left;padding:11px 12px 9px;border-bottom:1px solid var(--line)}
.tasks td{padding:10px 12px;border-bottom:1px solid var(--line);vertical-align:middle}
.tasks tr:last-child td{border-bottom:0}
.tasks th:first-child,.tasks td:first-child{padding-left:20px}
.tasks td .quiet{display:block;font-size:12.5px;line-height:1.4}
.tasks .name a{font-weight:550;color:var(--ink);text-decoration:none;margin-right:6px}.tasks .name a:hover{text-decoration:underline}
.tasks .figure{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.tasks th.figure{text-align:right}
.tasks .now{font-weight:600}.tasks tr.regressed .now{color:var(--fail)}
.tasks .cause{font-size:13.5px;max-width:300px}
.tasks .chart{width:204px}
.axis{display:flex;justify-content:space-between;width:180px;padding:0 0 0 2px}
.bar{display:block;width:180px;height:auto;overflow:visible}
.bar .tick{stroke:var(--line);stroke-width:1;stroke-dasharray:1 3}.bar .edge{stroke:var(--line);stroke-width:1}
.bar .reach{stroke-width:4;stroke-linecap:round;opacity:.38}
.bar .base{stroke:var(--base);fill:var(--base)}.bar .head{stroke:var(--accent);fill:var(--accent)}
.bar circle{stroke:none}
.regressed .bar .head,.verdict-fail .card .bar .head{stroke:var(--fail);fill:var(--fail)}.suspect .bar .head{stroke:var(--warn);fill:var(--warn)}.improved .bar .head{stroke:var(--pass);fill:var(--pass)}
.pill{display:inline-block;font-size:12.5px;font-weight:600;line-height:1;padding:5px 10px;border-radius:99px;background:var(--sunk);color:var(--quiet);white-space:nowrap}
.pill.regressed{background:var(--fail-tint);color:var(--fail)}.pill.suspect,.pill.unmeasured{background:var(--warn-tint);color:var(--warn)}
.pill.improved{background:var(--pass-tint);color:var(--pass)}.pill.new,.pill.changed{background:var(--note-tint);color:var(--note)}
.tag{display:inline-block;font-size:11.5px;line-height:1;padding:3px 6px;border-radius:5px;background:var(--sunk);color:var(--quiet);margin-right:6px;vertical-align:1px}
.class{background:var(--sunk);border-radius:5px;padding:1px 6px}

summary{cursor:pointer;list-style:none}summary::-webkit-details-marker{display:none}
.sections{margin-top:26px;display:grid;gap:10px}
.sections>h2{margin:0 0 2px 4px}
.task{background:var(--card);border:1px solid var(--line);border-radius:14px;box-shadow:var(--shadow);scroll-margin-top:4.5rem;content-visibility:auto;contain-intrinsic-size:auto 56px}
.task>summary{display:flex;flex-wrap:wrap;gap:6px 12px;align-items:center;padding:14px 48px 14px 20px;position:relative;border-radius:14px}
.task>summary::after,.trial>summary::after{content:"";position:absolute;right:22px;top:50%;width:8px;height:8px;margin-top:-6px;border:solid var(--quiet);border-width:0 2px 2px 0;transform:rotate(45deg)}
.task[open]>summary::after,.trial[open]>summary::after{transform:rotate(225deg);margin-top:-2px}
.task>summary:hover,.trial>summary:hover{background:color-mix(in srgb,var(--sunk) 55%,transparent)}
.task.current{outline:2px solid var(--accent);outline-offset:2px}
.task h3{font-size:16px;font-weight:600;letter-spacing:-.01em}
.task>.body{padding:2px 20px 20px;display:grid;gap:12px;min-width:0}
.task>.body>*{min-width:0}
.why{font-size:15.5px;max-width:75ch}
blockquote{border-left:3px solid var(--line);padding:2px 0 2px 14px;max-width:80ch;white-space:pre-wrap}
blockquote .quiet{display:block;font-size:12.5px}
h4{font-size:13.5px;font-weight:600;margin-top:8px}h5{font-size:12px;font-weight:500;color:var(--quiet);margin:0 0 4px}
.gallery{display:grid;gap:18px}.gallery.pair{grid-template-columns:1fr 1fr}.gallery>div{min-width:0}
.strip{display:flex;gap:12px;overflow-x:auto;padding:8px 2px 10px;scroll-snap-type:x proximity}
.strip figure{flex:none;width:min(400px,86%);scroll-snap-align:start}
.strip figure:only-child{width:100%;max-width:560px}
.gallery.pair .strip figure{width:min(400px,100%)}
.strip img{display:block;width:100%;height:auto;border:1px solid var(--line);border-radius:8px;background:#fff}
.js .strip img{cursor:zoom-in}
figcaption{font-size:12.5px;color:var(--quiet);margin-top:4px}
.trial{border:1px solid var(--line);border-radius:10px;scroll-margin-top:4.5rem}
.trial>summary{position:relative;padding:9px 48px 9px 14px;display:flex;flex-wrap:wrap;gap:4px 10px;align-items:center;border-radius:10px;font-size:14px}
.trial>.body{padding:2px 16px 16px;display:grid;gap:8px;min-width:0}.trial>.body>*{min-width:0}
.mark{flex:none;display:inline-grid;place-items:center;width:20px;height:20px;border-radius:50%;font-size:12px;font-weight:700;background:var(--sunk);color:var(--quiet)}
.mark.pass{background:var(--pass-tint);color:var(--pass)}.mark.fail{background:var(--fail-tint);color:var(--fail)}.mark.infra{background:var(--warn-tint);color:var(--warn)}
.detail{font-weight:500}
.checks{display:grid;gap:10px;padding:4px 0}.checks>li{display:flex;gap:10px}.checks>li>div{min-width:0;flex:1}
.checks p{margin:1px 0 4px}.checks .skipped{opacity:.7}
.checks code{margin-right:8px}
.checks dl,.conditions dl{display:grid;gap:2px;font-size:13.5px}
dl>div{display:grid;grid-template-columns:84px 1fr;gap:10px;align-items:baseline}dt{color:var(--quiet)}
.checks dd{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12.5px;white-space:pre-wrap}
.items{margin-top:5px;font-size:13.5px;display:grid;gap:2px}.items li{display:flex;gap:8px}.items .unmet>span:first-child{color:var(--fail)}.items .met>span:first-child{color:var(--pass)}
.steps{counter-reset:step;font-size:14px;border-left:2px solid var(--line);margin-left:9px}
.steps li{counter-increment:step;position:relative;padding:3px 0 3px 22px}
.steps li::before{content:counter(step);position:absolute;left:-11px;top:5px;width:20px;height:20px;border-radius:50%;background:var(--card);border:2px solid var(--line);font:600 10.5px/16px system-ui;text-align:center;color:var(--quiet)}
.steps .no_match,.steps .failed{color:var(--warn)}.steps .sent::before{border-color:var(--pass);color:var(--pass)}
.versus{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:14px}.versus>div{min-width:0}
.calls{display:grid;gap:8px}.calls p{font-size:13.5px;margin-bottom:4px}.reason{color:var(--fail)}
.fold>summary,.tool>summary{font-size:13.5px;font-weight:550;padding:5px 0;color:var(--ink)}
.fold>summary::before,.tool>summary::before{content:"▸";display:inline-block;width:12px;margin-right:5px;text-align:center;line-height:1;color:var(--quiet);transition:transform .12s}
.fold[open]>summary::before,.tool[open]>summary::before{transform:rotate(90deg)}
.transcript{display:grid;gap:12px;border-left:2px solid var(--line);padding-left:16px;margin:6px 0}
.transcript .user pre{background:var(--note-tint)}
.tool{background:var(--sunk);border-radius:8px;padding:2px 12px;margin-top:6px}.tool pre{background:var(--card);margin-bottom:8px}.tool.error>summary{color:var(--fail)}
iframe{display:none}.js iframe{display:block}
iframe{width:100%;height:520px;border:1px solid var(--line);border-radius:8px;background:#fff;margin-top:6px;resize:vertical;color-scheme:light}
.requests{font-size:13px;display:grid;gap:2px}
.conditions{display:grid;grid-template-columns:1fr 1fr;gap:14px;margin-top:26px}.conditions h2{margin-bottom:8px}
footer{color:var(--quiet);font-size:12.5px;padding-bottom:36px}
kbd{border:1px solid var(--line);border-bottom-width:2px;border-radius:5px;padding:0 5px;background:var(--card)}
.keys{display:none}.js .keys{display:flex;flex-wrap:wrap;gap:6px 16px}
[hidden]{display:none!important}
dialog{border:0;padding:0;background:transparent;max-width:96vw;max-height:94vh;text-align:center}
dialog::backdrop{background:rgb(10 10 14/.82)}
dialog img{max-width:96vw;max-height:86vh;border-radius:8px;background:#fff}
dialog p{color:#ddd;font-size:13px;margin-top:8px}
@media (max-width:860px){.cards,.conditions{grid-template-columns:1fr}.gallery.pair{grid-template-columns:1fr}}
@media (max-width:720px){
  main,footer{padding-left:14px;padding-right:14px}main{padding-top:14px}
  .tools{margin:16px -14px 0;padding:8px 14px;position:static}.tools input{flex-basis:100%}.tools select{flex:1 1 28%;min-width:0;max-width:none;padding:6px 4px}.tools output{margin-left:0}
  .verdict{padding:16px 16px 16px 20px}h1{font-size:18px;gap:10px}.sign{width:32px;height:32px;font-size:16px}
  .tasks thead{position:absolute;left:-9999px}
  .tasks,.tasks tbody{display:block}
  .tasks tr{display:flex;flex-wrap:wrap;align-items:center;gap:4px 16px;padding:12px 14px;border-bottom:1px solid var(--line)}
  .tasks tr:last-child{border-bottom:0}
  .tasks td,.tasks td:first-child{padding:0;border:0}
  .tasks .name{flex:1 1 55%;min-width:0}.tasks .status{margin-left:auto}
  .tasks .chart{flex:0 0 100%;width:100%}.tasks .chart .bar{width:100%;max-width:340px;margin-left:-6px}
  .tasks .figure{text-align:left;white-space:normal}.tasks .figure::before{content:attr(data-label) " ";color:var(--quiet);font-weight:400;font-size:12.5px}
  .tasks .figure .quiet{display:inline;margin-left:6px}
  .tasks .cause{flex:0 0 100%;max-width:none}.tasks .cause:empty{display:none}
  .task>summary{padding-left:14px}.task>.body{padding:2px 14px 14px}.trial>.body{padding:2px 10px 12px}
  dl>div{grid-template-columns:68px 1fr}
  iframe{height:420px}
}
@media print{.tools,.keys{display:none!important}.task{break-inside:avoid;content-visibility:visible}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
`
