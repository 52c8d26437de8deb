import 'server-only';
import { LRUCache } from 'lru-cache';
import type { Authenticated } from '@/lib/access/access';
import { readSeenUnits } from '@/lib/access/unit-limit';
import type { Clock } from '@/lib/base/clock';
import { isAppError } from '@/lib/base/http/problems';
import type { Log } from '@/lib/base/log';
import { createKeyLimit } from '@/lib/base/rate-limits';
import { maySeeFleet, type Client } from '@/lib/base/viewer';
import type { ApplicationDatabase } from '@/lib/database/open-accounts';
import { toTranslate } from '@/lib/catalog/catalog';
import { toReader, type Reader } from '@/lib/catalog/reader';
import { waitForTick } from '@/lib/shares/server/page/answer';
import { loadBasemap } from '@/lib/shares/server/page/ground';
import { parseNumber } from '../../number';
import { readDocument, toFileName, type StoredDocument } from '../documents';
import type { Paper } from '../pdf/draw-pdf';
import { toPdf } from '../pdf/pdf';
import { renderDocumentPage, renderNotice, toProofPolicy } from './document-page';

/** What answering needs of its server. */
export interface PageContext {
  auth: { authenticate: (client: Client) => Promise<Authenticated | null> };
  database: Pick<ApplicationDatabase, 'open'>;
  clock: Clock;
  log: Pick<Log, 'error'>;
  env: { publicUrl: string | null };
  client: Client;
}

type PageRequest = Pick<Request, 'url' | 'headers'>;

/** Requests of one client address in a minute: some 59 bits of a number are not found by more. */
const addresses = createKeyLimit({ points: 120, durationS: 60 });
/** A PDF is a tenth of a second of work and more, so few are made for one address, and those that are sent again are kept: some 60 KB each. */
const pdfLimit = createKeyLimit({ points: 20, durationS: 60 });
const pdfs = new LRUCache<string, Promise<Buffer>>({ max: 100 });

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // Not stricter: with none, browsers send a form of these pages without its origin.
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow, noarchive',
} as const;

/** The reader of a page of documents: by its address, or by what the browser wants. */
export const readReader = ({ url, headers }: PageRequest): Reader =>
  toReader(headers.get('accept-language'), {
    language: new URL(url).searchParams.get('lang'),
    zone: null,
  });

/** A page of documents. `script`: the one that it runs. */
export const respondPage = (
  html: string,
  status: number,
  {
    reader,
    script = null,
    headers = {},
  }: { reader: Reader; script?: string | null; headers?: Record<string, string> },
): Response =>
  new Response(html, {
    status,
    headers: {
      ...HEADERS,
      'content-language': reader.locale,
      'content-security-policy': toProofPolicy(script),
      ...headers,
    },
  });

export const respondBusy = (reader: Reader, waitS: number): Response => {
  const translate = toTranslate(reader.language);
  return respondPage(
    renderNotice(reader, translate('busy.heading'), translate('busy.text', { n: Math.ceil(waitS / 60) })),
    429,
    { reader, headers: { 'retry-after': String(waitS) } },
  );
};

export const respondFault = (reader: Reader): Response => {
  const translate = toTranslate(reader.language);
  return respondPage(renderNotice(reader, translate('fault.heading'), translate('proof.fault')), 503, {
    reader,
    headers: { 'retry-after': '60' },
  });
};

/** Whether a client may read a document by its number: its fleet's users do, and strangers where its maker allows it. */
const maySee = async (
  { auth, database, client }: PageContext,
  document: StoredDocument,
): Promise<boolean> => {
  if (document.isShownByNumber) return true;
  const signedIn = await auth.authenticate(client);
  if (signedIn === null || signedIn.needsSecondFactor) return false;
  const { viewer } = signedIn;
  if (viewer.kind === 'screen' || !maySeeFleet(viewer, document.usdot)) return false;
  const units = await readSeenUnits(database, viewer, document.usdot);
  return units === null || units.has(document.unit);
};

/** A document by the number of an address, if the client may see it. */
export const findSeen = async (
  context: PageContext,
  text: string,
  revision: number | null,
): Promise<StoredDocument | null> => {
  const number = parseNumber(text);
  if (number === null) return null;
  const { orm } = await context.database.open();
  const document = await readDocument(orm, number, revision);
  return document && (await maySee(context, document)) ? document : null;
};

const respondFile = (body: string | Uint8Array<ArrayBuffer>, type: string, name: string): Response =>
  new Response(body, {
    headers: {
      ...HEADERS,
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
    },
  });

const makePdf = (
  key: string,
  document: StoredDocument,
  options: Parameters<typeof toPdf>[2],
): Promise<Buffer> => {
  const making = loadBasemap().then((map) => toPdf(map, document, options));
  pdfs.set(key, making);
  making.catch(() => pdfs.delete(key));
  return making;
};

const respondDocument = async (
  { env: { publicUrl }, client }: PageContext,
  document: StoredDocument,
  { query, reader }: { query: URLSearchParams; reader: Reader },
): Promise<Response> => {
  const { content, newest, json, jws, kid } = document;
  switch (query.get('as')) {
    case 'json':
      return respondFile(
        `{"document":${json},"jws":"${jws}"}\n`,
        'application/json',
        toFileName(document, 'json'),
      );
    case 'pdf': {
      const waitS = await pdfLimit.take(client.address);
      if (waitS > 0) return respondBusy(reader, waitS);
      const paper: Paper = query.get('paper') === 'a4' ? 'a4' : 'letter';
      const verifyUrl = publicUrl === null ? null : new URL('/verify', publicUrl).href;
      const key = [document.number, document.revision, paper, verifyUrl].join(' ');
      const pdf = await (pdfs.get(key) ?? makePdf(key, document, { paper, verifyUrl }));
      return respondFile(new Uint8Array(pdf), 'application/pdf', toFileName(document, 'pdf'));
    }
    default:
      return respondPage(renderDocumentPage(await loadBasemap(), { content, newest, kid }, reader), 200, {
        reader,
      });
  }
};

const toRevision = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,3}$/.test(text) ? Number(text) : null;

/** The answer to a request of a document's page, or of one of its files. Never rejects. */
export const answerDocument = async (
  context: PageContext,
  request: PageRequest,
  number: string,
): Promise<Response> => {
  const { clock, log } = context;
  const startedMs = clock.monotonicMs();
  const reader = readReader(request);
  const translate = toTranslate(reader.language);
  const waitS = await addresses.take(context.client.address);
  if (waitS > 0) return respondBusy(reader, waitS);
  try {
    const { searchParams } = new URL(request.url);
    const document = await findSeen(context, number, toRevision(searchParams.get('revision')));
    if (document !== null) return await respondDocument(context, document, { query: searchParams, reader });
    await waitForTick(clock, startedMs);
    return respondPage(
      renderNotice(reader, translate('proof.none.heading'), translate('proof.none.text')),
      404,
      { reader },
    );
  } catch (error) {
    if (!isAppError(error)) log.error({ err: error }, 'A document could not be shown.');
    return respondFault(reader);
  }
};
