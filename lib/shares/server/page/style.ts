import 'server-only';

/** The style of a customer's page. Colors are those of app/theme.css; a test compares them. */
export const STYLE = `
:root{color-scheme:light dark;--ground:#f4f6f9;--surface:#fff;--line:#e2e7ee;--text:#17212e;--dim:#566579;--accent:#1864ab;--moving:#098655;--stopped:#5b6b80;--late:#b56d00;--silent:#c8431e;--unknown:#64748b;--good:#08794c;--warn:#8f5b00;--bad:#b93a17;--water:#cfdde8;--land:#f7f8f6;--far:#ecefec;--road:#e2bf94;--edge:#c9d2dc;--county:#e6eaee}
@media screen and (prefers-color-scheme:dark){:root{--ground:#11161d;--surface:#171d26;--line:#273140;--text:#e6ebf2;--dim:#99a7bb;--accent:#63a9ee;--moving:#2dbd7f;--stopped:#7f93ad;--late:#f0a92b;--silent:#e8663d;--unknown:#8d9bb0;--good:#2dbd7f;--warn:#f0a92b;--bad:#ef7b54;--water:#0d1219;--land:#1b232e;--far:#161d26;--road:#6b6046;--edge:#465463;--county:#242e3a}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans',Arial,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:break-word;-webkit-text-size-adjust:100%;text-size-adjust:100%}
p,h1,h2,h3,ul,ol,dl,dd,figure{margin:0;padding:0}
ul,ol{list-style:none}
.page{max-width:640px;min-height:100vh;margin:0 auto;background:var(--surface);display:flex;flex-direction:column}
main{flex:1;display:flow-root}
.head{padding:14px 18px 12px}
.eye,.arr p,.t,.note,.kind,.age,footer,.asof{color:var(--dim)}
.eye{font-size:14px}
h1{font-size:22px;line-height:1.25;text-wrap:balance}
h2{font-size:12px;letter-spacing:.06em;text-transform:uppercase;color:var(--dim);padding:18px 18px 6px}
article h2{font-size:17px;letter-spacing:0;text-transform:none;color:var(--text);padding-bottom:4px}
h3{font-size:12px;letter-spacing:.06em;text-transform:uppercase;color:var(--dim);padding:14px 18px 4px}
figure{background:var(--water)}
figcaption,.credit{padding:2px 8px;background:var(--surface);color:var(--dim);font-size:11px;text-align:right}
svg{display:block;width:100%;height:auto}
.arr{padding:14px 18px 4px}
.arr p{font-size:15px}
.arr .big{font-size:30px;line-height:1.2;font-weight:700;color:var(--text);padding:2px 0 4px;text-wrap:balance}
.arr .big.dim{font-size:22px;color:var(--dim)}
.arr .ver{font-size:17px;font-weight:650;padding-top:2px}
.good,.arr .good{color:var(--good)}.warn,.arr .warn{color:var(--warn)}.bad,.arr .bad{color:var(--bad)}
.rows{padding:8px 18px 0}
.rows li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 16px;padding:10px 0;border-top:1px solid var(--line)}
.rows b,.rows span{flex:0 1 auto}
.was{color:var(--dim)}
.note{font-size:13px;padding:2px 18px 6px}
.delay{margin:12px 18px 0;padding:8px 12px;border:1px solid var(--line);border-left:4px solid var(--late);border-radius:4px}
.none{padding:14px 18px}
dl{padding:0 18px}
dl div{display:flex;justify-content:space-between;gap:16px;padding:10px 0;border-top:1px solid var(--line)}
dt{color:var(--dim)}dd{text-align:right;min-width:0;overflow-wrap:anywhere}
.stops{padding:0 18px}
.stops li{display:flex;gap:12px;padding:8px 0}
.stops div{min-width:0}
.dot{flex:none;width:20px;height:20px;margin-top:2px;border:2px solid var(--dim);border-radius:50%;font-size:12px;line-height:16px;text-align:center}
.done .dot{background:var(--dim);color:var(--surface)}
.here .dot{border:6px solid var(--moving)}
.passed .dot{border-style:dotted}
.kind{font-size:14px}
.t{font-size:14px}
article{border-top:6px solid var(--ground)}
.num{display:inline-block;min-width:24px;padding:0 6px;border-radius:12px;background:var(--text);color:var(--surface);font-size:14px;line-height:24px;text-align:center}
.ended p{padding:0 18px 16px;color:var(--dim)}
.only{padding:48px 18px;text-wrap:pretty}
.only p{margin-top:8px;color:var(--dim)}
.end{margin-top:12px;padding:14px 18px 8px;border-top:1px solid var(--line);font-size:14px;color:var(--dim)}
#net{position:sticky;top:0;z-index:1;padding:8px 18px;background:var(--bad);color:var(--surface);font-size:14px}
#net:empty{padding:0}#net.said{position:absolute;width:1px;height:1px;padding:0;overflow:hidden;clip-path:inset(50%)}
button{margin-top:16px;min-height:44px;padding:0 18px;border:0;border-radius:6px;background:var(--accent);color:var(--surface);font:inherit;font-weight:650}
label{display:block;font-weight:650}input{width:100%;min-height:52px;margin-top:6px;padding:0 12px;border:1px solid var(--dim);border-radius:6px;background:var(--surface);color:var(--text);font:inherit;font-size:22px}
input:focus-visible,button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.ask{max-width:640px;padding:20px 18px}.ask .bad{color:var(--bad)}
.check{padding:20px 18px;border-left:10px solid;background:var(--ground)}.check p{color:var(--text)}.check h1{font-size:30px}.check .big{font-size:20px;padding:4px 0}.sheet{display:none}
footer{padding:0 12px 12px;font-size:14px}
nav{display:flex;flex-wrap:wrap}
nav a{display:inline-flex;align-items:center;min-height:44px;min-width:44px;padding:0 8px;color:var(--accent)}
nav a[aria-current]{color:var(--dim);text-decoration:none;font-weight:650}
a:focus-visible{outline:2px solid var(--accent);outline-offset:-2px;border-radius:4px}
.fa{fill:var(--far)}.la{fill:var(--land);stroke:var(--edge);stroke-width:1.6}.wa{fill:var(--water)}
.se,.bo,.ri,.co,.st,.ro,.rc,.wy,.tl,.tc{fill:none;stroke-linejoin:round;stroke-linecap:round}
.se{stroke:var(--far);stroke-width:4}.bo{stroke:var(--edge);stroke-width:1.6}.ri{stroke:var(--water);stroke-width:2.5}.co{stroke:var(--county);stroke-width:1.5}.st{stroke:var(--edge);stroke-width:2.6}
.rc{stroke:var(--land);stroke-width:9}.ro{stroke:var(--road);stroke-width:4.5}
svg text{font-size:23px;dominant-baseline:central;fill:var(--text);paint-order:stroke;stroke:var(--land);stroke-width:5px;stroke-linejoin:round}
.pl{fill:var(--dim)}.pl text{fill:var(--dim)}.more{display:none}
.sh rect{fill:var(--surface);stroke:var(--road);stroke-width:1.2}.sh text{font-size:11px;text-anchor:middle;stroke:none}.sh>*{transform:scale(1.9)}
.wy{stroke:var(--accent);stroke-width:4;stroke-dasharray:2 11}
.tc{stroke:var(--land);stroke-width:11}.tl{stroke:var(--accent);stroke-width:6}
.sp{fill:var(--surface);stroke:var(--dim);stroke-width:4}.nx{stroke:var(--text);stroke-width:6}
svg .sn{font-weight:700;font-size:25px}
.gl{transform:scale(2.1)}.gl circle{fill:var(--surface);stroke:var(--text);stroke-width:1.6}
.gl path{stroke-linejoin:round;stroke-linecap:round;stroke-width:1.2}
.g-moving{fill:var(--moving);stroke:var(--moving)}.g-stopped{fill:var(--stopped);stroke:var(--stopped)}.g-plain{fill:var(--accent)}
.gl .g-late,.gl .g-silent,.gl .g-unknown{fill:var(--surface);stroke-width:2.2}.g-late{stroke:var(--late)}.g-silent{stroke:var(--silent)}.g-unknown{stroke:var(--unknown);stroke-dasharray:.01 3.39}
.ar{fill:var(--accent);fill-opacity:.18;stroke:var(--accent);stroke-width:3}
.n circle{fill:var(--text)}.n text{fill:var(--surface);stroke:none;text-anchor:middle;font-weight:700;font-size:12px}.n>*{transform:scale(1.9)}
@media screen and (min-width:900px){
body{padding:20px}
.page{max-width:1240px;min-height:0;border:1px solid var(--line);border-radius:12px}
main{display:grid;grid-template-columns:minmax(0,1fr) 400px;grid-template-rows:auto 1fr;align-content:start}
.head{grid-column:1/-1}
figure{align-self:start;position:sticky;top:0}
.body{border-left:1px solid var(--line)}
main:not(:has(figure)){display:block}
.more{display:inline}
svg text{font-size:13px;stroke-width:3px}svg .sn{font-size:15px}
.sh>*{transform:scale(1)}.sh text{font-size:11px}.n>*{transform:scale(1)}.n text{font-size:12px}.gl{transform:scale(1.35)}
.ro{stroke-width:3}.rc{stroke-width:5.5}.st{stroke-width:1.6}.tl{stroke-width:4}.tc{stroke-width:7}.wy{stroke-width:3}
.sp{stroke-width:3}
}
@page{margin:14mm}
@media print{
body{background:#fff;font-size:11pt}
.page{display:block;max-width:none;min-height:0}
h2,h3{break-after:avoid}
nav,#net,.live,.ask form{display:none}
.sheet{display:block;padding:0 18px}.sheet svg{width:60mm}
figure{max-width:115mm;margin:0 18px;border:1px solid #bbb;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.arr .ver{color:#000}
article,.stops li,.arr,figure{break-inside:avoid}
article{border-top:1px solid #000}
:root{--text:#000;--dim:#333;--line:#bbb}
}
`;
