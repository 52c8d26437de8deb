import 'server-only';
import { raw } from 'hono/html';
import { encode } from 'uqr';
import { readText } from '@/lib/access/input';
import { toProblem } from '@/lib/access/respond';
import { isAppError } from '@/lib/base/http/problems';
import type { Clock } from '@/lib/base/clock';
import type { Log } from '@/lib/base/log';
import { parseNumber } from '@/lib/proof/number';
import type { Client } from '@/lib/base/viewer';
import { createKeyLimit } from '@/lib/base/rate-limits';
import { toTranslate } from '@/lib/catalog/catalog';
import { ageText, distanceText, timeText, withZone } from '@/lib/catalog/measures';
import type { MessageKey } from '@/lib/catalog/messages/en';
import { toReader, type Reader } from '@/lib/catalog/reader';
import { waitForTick } from '@/lib/shares/server/page/answer';
import { NONE, h, type Html } from '@/lib/shares/server/page/item';
import {
  FORM_POLICY,
  renderBusy,
  renderFault,
  renderNothing,
  renderPage,
} from '@/lib/shares/server/page/page';
import { MOST_TYPED } from '../match';
import type { CheckResult } from '@/lib/loads/checks';
import { checkTruck, findPickup, type Check, type CheckContext, type CodedPickup } from './checks';

/** Requests of one client address in half an hour: a guess of 59 bits is not found by more. */
const OF_ADDRESS = { points: 60, durationS: 1800 };
const addresses = createKeyLimit(OF_ADDRESS);
/** Where the server has a fault, it is asked again after so long. */
const FAULT_S = 15;
/** A form with one field. */
const MAX_FORM_BYTES = 2048;

export type PickupContext = CheckContext & {
  clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>;
  client: Pick<Client, 'address' | 'headers' | 'isTls'>;
  env: { publicUrl: string | null };
  shares: { readCarrierName: (usdot: string) => Promise<string | null> };
  log: Pick<Log, 'error'>;
};

const respond = (html: string, status: number, { locale }: Reader, retryAfterS = 0): Response =>
  new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // Not no-referrer: over plain HTTP its own form could not be told from one of another site.
      'referrer-policy': 'same-origin',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'content-language': locale,
      'content-security-policy': FORM_POLICY,
      vary: 'Accept-Language',
      ...(retryAfterS > 0 && { 'retry-after': String(retryAfterS) }),
    },
  });

interface Shown extends CodedPickup {
  carrier: string;
  code: string;
  /** The address of the page. */
  url: string;
  nowMs: number;
}

const TEXTS: Readonly<Record<CheckResult, readonly [tone: string, heading: MessageKey, text: MessageKey]>> = {
  near: ['good', 'check.near', 'check.near.text'],
  away: ['warn', 'check.away', 'check.away.text'],
  silent: ['warn', 'check.away', 'check.silent.text'],
  other: ['bad', 'check.other', 'check.other.text'],
  noTruck: ['warn', 'check.noTruck', 'check.noTruck.text'],
};

const renderCheck = (reader: Reader, { stop, nowMs }: Shown, { result, typed, seen }: Check): Html => {
  const translate = toTranslate(reader.language);
  const [tone, heading] = TEXTS[result];
  const zoned = { ...reader, zone: stop.timeZone };
  const age = seen === null ? '' : ageText(reader, nowMs - seen.fixMs);
  const text =
    seen === null
      ? translate(TEXTS[result][2] as 'check.away.text')
      : seen.outsideM === 0
        ? translate('check.here.text', { age })
        : translate('check.near.text', { age, distance: distanceText(reader, seen.outsideM) });
  const time = withZone(zoned, timeText(zoned, nowMs), nowMs);
  return h`<section class="check ${tone}" role="status"><h1>${translate(heading)}</h1><p class="big">${text}</p><p>${translate('check.of', { typed, time })}</p></section>`;
};

/** A page that is printed shows its own address, to be read by a phone and by a person. */
const renderSheet = ({ language }: Reader, { url }: Shown): Html => {
  const { data, size } = encode(url, { ecc: 'M', border: 4 });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return h`<div class="sheet" aria-hidden="true"><p>${toTranslate(language)('check.print')}</p><svg viewBox="0 0 ${size} ${size}"><path d="${squares.join('')}" fill="#000"/></svg><p>${url}</p></div>`;
};

