import 'server-only';
import { html as h } from 'hono/html';
import type { Basemap } from '@/lib/geo/base-map/basemap';
import type { ProofDocument } from '../../document';
import type { PublicKey } from '../../keys';
import { KIND_LABELS, documentTimeText } from '../../text';
import type { Refusal, Verdict } from '../verify';
import type { Html } from './blocks-html';
import { renderDocument, renderPage } from './document-page';
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

const listKey = ({ fromMs, untilMs }: PublicKey): string =>
  untilMs === null
    ? ''
    : `Its key signed from ${documentTimeText(fromMs)} until ${documentTimeText(untilMs)}; another has signed since. That takes nothing from it.`;

const renderProved = (content: ProofDocument, key: PublicKey, newest: number | null): Html => {
  const { issuer, issuedMs, number, revision } = content;
  const proved = [
    `${issuer.carrier} (USDOT ${issuer.usdot}) issued ${KIND_LABELS[content.kind].toLowerCase()} ${number}, revision ${revision}, on ${documentTimeText(issuedMs)}, with this installation of Linehaul.`,
    'It is unchanged since.',
    listKey(key),
    newest === null
      ? 'This server does not have it on record, as after a restore of an older backup. The signature holds without that.'
      : newest > revision
        ? `Revision ${newest} has taken its place since. Ask the carrier for it.`
        : 'It is the newest revision.',
  ].filter((text) => text !== '');
  return h`<div class="verdict" role="status"><h2>Genuine and unchanged</h2><p><b>Proved:</b></p><ul>${proved.map((text) => h`<li>${text}</li>`)}</ul><p><b>Not proved:</b></p><ul><li>That the tracker was in the truck. Positions are as its device and provider reported them.</li><li>That the clocks of device and provider were right, beyond what the document says about them.</li><li>What a PDF or a print shows: compare it with what is below, which is what was signed.</li></ul></div>`;
};

const REFUSALS: Readonly<Record<Refusal, readonly [heading: string, text: string]>> = {
  unreadable: [
    'This is no signed document',
    'Paste all of the signed JSON, or of the file document.jws that the PDF carries.',
  ],
  'unknown-key': [
    'Not signed by this server',
    'Its key is none of this installation. Another carrier may have issued it: check it on the server of that carrier.',
  ],
  changed: [
    'Changed, or not genuine',
    'The signature does not fit. At least one character is not as it was signed. Do not rely on it.',
  ],
  differs: [
    'The JSON is not what was signed',
    'The signature is genuine, but the JSON beside it says something else. What was signed is shown below.',
  ],
  'out-of-time': [
    'Not genuine',
    'It says to be issued at a time when its key did not sign. Do not rely on it.',
  ],
  revoked: [
    'Its key was revoked',
    'Someone else may have had the key, so the signature alone proves nothing.',
  ],
};

const renderRefused = (verdict: Verdict & { isProved: false }, newest: number | null): Html => {
  const [heading, text] = REFUSALS[verdict.refusal];
  const { key, fields, refusal } = verdict;
  const isRecorded = refusal === 'revoked' && newest !== null;
  return h`<div class="verdict no" role="alert"><h2>${heading}</h2><p>${text}</p>${
    fields.length === 0 ? '' : h`<p>Changed: ${fields.join(', ')}.</p>`
  }${
    refusal === 'revoked' && key?.revokedMs
      ? h`<p>Revoked on ${documentTimeText(key.revokedMs)}. ${isRecorded ? 'This server has the same document on record, so it was issued here and is unchanged.' : 'This server does not have the document on record. Do not rely on it.'}</p>`
      : ''
  }</div>`;
};

const NOTHING = {
  'not-issued': [
    'Not issued by this server like this',
    'No document with exactly this content is on record here, and no signature is with it. Paste the signed JSON, or drop the PDF.',
  ],
  'no-number': [
    'Nothing is shown by this number',
    'No document has this number, or it is not shown by its number alone. Drop the PDF or paste the signed JSON instead.',
  ],
} as const;

const renderOutcome = (map: Basemap, outcome: Outcome): Html => {
  if (outcome.kind !== 'verdict') {
    const [heading, text] = NOTHING[outcome.kind];
    return h`<div class="verdict no" role="alert"><h2>${heading}</h2><p>${text}</p></div>`;
  }
  const { verdict, newest } = outcome;
  const shown =
    verdict.content === null ? '' : h`<h2>What was signed</h2>${renderDocument(map, verdict.content)}`;
  return verdict.isProved
    ? h`${renderProved(verdict.content, verdict.key, newest)}${shown}`
    : h`${renderRefused(verdict, newest)}${verdict.refusal === 'differs' || (verdict.refusal === 'revoked' && newest !== null) ? shown : ''}`;
};

/** The page that verifies documents; `outcome`: of what it was given, if it was given anything. */
export const renderVerifyPage = (map: Basemap, outcome: Outcome | null, number = ''): string =>
  renderPage({
    title: 'Check a document',
    script: VERIFY_SCRIPT,
    main: h`<main><header class="head"><h1>Check a document</h1><p class="eye">Detention statements and position certificates that a carrier issued with this server.</p></header>${
      outcome === null ? '' : renderOutcome(map, outcome)
    }<div class="drop" id="drop" hidden><label for="file">Drop the PDF here, or choose it</label><input type="file" id="file" accept=".pdf,.json,.jws,application/pdf,application/json"><p class="hint" id="note" role="status">It is read in your browser. Only the signed document that it carries is sent, and not kept.</p></div><form method="post" action="/verify"><label for="text">Or paste the signed JSON</label><textarea id="text" name="text" spellcheck="false" autocomplete="off" required></textarea><button>Check it</button></form><form method="get" action="/verify"><label for="number">Or give its number</label><input type="text" id="number" name="number" value="${number}" maxlength="40" placeholder="7K3M-92QX-4HTD" autocomplete="off" autocapitalize="characters" spellcheck="false" required><p class="hint">This shows documents whose issuer allows it.</p><button>Look it up</button></form><div class="end noprint"><p>You need not trust this page: the program verify-proof.mjs checks a document on your own machine with the <a class="act" href="/.well-known/linehaul-proof-keys.json">public keys</a>.</p></div></main>`,
  });
