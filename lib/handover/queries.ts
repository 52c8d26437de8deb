import { useQuery } from '@tanstack/react-query';
import { useChange } from '@/lib/browser/change';
import { PERSISTENT, fetchJson, sendJson } from '@/lib/browser/fetch-json';
import { handoverSchema, mailAnswerSchema, type MailKind, type ScheduledMailInput } from './schema';

const toUrl = (usdot: string): string => `/api/fleets/${encodeURIComponent(usdot)}/handover`;
/** Comparing two moments of a large fleet and its driving takes some seconds. */
const TIMEOUT_MS = 60_000;

/** The changes in a fleet since a moment, Unix ms. */
export const useHandover = (usdot: string, sinceMs: number) =>
  useQuery({
    queryKey: ['fleets', usdot, 'handover', sinceMs],
    queryFn: ({ signal }) =>
      fetchJson(`${toUrl(usdot)}?since=${sinceMs}`, handoverSchema, { signal, timeoutMs: TIMEOUT_MS }),
    staleTime: 60_000,
    // The answer takes the server seconds.
    refetchOnWindowFocus: false,
    ...PERSISTENT,
  });

/** The reader's next handover can begin at this moment. @throws ServerUnreachableError, ServerProblemError */
export const markHandover = async (usdot: string, atMs: number): Promise<void> => {
  await sendJson('POST', toUrl(usdot), { atMs });
};

const mailKey = (usdot: string, kind: MailKind) => ['fleets', usdot, 'scheduled mail', kind];
const toMailUrl = (usdot: string, kind: MailKind): string => `${toUrl(usdot)}/mail?kind=${kind}`;

/** When the viewer gets a handover or a report by mail. */
export const useMailSchedule = (usdot: string, kind: MailKind) =>
  useQuery({
    queryKey: mailKey(usdot, kind),
    queryFn: ({ signal }) => fetchJson(toMailUrl(usdot, kind), mailAnswerSchema, { signal }),
    ...PERSISTENT,
  });

/** Sets when the viewer gets a mail; null: never. @throws ServerUnreachableError, ServerProblemError */
export const useSetMailSchedule = (usdot: string, kind: MailKind) =>
  useChange(mailKey(usdot, kind), (mail: ScheduledMailInput | null) =>
    sendJson('PUT', toMailUrl(usdot, kind), mail),
  );
