import { withCaches } from '@/lib/base/stored';
import { STORED_PAGE_HEADER } from '@/lib/base/http/protocol';
/* Loaded when a page has time to write copies, or has to read one: the pages begin without it. */

import {
  MAX_COPY_AGE_MS,
  isOfBuild,
  readAgeMs,
  toCopy,
  toFleetPath,
  toPagePath,
  toStoredMap,
} from './copies';
import type { FleetCopy } from '../live-reader';
import { fromParts, toParts } from './fleet-copy';
import { COPIES, isOwner } from '@/lib/browser/owner';

/** The clocks of a stored fleet, and the lengths of its parts. */
const CLOCKS_HEADER = 'x-linehaul-copy-clocks';
const LENGTHS_HEADER = 'x-linehaul-copy-lengths';
/** The page is written again for a setting of the server that changed. */
const PAGE_AGE_MS = 86_400_000;

/** Whether copies can be kept at all: not on a server, without TLS, or where storage is forbidden. */
export const canCopy = async (): Promise<boolean> =>
  (await withCaches((caches) => caches.has(COPIES).then(() => true))) ?? false;

export interface Writer {
  usdot: string;
  build: string;
  owner: string;
  /** It is a wall screen that shows the fleet. */
  isScreen?: boolean;
}

/** Writes a copy, unless its owner has signed out or another viewer has signed in since the page was opened. */
const put = (path: string, body: Blob, headers: Headers, { build, owner }: Writer): Promise<void> =>
  withCaches(async (caches) => {
    // Opened before the check: a cache that is deleted after it takes the copy with it.
    const cache = await caches.open(COPIES);
    if (!isOwner(owner)) return;
    await cache.put(path, toCopy(body, headers, { build, nowMs: Date.now() }));
  });

export const writeFleet = async (
  { fleet, skewMs, receivedAtMs }: FleetCopy,
  writer: Writer,
): Promise<void> => {
  if (!(await canCopy())) return;
  const parts = await toParts(fleet);
  const headers = new Headers({
    [CLOCKS_HEADER]: `${skewMs} ${receivedAtMs}`,
    [LENGTHS_HEADER]: parts.map(({ length }) => length).join(' '),
  });
  await put(toFleetPath(writer.usdot), new Blob(parts), headers, writer);
};

const readNumbers = (copy: Response, name: string): number[] =>
  (copy.headers.get(name) ?? '').split(' ').map(Number);

const readFleet = async (copy: Response): Promise<FleetCopy> => {
  const [skewMs = NaN, receivedAtMs = NaN] = readNumbers(copy, CLOCKS_HEADER);
  const bytes = new Uint8Array(await copy.arrayBuffer());
  let end = 0;
  const parts = readNumbers(copy, LENGTHS_HEADER).map((length) => bytes.subarray(end, (end += length)));
  return { fleet: await fromParts(parts), skewMs, receivedAtMs };
};

const matchCopy = (path: string): Promise<Response | undefined> =>
  withCaches((caches) => caches.match(path, { cacheName: COPIES }));

/** The last known fleet; null where there is none. */
export const readFleetCopy = async (usdot: string): Promise<FleetCopy | null> => {
  const copy = await matchCopy(toFleetPath(usdot));
  if (copy === undefined || readAgeMs(copy, Date.now()) > MAX_COPY_AGE_MS) return null;
  // Another build may have written it in another form, which is as good as none.
  return readFleet(copy).catch(() => null);
};

/** Writes the page that shows the fleet, without a fleet, unless one of this build is stored. */
export const writePage = async (writer: Writer): Promise<void> => {
  const path = toPagePath(writer.usdot, writer.isScreen === true);
  const held = await matchCopy(path);
  if (held !== undefined && isOfBuild(held, writer.build) && readAgeMs(held, Date.now()) < PAGE_AGE_MS)
    return;
  const page = await fetch(path, { headers: { accept: 'text/html', [STORED_PAGE_HEADER]: '1' } });
  // A redirect leads to the sign-in page.
  if (page.ok && !page.redirected) await put(path, await page.blob(), new Headers(page.headers), writer);
};

/** The address of the map to show without a network instead of a page; null where none is stored. */
export const findStoredMap = async (path: string): Promise<string | null> => {
  const keys = (await withCaches(async (caches) => (await caches.open(COPIES)).keys())) ?? [];
  return toStoredMap(
    path,
    keys.map(({ url }) => new URL(url).pathname),
  );
};
