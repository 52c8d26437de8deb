import 'server-only';
import { STYLE } from '@/lib/shares/server/page/style';

/** The style of documents and of the page that verifies them: that of customers' pages, and what these have besides. */
export const PROOF_STYLE = `${STYLE}
.page{max-width:860px}
main{display:block!important}
.sum{padding-top:6px;font-size:18px}.sum b{font-size:26px;line-height:1.2}
dl div{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,2.4fr)}
dd{text-align:left}
h2{font-size:15px;letter-spacing:0;text-transform:none;color:var(--text);padding:20px 18px 6px}
.par{padding:6px 18px}
dd small{display:block;color:var(--dim);font-size:13px}
.wide{overflow-x:auto;margin:8px 18px}
.wide:focus-visible{outline:2px solid var(--accent)}
table{border-collapse:collapse;width:100%;font-size:14px}
caption{text-align:left;color:var(--dim);font-size:13px;padding:0 0 4px}
th,td{padding:6px 10px 6px 0;border-top:1px solid var(--line);text-align:left;vertical-align:top}
th{color:var(--dim);font-weight:600}
@media (min-width:640px){td:not(:last-child){white-space:nowrap}}
figure{position:static!important;margin:10px 18px;max-width:560px;border:1px solid var(--line)}
figcaption{text-align:left;font-size:13px;padding:6px 8px}
.fx{fill:var(--accent)}.bar{fill:none;stroke:var(--text);stroke-width:2}
.acts{display:flex;flex-wrap:wrap;gap:0 8px;padding:4px 10px}
.acts a,.act{display:inline-flex;align-items:center;min-height:44px}
.acts a,.act,.seal a{color:var(--accent)}
.seal{margin:16px 18px;padding:10px 14px;border:1px solid var(--line);border-radius:6px;font-size:14px}
.seal p{padding:3px 0;overflow-wrap:anywhere}
.verdict{margin:12px 18px;padding:12px 14px;border:2px solid var(--good);border-radius:6px}
.verdict.no{border-color:var(--bad)}
.verdict h2{padding:0 0 6px;font-size:18px}
.verdict p,.verdict li{padding:3px 0}
.verdict ul{list-style:disc;padding-left:20px}
form{padding:8px 18px}
label{display:block;font-weight:600;padding:6px 0 4px;text-wrap:balance}
input[type=text],textarea{width:100%;min-height:44px;padding:8px 10px;border:1px solid var(--dim);border-radius:6px;background:var(--surface);color:var(--text);font:inherit}
textarea{min-height:120px;font:13px/1.4 ui-monospace,monospace}
input:focus-visible,textarea:focus-visible,button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
input[type=file]{min-height:44px;max-width:100%;padding:7px 10px;color:var(--text);font:inherit}
input[type=file]::file-selector-button{min-height:28px;margin-right:10px;padding:0 10px;border:1px solid var(--dim);border-radius:6px;background:var(--surface);color:var(--text);font:inherit}
.hint{color:var(--dim);font-size:14px;padding:2px 0}
.drop{margin:8px 18px;padding:16px;border:2px dashed var(--dim);border-radius:8px}
.drop.over{border-color:var(--accent)}
@media print{.acts,form,.drop,.noprint{display:none}table{font-size:9pt}.wide{overflow:visible}thead{display:table-header-group}tr,figure,.seal,dl div{break-inside:avoid}}
`;
