/** What the pages write and the service worker reads: names and marks of the stored copies. It imports nothing. */

/** A session ends after as long without use (lib/auth/server/auth.ts), and so does what it has stored. */
export const MAX_COPY_AGE_MS = 14 * 86_400_000;

/** The build that wrote a copy, and when, Unix ms by the browser's clock. */
const BUILD_HEADER = 'x-linehaul-copy-build';
const WRITTEN_AT_HEADER = 'x-linehaul-copy-written-at-ms';

const FLEET_PATH = /^\/api\/fleets\/(\d{1,8})\/live$/;
const PAGE_PATH = /^\/(?:fleets|screen)\/(\d{1,8})$/;
/** A page of a fleet, and the vehicle that it is about. */
const FLEET_PAGE_PATH = /^(\/fleets\/\d{1,8})(?:\/units\/([^/]+))?(?:\/|$)/;

/** The path of the page that shows a fleet, its map or a wall screen, and its key in the cache. */
export const toPagePath = (usdot: string, isScreen: boolean): string =>
  `/${isScreen ? 'screen' : 'fleets'}/${usdot}`;
/** The key of a fleet in the cache. */
export const toFleetPath = (usdot: string): string => `/api/fleets/${usdot}/live`;

/** The USDOT number of such a page's path; null for another path. */
export const readPageUsdot = (path: string): string | null => PAGE_PATH.exec(path)?.[1] ?? null;
/** The USDOT number of a fleet's key; null for another key. */
export const readFleetUsdot = (path: string): string | null => FLEET_PATH.exec(path)?.[1] ?? null;

/** The address of the map that goes with a page, by the paths of the stored ones: of its fleet with its vehicle, or of the last. */
export const toStoredMap = (path: string, stored: readonly string[]): string | null => {
  const [, page, vin] = FLEET_PAGE_PATH.exec(path) ?? [];
  if (page === undefined || !stored.includes(page)) return stored.length > 0 ? '/' : null;
  return vin === undefined ? page : `${page}?unit=${vin}`;
};

/** A copy with its marks, to be stored. */
export const toCopy = (
  body: Blob,
  headers: Headers,
  { build, nowMs }: { build: string; nowMs: number },
): Response => {
  headers.set(BUILD_HEADER, build);
  headers.set(WRITTEN_AT_HEADER, String(nowMs));
  return new Response(body, { headers });
};

export const isOfBuild = (copy: Response, build: string): boolean => copy.headers.get(BUILD_HEADER) === build;

export const readAgeMs = (copy: Response, nowMs: number): number =>
  nowMs - Number(copy.headers.get(WRITTEN_AT_HEADER));
