import 'server-only';
import { createKeyLimit } from '@/lib/base/rate-limits';
import { toTranslate } from '@/lib/catalog/catalog';
import { toReader } from '@/lib/catalog/reader';
import type { Clock } from '@/lib/base/clock';
import type { Log } from '@/lib/base/log';
import { waitForTick } from '@/lib/shares/server/page/answer';
import {
  FORM_POLICY,
  renderBusy,
  renderFault,
  renderForm,
  renderNothing,
} from '@/lib/shares/server/page/page';
import { endMails, isMailed, type EndContext } from './end-mails';

/** Requests of one client address in a minute: a guess of 160 bits is not found by more. */
const OF_ADDRESS = { points: 60, durationS: 60 };
const addresses = createKeyLimit(OF_ADDRESS);

/** A page asks for itself again after so many seconds, where `againS` is given. */
const respond = (html: string, status: number, locale: string, againS?: number): Response =>
  new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'content-language': locale,
      'content-security-policy': FORM_POLICY,
      vary: 'Accept-Language',
      ...(againS !== undefined && { 'retry-after': String(againS), refresh: String(againS) }),
    },
  });

type Context = Omit<EndContext, 'clock'> & {
  shares: { secret: string };
  clock: Clock;
  log: Pick<Log, 'error'>;
};

/**
 * The page at which the reader of a mail ends the mails about a load. Opening it changes nothing, as programs open what a mail
 * links to; its button, or a mail program's own (RFC 8058), ends them. A token that is none is answered alike, and at a fixed
 * time, whether there is such a load or not. Never rejects.
 */
export const answerEndMails = async (
  context: Context,
  request: Pick<Request, 'method' | 'url' | 'headers'>,
  token: string,
): Promise<Response> => {
  const { clock, log, shares, client } = context;
  const startedMs = clock.monotonicMs();
  const reader = toReader(request.headers.get('accept-language'), {
    language: new URL(request.url).searchParams.get('lang'),
    zone: null,
  });
  const { locale, language } = reader;
  const waitS = await addresses.take(client.address);
  if (waitS > 0) return respond(renderBusy(reader, waitS), 429, locale, waitS);
  const isEnding = request.method === 'POST';
  try {
    if (!(await (isEnding ? endMails : isMailed)(context, shares.secret, token))) {
      await waitForTick(clock, startedMs);
      return respond(renderNothing(reader), 404, locale);
    }
  } catch (error) {
    // Without the address, which is a secret.
    log.error({ err: error }, 'The mails about a load could not be ended.');
    return respond(renderFault(reader), 503, locale, 15);
  }
  const translate = toTranslate(language);
  const page = isEnding
    ? { heading: translate('mailEnd.done.heading'), text: translate('mailEnd.done.text'), button: null }
    : {
        ...{ heading: translate('mailEnd.heading'), text: translate('mailEnd.text') },
        button: translate('mailEnd.button'),
      };
  return respond(renderForm(reader, page), 200, locale);
};
