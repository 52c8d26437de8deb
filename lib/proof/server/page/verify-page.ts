import 'server-only';
import { html as h } from 'hono/html';
import { toTranslate } from '@/lib/catalog/catalog';
import type { MessageKey } from '@/lib/catalog/messages/en';
import type { Reader } from '@/lib/catalog/reader';
import type { Basemap } from '@/lib/geo/base-map/basemap';
import type { ProofDocument } from '../../document';
import type { PublicKey } from '../../keys';
import { documentTimeText } from '../../text';
import type { Refusal, Verdict } from '../verify';
import type { Html } from './blocks-html';
import { renderDocument, renderPage, toKindText } from './document-page';
import { VERIFY_SCRIPT } from './script';

/** What the page says about what it was given. */
export type Outcome =
  | {
      kind: 'verdict';
      verdict: Verdict;
      /** The newest revision on record; null: it is not on record. */ newest: number | null;
    }
  /** The JSON of a document without a signature, of which none like it was issued here. */
  | { kind: 'not-issued' }
  /** A number by which nothing is shown. */
  | { kind: 'no-number' };

const renderProved = (
  content: ProofDocument,
  { key, newest }: { key: PublicKey; newest: number | null },
  reader: Reader,
): Html => {
  const translate = toTranslate(reader.language);
  const time = (ms: number): string => documentTimeText(ms, 'UTC', reader.locale);
  const { issuer, issuedMs, number, revision } = content;
  const kind = toKindText(content.kind, reader).toLocaleLowerCase(reader.locale);
  const { carrier, usdot } = issuer;
  const proved = [
    translate('verify.proved.issued', { carrier, usdot, kind, number, revision, moment: time(issuedMs) }),
    translate('verify.proved.unchanged'),
    key.untilMs === null
      ? ''
      : translate('verify.proved.key', { from: time(key.fromMs), to: time(key.untilMs) }),
    newest === null
      ? translate('verify.proved.noRecord')
      : newest > revision
        ? translate('verify.proved.newer', { revision: newest })
        : translate('verify.proved.newest'),
  ].filter((text) => text !== '');
  const notProved = [
    translate('verify.notProved.tracker'),
    translate('verify.notProved.clocks'),
    translate('verify.notProved.pdf'),
  ];
  const list = (texts: readonly string[]): Html => h`<ul>${texts.map((text) => h`<li>${text}</li>`)}</ul>`;
  return h`<div class="verdict" role="status"><h2>${translate('verify.proved.heading')}</h2><p><b>${translate('verify.proved')}</b></p>${list(proved)}<p><b>${translate('verify.notProved')}</b></p>${list(notProved)}</div>`;
};

const REFUSALS: Readonly<Record<Refusal, readonly [heading: MessageKey, text: MessageKey]>> = {
  unreadable: ['verify.unreadable', 'verify.unreadable.text'],
  'unknown-key': ['verify.unknown-key', 'verify.unknown-key.text'],
  changed: ['verify.changed', 'verify.changed.text'],
  differs: ['verify.differs', 'verify.differs.text'],
  'out-of-time': ['verify.out-of-time', 'verify.out-of-time.text'],
  revoked: ['verify.revoked', 'verify.revoked.text'],
};
const NOTHING = {
  'not-issued': ['verify.not-issued', 'verify.not-issued.text'],
  'no-number': ['verify.no-number', 'verify.no-number.text'],
} as const satisfies Record<string, readonly [heading: MessageKey, text: MessageKey]>;

/** A message without values, by a key that a table has. */
const sayOf = ({ language }: Reader, key: MessageKey): string => toTranslate(language)(key as 'verify.title');

const renderRefused = (
  verdict: Verdict & { isProved: false },
  newest: number | null,
  reader: Reader,
): Html => {
  const translate = toTranslate(reader.language);
  const [heading, text] = REFUSALS[verdict.refusal];
  const { key, fields, refusal } = verdict;
  const isRevoked = refusal === 'revoked' && key?.revokedMs;
  const isRecorded = newest !== null;
  return h`<div class="verdict no" role="alert"><h2>${sayOf(reader, heading)}</h2><p>${sayOf(reader, text)}</p>${
    fields.length === 0 ? '' : h`<p>${translate('verify.fields', { fields: fields.join(', ') })}</p>`
  }${
    isRevoked
      ? h`<p>${translate('verify.revoked.at', { moment: documentTimeText(isRevoked, 'UTC', reader.locale) })}</p><p>${translate(isRecorded ? 'verify.revoked.recorded' : 'verify.revoked.unknown')}</p>`
      : ''
  }</div>`;
};

const renderOutcome = (map: Basemap, outcome: Outcome, reader: Reader): Html => {
  if (outcome.kind !== 'verdict') {
    const [heading, text] = NOTHING[outcome.kind];
    return h`<div class="verdict no" role="alert"><h2>${sayOf(reader, heading)}</h2><p>${sayOf(reader, text)}</p></div>`;
  }
  const { verdict, newest } = outcome;
  const shown =
    verdict.content === null
      ? ''
      : h`<h2>${sayOf(reader, 'verify.signed')}</h2>${renderDocument(map, verdict.content, reader)}`;
  return verdict.isProved
    ? h`${renderProved(verdict.content, { key: verdict.key, newest }, reader)}${shown}`
    : h`${renderRefused(verdict, newest, reader)}${verdict.refusal === 'differs' || (verdict.refusal === 'revoked' && newest !== null) ? shown : ''}`;
};

/** The page that verifies documents; `outcome`: of what it was given, if it was given anything. */
export const renderVerifyPage = (
  map: Basemap,
  reader: Reader,
  { outcome, number = '' }: { outcome: Outcome | null; number?: string },
): string => {
  const { language } = reader;
  const translate = toTranslate(language);
  const title = translate('verify.title');
  const drop = h`<div class="drop" id="drop" data-reading="${translate('verify.drop.reading', { file: '#' })}" data-none="${translate('verify.drop.none')}" data-bad="${translate('verify.drop.bad')}" hidden><label for="file">${translate('verify.drop')}</label><input type="file" id="file" accept=".pdf,.json,.jws,application/pdf,application/json"><p class="hint" id="note" role="status">${translate('verify.drop.hint')}</p></div>`;
  const paste = h`<form method="post" action="/verify?lang=${language}"><label for="text">${translate('verify.paste')}</label><textarea id="text" name="text" spellcheck="false" autocomplete="off" required></textarea><button>${translate('verify.paste.button')}</button></form>`;
  const lookUp = h`<form method="get" action="/verify"><input type="hidden" name="lang" value="${language}"><label for="number">${translate('verify.number')}</label><input type="text" id="number" name="number" value="${number}" maxlength="40" placeholder="7K3M-92QX-4HTD" autocomplete="off" autocapitalize="characters" spellcheck="false" required><p class="hint">${translate('verify.number.hint')}</p><button>${translate('verify.number.button')}</button></form>`;
  return renderPage(reader, {
    title,
    script: VERIFY_SCRIPT,
    query: number === '' ? '' : `number=${encodeURIComponent(number)}&`,
    main: h`<main><header class="head"><h1>${title}</h1><p class="eye">${translate('verify.about')}</p></header>${
      outcome === null ? '' : renderOutcome(map, outcome, reader)
    }${drop}${paste}${lookUp}<div class="end noprint"><p>${translate('verify.offline')} <a class="act" href="/.well-known/linehaul-proof-keys.json">linehaul-proof-keys.json</a></p></div></main>`,
  });
};
