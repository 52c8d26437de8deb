import 'server-only';
import { createHash } from 'node:crypto';
import { html as h, raw } from 'hono/html';
import { LANGUAGES, LANGUAGE_NAMES, toTranslate, type Language } from '@/lib/catalog/catalog';
import type { Reader } from '@/lib/catalog/reader';
import type { Basemap } from '@/lib/geo/base-map/basemap';
import type { DocumentKind } from '../../content';
import { moneyText } from '../../detention-text';
import { toBlocks, type ProofDocument } from '../../document';
import { documentTimeText, mcText } from '../../text';
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

/** Texts of a document that are in English, on a page in another language. */
export const ENGLISH = 'en-US';

const renderLanguages = (shown: Language, query: string): Html =>
  h`<footer><nav class="noprint" aria-label="${toTranslate(shown)('languages')}">${LANGUAGES.map(
    (language) =>
      h`<a href="?${query}lang=${language}" lang="${language}" hreflang="${language}"${language === shown ? raw(' aria-current="true"') : ''}>${LANGUAGE_NAMES[language]}</a>`,
  )}</nav></footer>`;

/** A page of its own, without anything of the application. `query`: what its address keeps in another language, such as "revision=2&". */
export const renderPage = (
  { language, locale }: Reader,
  {
    title,
    main,
    script = null,
    query = '',
  }: { title: string; main: Html; script?: string | null; query?: string },
): string =>
  h`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow,noarchive"><meta name="format-detection" content="telephone=no"><link rel="icon" href="${raw(ICON)}"><style>${raw(PROOF_STYLE)}</style></head><body><div class="page">${main}${renderLanguages(language, query)}</div>${script === null ? '' : h`<script>${raw(script)}</script>`}</body></html>
`.toString();

/** What is so of every document, and stands at its head in page and PDF. */
export const toHeadFacts = (
  { number, revision, issuer, issuedMs, knownMs, revises }: ProofDocument,
  { language, locale }: Pick<Reader, 'language' | 'locale'>,
) => {
  const translate = toTranslate(language);
  return [
    { label: translate('doc.number'), value: number },
    {
      label: translate('doc.revision'),
      value: String(revision),
      ...(revises !== null && { note: translate('doc.revises', { revision: revises }) }),
    },
    {
      label: translate('doc.issuedBy'),
      value: `${issuer.carrier}, USDOT ${issuer.usdot}${issuer.mc === null ? '' : `, ${mcText(issuer.mc)}`}`,
      ...(issuer.installation !== '' && {
        note: translate('doc.installation', { address: issuer.installation }),
      }),
    },
    { label: translate('doc.issued'), value: documentTimeText(issuedMs, 'UTC', locale) },
    {
      label: translate('doc.known'),
      value: documentTimeText(knownMs, 'UTC', locale),
      note: translate('doc.known.note'),
    },
  ];
};

/** The title of a kind of document. */
export const toKindText = (kind: DocumentKind, { language }: Pick<Reader, 'language'>): string =>
  toTranslate(language)(
    kind === 'detention-statement' ? 'doc.detention-statement' : 'doc.position-certificate',
  );

/** What the eye is to find first: the amount of a statement, and what it is for. */
const renderSummary = ({ subject }: ProofDocument): Html | '' =>
  'billing' in subject
    ? h`<p class="sum" lang="${ENGLISH}"><b>${moneyText(subject.billing.amountCents)}</b> · ${subject.truck.name} · ${subject.place.name}</p>`
    : '';

/** A document with its head, as the page and the page that verifies it show it. */
export const renderDocument = (map: Basemap, content: ProofDocument, reader: Reader): Html => {
  const translate = toTranslate(reader.language);
  const isEnglish = reader.language === 'en';
  return h`${renderBlocks(map, [{ type: 'facts', facts: toHeadFacts(content, reader) }])}${
    isEnglish ? '' : h`<p class="note">${translate('proof.language')}</p>`
  }${renderBlocks(map, toBlocks(content, translate), isEnglish ? null : ENGLISH)}`;
};

/** The page of a document. */
export const renderDocumentPage = (
  map: Basemap,
  { content, newest, kid }: { content: ProofDocument; newest: number; kid: string },
  reader: Reader,
): string => {
  const translate = toTranslate(reader.language);
  const { number, revision, kind } = content;
  const at = `/d/${number}?revision=${revision}`;
  const lang = reader.language;
  const others = Array.from({ length: newest }, (_, i) => i + 1).filter((each) => each !== revision);
  const heading = toKindText(kind, reader);
  return renderPage(reader, {
    title: `${heading} ${number}`,
    query: revision < newest ? `revision=${revision}&` : '',
    main: h`<main><header class="head"><p class="eye">${content.issuer.carrier}</p><h1>${heading}</h1>${renderSummary(content)}</header>${
      revision < newest
        ? h`<p class="delay">${translate('proof.newer', { revision: newest })} <a class="act" href="/d/${number}?lang=${lang}">${translate('proof.newer.show', { revision: newest })}</a></p>`
        : ''
    }<nav class="acts" aria-label="${translate('proof.downloads')}"><a href="${at}&amp;as=pdf">${translate('proof.pdf.letter')}</a><a href="${at}&amp;as=pdf&amp;paper=a4">${translate('proof.pdf.a4')}</a><a href="${at}&amp;as=json">${translate('proof.json')}</a>${others.map(
      (each) =>
        h`<a href="/d/${number}?revision=${each}&amp;lang=${lang}">${translate('proof.revision', { revision: each })}</a>`,
    )}</nav>${renderDocument(map, content, reader)}<div class="seal"><p>${translate('proof.key', { key: kid })}</p><p>${translate('proof.anyone')}</p><p><a class="act" href="/verify?lang=${lang}">${translate('verify.title')}</a></p></div></main>`,
  });
};

/** The page where nothing is shown, which is the same for a number that no document has. */
export const renderNotice = (reader: Reader, heading: string, text: string): string =>
  renderPage(reader, {
    title: heading,
    main: h`<main><div class="only"><h1>${heading}</h1><p>${text}</p></div></main>`,
  });
