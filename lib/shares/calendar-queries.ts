import { useQuery } from '@tanstack/react-query';
import { flag, list, nullable, number, object, oneOf, text, type Shape } from '@/lib/base/shape';
import { useChange } from '@/lib/browser/change';
import { exchangeJson, fetchJson, PERSISTENT, sendJson } from '@/lib/browser/fetch-json';
import { MAIL_LANGUAGES } from '@/lib/loads/mails';
import type { CalendarChange, CalendarInput, SiteCalendar } from './calendars';
import { REFETCH_MS, STATES, linkShape, toUrl } from './queries';

const calendarsShape = object({
  calendars: list<SiteCalendar>(
    object({
      ...{ id: text, siteId: number, site: text, recipient: text, language: oneOf(MAIL_LANGUAGES) },
      ...{ showsTruck: flag, endsMs: nullable(number), state: oneOf(STATES), endedMs: nullable(number) },
      ...{ madeBy: text, madeMs: number, opened: number, lastOpenedMs: nullable(number) },
    }) as Shape<SiteCalendar>,
  ),
});

const calendarsUrl = (usdot: string): string => `/api/fleets/${encodeURIComponent(usdot)}/calendars`;
const calendarsKey = (usdot: string) => ['fleets', usdot, 'calendars'];

/** The calendars of a fleet's sites, the newest first. */
export const useCalendars = (usdot: string) =>
  useQuery({
    queryKey: calendarsKey(usdot),
    queryFn: async ({ signal }) =>
      (await fetchJson(calendarsUrl(usdot), calendarsShape, { signal })).calendars,
    staleTime: REFETCH_MS,
    refetchInterval: REFETCH_MS,
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
  change: useChange(calendarsKey(usdot), ({ id, calendar }: { id: string; calendar: CalendarChange }) =>
    sendJson('PUT', `${calendarsUrl(usdot)}/${id}`, calendar),
  ),
  revoke: useChange(calendarsKey(usdot), (id: string) =>
    sendJson('DELETE', `${calendarsUrl(usdot)}/${id}`, {}),
  ),
});