/** The page of a pickup's code, with what was checked if something was. */
const renderPickup = (reader: Reader, shown: Shown, check: Check | 'unreadable' | null): string => {
  const translate = toTranslate(reader.language);
  const { carrier, reference, stop, code } = shown;
  const title = translate('check.title');
  const answer = check === null || check === 'unreadable' ? null : check;
  const about = translate('check.about', { load: reference, stop: stop.name });
  const fault =
    check === 'unreadable' ? h`<p class="bad" id="fault" role="alert">${translate('check.fault')}</p>` : NONE;
  const describedBy = check === 'unreadable' ? 'fault hint' : 'hint';
  const form = h`<form method="post"><label for="truck">${translate(answer ? 'check.again' : 'check.label')}</label><input id="truck" name="truck" maxlength="${MOST_TYPED}" required autocomplete="off" autocapitalize="characters" spellcheck="false" aria-describedby="${describedBy}"${check === 'unreadable' ? raw(' aria-invalid="true"') : ''}>${fault}<p id="hint">${translate('check.hint')}</p><button>${translate('check.button')}</button></form>`;
  const main = h`<main><header class="head"><p class="eye">${carrier} · ${title}</p>${answer ? h`<p class="name">${about}</p>` : h`<h1>${about}</h1>`}</header>${answer ? renderCheck(reader, shown, answer) : NONE}<div class="only ask">${form}<p>${translate('check.kept', { carrier })}</p><p>${translate('check.code', { code })}</p></div>${renderSheet(reader, shown)}</main>`;
  const heading = answer ? `${translate(TEXTS[answer.result][1] as 'check.other')} · ${title}` : title;
  return renderPage(reader, heading, main);
};

/** What a form gives of its field; empty without it. */
const readTruck = async (request: Request): Promise<string> =>
  new URLSearchParams(await readText(request, MAX_FORM_BYTES)).get('truck') ?? '';

/** Where a client found this server, which has no public URL. */
const toOrigin = ({ headers, isTls }: Pick<Client, 'headers' | 'isTls'>): string => {
  const origin = `${isTls ? 'https' : 'http'}://${headers.get('host')}`;
  return URL.canParse(origin) ? origin : 'http://localhost';
};

const answer = async (
  context: PickupContext,
  request: Request,
  { reader, token }: { reader: Reader; token: string },
): Promise<Response> => {
  const pickup = await findPickup(context, token);
  if (pickup === null) return respond(renderNothing(reader), 404, reader);
  const carrier = (await context.shares.readCarrierName(pickup.usdot)) ?? `USDOT ${pickup.usdot}`;
  const code = parseNumber(token)!;
  const url = new URL(`/p/${code}`, context.env.publicUrl ?? toOrigin(context.client)).href;
  const shown = { ...pickup, carrier, code, url, nowMs: context.clock.nowMs() };
  if (request.method !== 'POST') return respond(renderPickup(reader, shown, null), 200, reader);
  const checked = await checkTruck(context, pickup, await readTruck(request));
  if (checked === 'unreadable') return respond(renderPickup(reader, shown, checked), 422, reader);
  if ('waitS' in checked) return respond(renderBusy(reader, checked.waitS), 429, reader, checked.waitS);
  return respond(renderPickup(reader, shown, checked.check), 200, reader);
};

/**
 * The page at which a shipper's dock checks whether a truck is that of a load. Opening it checks nothing. Each answer comes at a
 * tick, so that its time says nothing of codes and trucks. Rejects only for a form that cannot be read.
 */
export const answerPickup = async (
  context: PickupContext,
  request: Request,
  token: string,
): Promise<Response> => {
  const startedMs = context.clock.monotonicMs();
  const reader = toReader(request.headers.get('accept-language'), {
    language: new URL(request.url).searchParams.get('lang'),
    zone: null,
  });
  const waitS = await addresses.take(context.client.address);
  if (waitS > 0) return respond(renderBusy(reader, waitS), 429, reader, waitS);
  try {
    return await answer(context, request, { reader, token });
  } catch (error) {
    if (isAppError(error) && toProblem(error).status < 500) throw error;
    // Without the address, which is a secret.
    context.log.error({ err: error }, 'A pickup could not be checked.');
    return respond(renderFault(reader), 503, reader, FAULT_S);
  } finally {
    await waitForTick(context.clock, startedMs);
  }
};
