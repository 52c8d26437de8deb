import 'server-only';
import { createKeyLimit } from '@/lib/base/rate-limits';
import { toTranslate } from '@/lib/catalog/catalog';
import { toReader } from '@/lib/catalog/reader';
import { FORM_POLICY, renderBusy, renderForm, renderNothing } from '@/lib/shares/server/page/page';
import { endMails, isMailed, type EndContext } from './end-mails';

/** Requests of one client address in a minute: a guess of 160 bits is not found by more. */
const OF_ADDRESS = { points: 60, durationS: 60 };
const addresses = createKeyLimit(OF_ADDRESS);

const respond = (html: string, status: number, locale: string): Response =>
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
    },
  });

/**
 * The page at which the reader of a mail ends the mails about a load. Opening it changes nothing, as programs open what a mail
 * links to; its button, or a mail program's own (RFC 8058), ends them.
 */
export const answerEndMails = async (
  context: EndContext & { shares: { secret: string } },
  request: Pick<Request, 'method' | 'url' | 'headers'>,
  token: string,
): Promise<Response> => {
  const reader = toReader(request.headers.get('accept-language'), {
    language: new URL(request.url).searchParams.get('lang'),
    zone: null,
  });
  const { locale, language } = reader;
  const waitS = await addresses.take(context.client.address);
  if (waitS > 0) return respond(renderBusy(reader, waitS), 429, locale);
  const translate = toTranslate(language);
  const { secret } = context.shares;
  if (request.method === 'POST') {
    if (!(await endMails(context, secret, token))) return respond(renderNothing(reader), 404, locale);
    const [heading, text] = [translate('mailEnd.done.heading'), translate('mailEnd.done.text')];
    return respond(renderForm(reader, { heading, text, button: null }), 200, locale);
  }
  if (!(await isMailed(context, secret, token))) return respond(renderNothing(reader), 404, locale);
  const [heading, text] = [translate('mailEnd.heading'), translate('mailEnd.text')];
  return respond(renderForm(reader, { heading, text, button: translate('mailEnd.button') }), 200, locale);
};
