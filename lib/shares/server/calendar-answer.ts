import 'server-only';
import { createHash } from 'node:crypto';
import type { Clock } from '@/lib/base/clock';
import { isNoneMatchFailed } from '@/lib/base/http/negotiation';
import type { Log } from '@/lib/base/log';
import { createKeyLimit } from '@/lib/base/rate-limits';
import { waitForTick, type ShareRequest } from './page/answer';

/** Requests of one client address, and of one calendar from all addresses, in a minute on each server: programs ask a few times an hour. */
const addresses = createKeyLimit({ points: 120, durationS: 60 });
const calendars = createKeyLimit({ points: 1200, durationS: 60 });

interface CalendarServer {
  shares: { readCalendar: (token: string, address: string) => Promise<string | null> };
  clock: Clock;
  log: Pick<Log, 'error'>;
}

const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
} as const;

const toNotice = (status: number, text: string, headers: Record<string, string> = {}): Response =>
  new Response(`${text}\n`, {
    status,
    headers: { ...HEADERS, 'content-type': 'text/plain; charset=utf-8', ...headers },
  });

/** The answer to a request of a site's calendar: alike where it never was, was revoked or has ended. Never rejects. */
export const answerCalendar = async (
  server: CalendarServer,
  { headers }: ShareRequest,
  { token, address }: { token: string; address: string },
): Promise<Response> => {
  const startedMs = server.clock.monotonicMs();
  const waitS = (await addresses.take(address)) || (await calendars.take(token.slice(0, 64)));
  if (waitS > 0) return toNotice(429, 'Too many requests.', { 'retry-after': String(waitS) });
  try {
    const text = await server.shares.readCalendar(token, address);
    if (text === null) {
      await waitForTick(server.clock, startedMs);
      return toNotice(404, 'Nothing is shown here.');
    }
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    if (isNoneMatchFailed(headers.get('if-none-match'), etag))
      return new Response(null, { status: 304, headers: { ...HEADERS, etag } });
    return new Response(text, {
      headers: {
        ...{ ...HEADERS, etag, 'content-type': 'text/calendar; charset=utf-8' },
        'content-disposition': 'inline; filename="arrivals.ics"',
      },
    });
  } catch (error) {
    // Without the address, which is a secret.
    server.log.error({ err: error }, 'A calendar could not be shown.');
    return toNotice(503, 'Not available right now.', { 'retry-after': '60' });
  }
};
