import 'server-only';
import { brotliDecompress } from 'node:zlib';
import { promisify } from 'node:util';
import { z } from 'zod';
import { compress, type Encoded } from '@/lib/base/http/compress';
import type { Encoding } from '@/lib/base/http/negotiation';
import type { FeedReport } from '@/lib/feeds/feed/feed';
import type { RetainedProblem } from '@/lib/feeds/feed/feed-condition';
import type { SalvageReport } from '@/lib/tracking/unit';
import { type FeedState, UNREAD_FEED } from '@/lib/wire/fleet';
import { MESSAGE_VERSION } from './messages';
import { getOrMake } from '@/lib/base/maps';
import { encodeLive } from '@/lib/wire/server/encode';
import type { FeedAnswer } from '@/lib/wire/server/publisher';
import { createColumns } from '@/lib/wire/live';
import { toLiveBytes } from '@/lib/wire/live-bytes';

const decompress = promisify(brotliDecompress);

/** A fleet's newest version as its owner publishes it, encoded and compressed once for all servers. */
export interface PublishedFleet extends FeedReport {
  version: string;
  snapshot: Encoded;
  /** The change from the version `since`; null where there is none. */
  delta: (Encoded & { since: string }) | null;
}

const partSchema = z.object({ bytes: z.int().min(0), encoding: z.literal('br').nullable() });
/** The texts and numbers of the feed go to pages as they are; their owner has checked them. */
const headSchema = z.object({
  v: z.literal(MESSAGE_VERSION),
  version: z.string(),
  state: z.custom<FeedState>((value) => typeof value === 'object' && value !== null),
  salvage: z.custom<SalvageReport | null>((value) => typeof value === 'object'),
  problems: z.array(z.custom<RetainedProblem>((value) => typeof value === 'object' && value !== null)),
  refusedForMs: z.number(),
  snapshot: partSchema,
  delta: partSchema.extend({ since: z.string() }).nullable(),
});

const LENGTH_BYTES = 4;

/** A JSON object after its length in bytes (big endian), and after it the bytes of snapshot and delta. */
export const toPublishedBytes = ({ snapshot, delta, ...head }: PublishedFleet): Buffer => {
  const toPart = ({ body, encoding }: Encoded) => ({ bytes: body.length, encoding });
  const parts = { snapshot: toPart(snapshot), delta: delta && { ...toPart(delta), since: delta.since } };
  const json = Buffer.from(JSON.stringify({ v: MESSAGE_VERSION, ...head, ...parts }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json, snapshot.body, delta?.body ?? Buffer.alloc(0)]);
};

/** @throws for bytes that `toPublishedBytes` of this version has not made */
export const fromPublishedBytes = (bytes: Buffer): PublishedFleet => {
  const headEnd = LENGTH_BYTES + bytes.readUInt32BE();
  const head = headSchema.parse(JSON.parse(bytes.toString('utf8', LENGTH_BYTES, headEnd)));
  const snapshotEnd = headEnd + head.snapshot.bytes;
  const { snapshot, delta, v: _, ...rest } = head;
  return {
    ...rest,
    snapshot: { body: bytes.subarray(headEnd, snapshotEnd), encoding: snapshot.encoding },
    delta: delta && {
      body: bytes.subarray(snapshotEnd, snapshotEnd + delta.bytes),
      encoding: delta.encoding,
      since: delta.since,
    },
  };
};

const converted = new WeakMap<Encoded, Map<Encoding, Promise<Encoded>>>();

/** Converts an answer to an encoding that the client accepts, once for all clients. */
export const toAccepted = (encoded: Encoded, accept: Encoding): Promise<Encoded> => {
  if (encoded.encoding === null || accept === encoded.encoding) return Promise.resolve(encoded);
  const known = getOrMake(converted, encoded, () => new Map<Encoding, Promise<Encoded>>());
  return getOrMake(known, accept, () => decompress(encoded.body).then((bytes) => compress(bytes, accept)));
};

/** Older than every version of a feed. */
const VERSION = '0.0';
const RETRY_MS = 1000;

/** A fleet without units, for a fleet that no server has published yet. */
export const createUnreadAnswer = (usdot: string, nowMs: number): FeedAnswer => {
  const problem = {
    kind: 'internal',
    message: 'The server that tracks this fleet has not answered yet.',
    detail: 'No server has published the fleet, or Redis cannot be reached.',
    sinceMs: nowMs,
  } as const;
  const feed = { ...UNREAD_FEED, staleSinceMs: nowMs, problem };
  const fleet = {
    usdot,
    version: VERSION,
    rows: 0,
    identities: [],
    columns: createColumns(0),
    feed,
    account: null,
  };
  const body = toLiveBytes(encodeLive(null, fleet, { nowMs, nextPollMs: RETRY_MS }));
  return { status: 200, body, encoding: null, version: VERSION };
};
