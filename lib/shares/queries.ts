import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { flag, list, nullable, number, object, oneOf, text, type Shape } from '@/lib/base/shape';
import { useChange } from '@/lib/browser/change';
import { exchangeJson, fetchJson, PERSISTENT, sendJson } from '@/lib/browser/fetch-json';
import type {
  Precision,
  Share,
  ShareEnd,
  ShareInput,
  ShareOpenings,
  ShareState,
  SharedField,
} from './schema';
import { END_NOUNS, ENDED_BY_TEXTS, FIELD_LABELS, PRECISION_LABELS, STATE_LABELS } from './text';

/** Links end and are opened at any time; another user's change is on the screen as soon. */
export const REFETCH_MS = 15_000;

const keysOf = <K extends string>(labels: Readonly<Record<K, string>>): K[] => Object.keys(labels) as K[];

export const STATES = keysOf(STATE_LABELS);

const shareShape: Shape<Share> = object({
  id: text,
  recipient: text,
  items: list(object({ loadId: nullable(number), unit: nullable(text), alias: text })),
  names: list(text),
  precision: oneOf<Precision>(keysOf(PRECISION_LABELS)),
  fields: list(oneOf<SharedField>(keysOf(FIELD_LABELS))),
  delayMin: number as Shape<unknown> as Shape<Share['delayMin']>,
  endsMs: nullable(number),
  endsOn: nullable(oneOf<ShareEnd>(keysOf(END_NOUNS))),
  endsAtStop: nullable(number),
  endsAtSite: nullable(number),
  showsEnd: flag,
  frameOrigins: list(text),
  state: oneOf<ShareState>(STATES),
  endedMs: nullable(number),
  endedBy: nullable(oneOf(keysOf(ENDED_BY_TEXTS))),
  madeBy: text,
  madeMs: number,
  opened: number,
  lastOpenedMs: nullable(number),
});

const sharesShape = object({ shares: list(shareShape) });
export const linkShape = object({ link: text });

/** The address of a link or calendar, of which a server without a public URL knows the path only. */
export const toUrl = (link: string): string => new URL(link, window.location.origin).href;
const openingsShape = object({
  openings: list<ShareOpenings>(object({ hourMs: number, count: number, places: number })),
  places: number,
});

const sharesUrl = (usdot: string): string => `/api/fleets/${encodeURIComponent(usdot)}/shares`;
const sharesKey = (usdot: string) => ['fleets', usdot, 'shares'];

/** The links of a fleet, the newest first, read again after so long. */
export const useShares = (usdot: string, everyMs = REFETCH_MS) =>
  useQuery({
    queryKey: sharesKey(usdot),
    queryFn: async ({ signal }) => (await fetchJson(sharesUrl(usdot), sharesShape, { signal })).shares,
    staleTime: everyMs,
    refetchInterval: everyMs,
    ...PERSISTENT,
  });

/** When a link was opened, by the hour, the newest first, and from how many places in all. */
export const useShareOpenings = (usdot: string, { id, opened }: Pick<Share, 'id' | 'opened'>) =>
  useQuery({
    queryKey: [...sharesKey(usdot), id, 'openings', opened],
    queryFn: ({ signal }) => fetchJson(`${sharesUrl(usdot)}/${id}/openings`, openingsShape, { signal }),
    // They change with how often it was opened, which the list says.
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    ...PERSISTENT,
  });

/** The address of a link, which is not kept in the browser. @throws ServerUnreachableError, ServerProblemError */
export const readShareUrl = async (usdot: string, id: string): Promise<string> =>
  toUrl((await fetchJson(`${sharesUrl(usdot)}/${id}/link`, linkShape)).link);

/** Changes of links, which resolve once the links are read again. @throws ServerUnreachableError, ServerProblemError */
export const useShareChanges = (usdot: string) => ({
  /** The address of the link that was made. */
  make: useChange(sharesKey(usdot), async (share: ShareInput) =>
    toUrl((await exchangeJson('POST', sharesUrl(usdot), share, linkShape)).link),
  ),
  change: useChange(sharesKey(usdot), ({ id, share }: { id: string; share: ShareInput }) =>
    sendJson('PUT', `${sharesUrl(usdot)}/${id}`, share),
  ),
  revoke: useChange(sharesKey(usdot), (id: string) => sendJson('DELETE', `${sharesUrl(usdot)}/${id}`, {})),
});
