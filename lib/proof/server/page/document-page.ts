import 'server-only';
import { createHash } from 'node:crypto';
import { html as h, raw } from 'hono/html';
import type { Basemap } from '@/lib/geo/base-map/basemap';
import { toBlocks, type ProofDocument } from '../../document';
import { KIND_LABELS, documentTimeText, mcText } from '../../text';
import { renderBlocks, type Html } from './blocks-html';
import { PROOF_STYLE } from './style';

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The policy of a page of documents: it loads nothing, and runs no script but its own. */
export const toProofPolicy = (script: string | null): string =>
  [
    "default-src 'none'",
    `style-src ${hash(PROOF_STYLE)}`,
    ...(script === null ? [] : [`script-src ${hash(script)}`]),
    'img-src data:',
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** A document by which no icon is asked for. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Cpath fill='%23098655' d='M12 1 3 5v6c0 6 4 10 9 12 5-2 9-6 9-12V5Zm-2 15-4-4 2-2 2 2 5-5 2 2Z'/%3E%3C/svg%3E";

/** A page of its own, without anything of the application. */
export const renderPage = ({
  title,
  main,
  script = null,
}: {
  title: string;
  main: Html;
  script?: string | null;
}): string =>
  h`<!doctype html>
<html lang="en-US"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow,noarchive"><meta name="format-detection" content="telephone=no"><link rel="icon" href="${raw(ICON)}"><style>${raw(PROOF_STYLE)}</style></head><body><div class="page">${main}</div>${script === null ? '' : h`<script>${raw(script)}</script>`}</body></html>
`.toString();

/** What is so of every document, and stands at its head in page and PDF. */
export const toHeadFacts = ({ number, revision, issuer, issuedMs, knownMs, revises }: ProofDocument) => [
  { label: 'Document', value: number },
  {
    label: 'Revision',
    value: String(revision),
    ...(revises !== null && {
      note: `It takes the place of revision ${revises}, which stays as it was issued.`,
    }),
  },
  {
    label: 'Issued by',
    value: `${issuer.carrier}, USDOT ${issuer.usdot}${issuer.mc === null ? '' : `, ${mcText(issuer.mc)}`}`,
    ...(issuer.installation !== '' && { note: `with Linehaul at ${issuer.installation}` }),
  },
  { label: 'Issued', value: documentTimeText(issuedMs) },
  {
    label: 'By what was known',
    value: documentTimeText(knownMs),
    note: 'What became known later is not in it.',
  },
];

/** A document with its head, as the page and the page that verifies it show it. */
export const renderDocument = (map: Basemap, content: ProofDocument): Html =>
  h`${renderBlocks(map, [{ type: 'facts', facts: toHeadFacts(content) }, ...toBlocks(content)])}`;

/** The page of a document. */
export const renderDocumentPage = (
  map: Basemap,
  { content, newest, kid }: { content: ProofDocument; newest: number; kid: string },
): string => {
  const { number, revision, kind } = content;
  const at = `/d/${number}?revision=${revision}`;
  const others = Array.from({ length: newest }, (_, i) => i + 1).filter((each) => each !== revision);
  return renderPage({
    title: `${KIND_LABELS[kind]} ${number}`,
    main: h`<main><header class="head"><p class="eye">${content.issuer.carrier}</p><h1>${KIND_LABELS[kind]}</h1></header>${
      revision < newest
        ? h`<p class="delay">Revision ${newest} takes the place of this one. <a class="act" href="/d/${number}">Show revision ${newest}</a></p>`
        : ''
    }<nav class="acts" aria-label="Downloads"><a href="${at}&amp;as=pdf">PDF on Letter</a><a href="${at}&amp;as=pdf&amp;paper=a4">PDF on A4</a><a href="${at}&amp;as=json">Signed JSON</a>${others.map(
      (each) => h`<a href="/d/${number}?revision=${each}">Revision ${each}</a>`,
    )}</nav>${renderDocument(map, content)}<div class="seal"><p>Signed with key ${kid}.</p><p>Anyone can check it by its PDF or its signed JSON, here or with a program of their own.</p><p><a class="act" href="/verify">Check a document</a></p></div></main>`,
  });
};

/** The page where nothing is shown, which is the same for a number that no document has. */
export const renderNotice = (heading: string, text: string): string =>
  renderPage({
    title: heading,
    main: h`<main><div class="only"><h1>${heading}</h1><p>${text}</p></div></main>`,
  });
