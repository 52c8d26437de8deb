import { createHash } from 'node:crypto';

const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f4f6f8; --line: #d5dbe1; --text: #17212b; --quiet: #52606d;
  --link: #0b5cad; --get: #0b6b3a; --post: #8a4b00; --code: #f0f3f6;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #11171d; --raised: #19212a; --line: #303b46; --text: #e4e9ee; --quiet: #a3b0bc;
    --link: #7fb8f0; --get: #6fd39a; --post: #f0b266; --code: #1d2731;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
a { color: var(--link); text-underline-offset: 0.15em; }
a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; padding: 0.5rem 1rem; background: var(--raised); z-index: 1; }
.frame { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 78rem; margin: 0 auto; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 2rem 1.25rem; }
nav h2 { margin: 1.5rem 0 0.25rem; font-size: 0.8rem; letter-spacing: 0.04em; text-transform: uppercase; color: var(--quiet); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: 0.2rem 0; text-decoration: none; color: var(--text); font-size: 0.94rem; }
nav a:hover { text-decoration: underline; }
nav .name { font-weight: 650; font-size: 1.05rem; }
main { padding: 2rem 1.5rem 6rem; border-left: 1px solid var(--line); }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; letter-spacing: -0.01em; }
main h2 { margin: 3.5rem 0 0.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.45rem; }
h3 { margin: 2.75rem 0 0.25rem; font-size: 1.15rem; }
h4 { margin: 1.5rem 0 0.35rem; font-size: 0.9rem; color: var(--quiet); }
p { max-width: 44rem; margin: 0.6rem 0; }
.facts { color: var(--quiet); margin: 0.35rem 0 1.25rem; }
.line {
  display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: baseline; margin: 0.5rem 0;
  padding: 0.55rem 0.9rem; background: var(--raised); border: 1px solid var(--line); border-radius: 8px;
  font-family: var(--mono); font-size: 0.95rem; overflow-wrap: anywhere;
}
.method { font-weight: 700; }
.method.get { color: var(--get); }
.method.post { color: var(--post); }
code, pre { font-family: var(--mono); font-size: 0.875em; }
code { background: var(--code); padding: 0.1em 0.35em; border-radius: 4px; overflow-wrap: anywhere; }
pre { margin: 0.35rem 0; padding: 0.9rem 1rem; background: var(--code); border-radius: 8px; overflow-x: auto; line-height: 1.5; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.94rem; }
th, td { padding: 0.45rem 1rem 0.45rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { font-size: 0.82rem; color: var(--quiet); font-weight: 600; }
tbody th { font-weight: 400; white-space: nowrap; }
td:last-child { min-width: 14rem; }
tr:has(:target) { background: var(--raised); }
@media (max-width: 52rem) {
  .frame { display: block; }
  nav { position: static; max-height: none; padding: 1.25rem 1.25rem 0; border-bottom: 1px solid var(--line); }
  nav .name { display: none; }
  nav h2:first-of-type { margin-top: 0; }
  nav ul { padding-bottom: 0.5rem; }
  main { border-left: 0; padding: 1.5rem 1.25rem 4rem; }
}
`;

/** In one piece: the policy below names the hash of exactly these characters. */
export const STYLE_ELEMENT = `<style>${STYLE}</style>`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The page loads nothing, runs nothing, and may not be framed. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
