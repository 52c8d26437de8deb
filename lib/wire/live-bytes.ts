import { MOTION_COLUMNS, STATE_COLUMNS, carrierAccountSchema, feedStateSchema } from './fleet';
import {
  countIdentityLists,
  fromIdentityTexts,
  identityTextsSchema,
  toIdentityTexts,
} from './identity-texts';
import type { LiveAnswer } from './live';
import { integer, list, nullable, number, object, pair, text, type ShapeOf } from '@/lib/base/shape';
import { packPlanes, unpackPlanes, fromSteps, toSteps } from './number-planes';

/*
 * A live answer in bytes: the length of its head (32 bits, little-endian), the head as JSON, and then every
 * list of numbers, in planes. The head has the layout of the planes.
 */

/**
 * The version of these bytes, to be raised with each change of their meaning: neither build may misread the other's.
 */
export const LIVE_VERSION = 1;

const LENGTH_BYTES = 4;

const headSchema = object({
  v: integer(LIVE_VERSION, LIVE_VERSION),
  usdot: text,
  version: text,
  since: nullable(text),
  nowMs: number,
  nextPollMs: number,
  rows: integer(0),
  feed: feedStateSchema,
  account: nullable(carrierAccountSchema),
  identities: identityTextsSchema,
  planes: list(pair(integer())),
});

/** The media type of a live answer in bytes. */
export const LIVE_TYPE = 'application/vnd.linehaul.live';

const STATUS = STATE_COLUMNS.indexOf('status');
const REASON = STATE_COLUMNS.indexOf('reason');
/** The lists after those of the names: rows and columns of each part, in this order. */
const LISTS = 1 + 1 + (1 + MOTION_COLUMNS.length) + (1 + STATE_COLUMNS.length);

/** Reasons are sent as differences to the last one of the same status, which are mostly zero. */
const mapReasons = (by: LiveAnswer['state']['by'], steps: typeof toSteps): ArrayLike<number>[] =>
  by.map((list, column) => (column === REASON ? steps(list, by[STATUS]!) : list));

export const toLiveBytes = (answer: LiveAnswer): Uint8Array => {
  const { named, removed, motion, state, ...rest } = answer;
  const { texts, numbers } = toIdentityTexts(named.identities);
  const { layout, bytes } = packPlanes([
    ...numbers,
    named.rows,
    removed,
    motion.rows,
    ...motion.by,
    state.rows,
    ...mapReasons(state.by, toSteps),
  ]);
  const head = new TextEncoder().encode(
    JSON.stringify({
      v: LIVE_VERSION,
      ...rest,
      ...{ identities: texts, planes: layout },
    } satisfies ShapeOf<typeof headSchema>),
  );
  const all = new Uint8Array(LENGTH_BYTES + head.length + bytes.length);
  new DataView(all.buffer).setUint32(0, head.length, true);
  all.set(head, LENGTH_BYTES);
  all.set(bytes, LENGTH_BYTES + head.length);
  return all;
};

/** @throws RangeError, SyntaxError or ShapeError when the bytes are no live answer of this version. */
export const fromLiveBytes = (bytes: Uint8Array): LiveAnswer => {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  const end = LENGTH_BYTES + length;
  const head = new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, end));
  const { v: _, identities, planes, ...rest } = headSchema.parse(JSON.parse(head));
  const lists = unpackPlanes({ layout: planes, bytes: bytes.subarray(end) });
  const names = countIdentityLists(identities);
  if (lists.length !== names + LISTS)
    throw new RangeError(`Got ${lists.length} lists when ${names + LISTS} are expected.`);
  const take = (count: number): ArrayLike<number>[] => lists.splice(0, count);
  const takeOne = (): ArrayLike<number> => take(1)[0]!;
  const numbers = take(names);
  return {
    ...rest,
    named: { rows: takeOne(), identities: fromIdentityTexts(identities, numbers) },
    removed: takeOne(),
    motion: { rows: takeOne(), by: take(MOTION_COLUMNS.length) },
    state: { rows: takeOne(), by: mapReasons(take(STATE_COLUMNS.length), fromSteps) },
  };
};
