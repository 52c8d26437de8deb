import { useQuery } from '@tanstack/react-query';
import { flag, list, nullable, number, object, oneOf, text } from '@/lib/base/shape';
import { useChange } from '@/lib/browser/change';
import { exchangeJson, fetchJson, PERSISTENT, sendJson } from '@/lib/browser/fetch-json';
import { MAIL_LANGUAGES } from '@/lib/loads/mails';
import type { CalendarInput } from './calendars';

const calendarsShape = object({
  calendars: list(
    object({
      ...{ id: text, siteId: number, site: text, recipient: text, language: oneOf(MAIL_LANGUAGES) },
      ...{ showsTruck: flag, endsMs: nullable(number), state: oneOf(['open', 'ended', 'revoked']) },
      ...{ madeBy: text, madeMs: number },
    }),
  ),
});
const linkShape = object({ link: text });

/** The address of a calendar, of which a server without a public URL knows the path only. */
const toUrl = (link: string): string => new URL(link, window.location.origin).href;
const calendarsUrl = (usdot: string): string => `/api/fleets/${encodeURIComponent(usdot)}/calendars`;
const calendarsKey = (usdot: string) => ['fleets', usdot, 'calendars'];

/** The open calendars of a site. */
export const useSiteCalendars = (usdot: string, siteId: number) =>
  useQuery({
    queryKey: calendarsKey(usdot),
    queryFn: async ({ signal }) =>
      (await fetchJson(calendarsUrl(usdot), calendarsShape, { signal })).calendars,
    select: (calendars) => calendars.filter((each) => each.siteId === siteId && each.state === 'open'),
    ...PERSISTENT,
  });

/** The address of a calendar, which is not kept in the browser. @throws ServerUnreachableError, ServerProblemError */
export const readCalendarUrl = async (usdot: string, id: string): Promise<string> =>
  toUrl((await fetchJson(`${calendarsUrl(usdot)}/${id}/link`, linkShape)).link);

/** Changes of calendars, which resolve once they are read again. @throws ServerUnreachableError, ServerProblemError */
export const useCalendarChanges = (usdot: string) => ({
  /** The address of the calendar that was made. */
  make: useChange(calendarsKey(usdot), async (calendar: CalendarInput) =>
    toUrl((await exchangeJson('POST', calendarsUrl(usdot), calendar, linkShape)).link),
  ),
  revoke: useChange(calendarsKey(usdot), (id: string) =>
    sendJson('DELETE', `${calendarsUrl(usdot)}/${id}`, {}),
  ),
});
