import 'server-only';
import { isAppError } from '@/lib/base/http/problems';
import { createKeyLimit } from '@/lib/base/rate-limits';
import type { Reader } from '@/lib/catalog/reader';
import type { Executor } from '@/lib/database/database';
import { waitForTick } from '@/lib/shares/server/page/answer';
import { loadBasemap } from '@/lib/shares/server/page/ground';
import { parseDocument } from '../../document';
import { readDocument, type StoredDocument } from '../documents';
import { listPublicKeys } from '../keys';
import { MOST_CHARACTERS, readGiven, verify, type Given } from '../verify';
import { findSeen, readReader, respondBusy, respondFault, respondPage, type PageContext } from './answer';
import { VERIFY_SCRIPT } from './script';
import { renderVerifyPage, type Outcome } from './verify-page';

/** Checks of one client address in a minute, and numbers that one tries. */
const checks = createKeyLimit({ points: 60, durationS: 60 });
const numbers = createKeyLimit({ points: 20, durationS: 600 });

/** A document as it is on record, byte by byte; null: none is. */
const findRecorded = async (tx: Executor, json: string | null): Promise<StoredDocument | null> => {
  const content = json === null ? null : parseDocument(json);
  const stored = content && (await readDocument(tx, content.number, content.revision));
  return stored?.json === json ? stored : null;
};

const judge = async (tx: Executor, { jws, json }: Given): Promise<Outcome> => {
  const signed = jws ?? (await findRecorded(tx, json))?.jws;
  if (signed === undefined) return { kind: 'not-issued' };
  const verdict = await verify({ jws: signed, json }, await listPublicKeys(tx));
  const recorded = await findRecorded(tx, verdict.json);
  return { kind: 'verdict', verdict, newest: recorded?.newest ?? null };
};

const UNREADABLE: Outcome = {
  kind: 'verdict',
  verdict: { isProved: false, refusal: 'unreadable', content: null, json: null, key: null, fields: [] },
  newest: null,
};

const respond = async (
  reader: Reader,
  status: number,
  shown: { outcome: Outcome | null; number?: string },
): Promise<Response> =>
  respondPage(renderVerifyPage(await loadBasemap(), reader, shown), status, {
    reader,
    script: VERIFY_SCRIPT,
  });

const answerNumber = async (context: PageContext, reader: Reader, number: string): Promise<Response> => {
  const startedMs = context.clock.monotonicMs();
  const waitS = await numbers.take(context.client.address);
  if (waitS > 0) return respondBusy(reader, waitS);
  const document = await findSeen(context, number, null);
  await waitForTick(context.clock, startedMs);
  if (document === null)
    return respond(reader, 404, { outcome: { kind: 'no-number' }, number: number.slice(0, 40) });
  const { orm } = await context.database.open();
  return respond(reader, 200, { outcome: await judge(orm, document), number: document.number });
};

/** The field `text` of a form; null: the body is too long, or is no form. */
const readText = async (request: Request): Promise<string | null> => {
  if (!/^application\/x-www-form-urlencoded(?:;|$)/i.test(request.headers.get('content-type') ?? ''))
    return null;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    // Quotes of JSON are three characters each.
    if (bytes > 1.5 * MOST_CHARACTERS) return null;
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString()).get('text');
};

/** Never rejects. */
const guard = async (
  { client, log }: PageContext,
  reader: Reader,
  answer: () => Promise<Response>,
): Promise<Response> => {
  const waitS = await checks.take(client.address);
  if (waitS > 0) return respondBusy(reader, waitS);
  try {
    return await answer();
  } catch (error) {
    if (!isAppError(error)) log.error({ err: error }, 'A document could not be checked.');
    return respondFault(reader);
  }
};

/** The page that verifies documents, by number where its address has one. */
export const answerVerify = (
  context: PageContext,
  request: Pick<Request, 'url' | 'headers'>,
): Promise<Response> => {
  const reader = readReader(request);
  return guard(context, reader, async () => {
    const number = new URL(request.url).searchParams.get('number');
    return number === null ? respond(reader, 200, { outcome: null }) : answerNumber(context, reader, number);
  });
};

/** The verdict about what was pasted or dropped. */
export const answerVerifyForm = (context: PageContext, request: Request): Promise<Response> => {
  const reader = readReader(request);
  return guard(context, reader, async () => {
    const text = await readText(request);
    const given = text === null ? null : readGiven(text);
    if (given === null) return respond(reader, 400, { outcome: UNREADABLE });
    const { orm } = await context.database.open();
    return respond(reader, 200, { outcome: await judge(orm, given) });
  });
};
