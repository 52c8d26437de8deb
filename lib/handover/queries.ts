import { useQuery } from '@tanstack/react-query';
import { useChange } from '@/lib/browser/change';
import { PERSISTENT, fetchJson, sendJson } from '@/lib/browser/fetch-json';
import { handoverMailAnswerSchema, handoverSchema, type HandoverMail } from './schema';

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

const mailKey = (usdot: string) => ['fleets', usdot, 'handover mail'];
const toMailUrl = (usdot: string): string => `${toUrl(usdot)}/mail`;

export const useHandoverMail = (usdot: string) =>
  useQuery({
    queryKey: mailKey(usdot),
    queryFn: ({ signal }) => fetchJson(toMailUrl(usdot), handoverMailAnswerSchema, { signal }),
    ...PERSISTENT,
  });

/** Sets when the viewer gets the handover by mail; null: never. @throws ServerUnreachableError, ServerProblemError */
export const useSetHandoverMail = (usdot: string) =>
  useChange(mailKey(usdot), (mail: HandoverMail | null) => sendJson('PUT', toMailUrl(usdot), mail));
