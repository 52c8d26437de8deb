import 'server-only';
import { LRUCache } from 'lru-cache';
import { AppError } from '@/lib/http/problems';
import { compress } from '@/lib/live/encode/compress';
import type { Encoding } from '@/lib/live/encode/compress';
import { encodeLive } from '@/lib/live/encode/encode';
import type { FeedAnswer } from '@/lib/live/encode/publisher';
import { PROBLEM_KINDS, UNREAD_FEED } from '@/lib/wire/fleet';
import type { FeedState, Fleet, FleetRows, ProblemKind } from '@/lib/wire/fleet';
import { toLiveBytes } from '@/lib/wire/live-bytes';
import { STATUSES } from '@/lib/wire/status';
import type { CoverageInterval } from '../schema';
import { reasonText } from '../text';
import type { FleetHour } from './fleet-hour';
import type { HistoryReader } from './history-reader';
import { HOUR_MS } from './partitions';

type PastLog = Record<'warn', (fields: object, message: string) => void>;

/** Moments whose fleets are kept in memory: the one that a browser shows is the base of its next answer. */
const MOMENTS_KEPT = 8;
/** Limits of the hours in memory. They expire because a damaged file may be restored. */
const MOST_HOURS_BYTES = 64e6;
const HOUR_KEPT_MS = 10 * 60_000;
/** The present hour grows with each poll: it is read again for moments so long after what is in memory of it. */
const BEHIND_MS = 60_000;
/** Hours of which one moment was read. */
const BEGUN_HOURS = 8;
/** The newest interval of a recording may end this long before a moment that it still stands for. */
const MOST_BEHIND_MS = 5 * 60_000;
const SILENT = STATUSES.indexOf('silent');

const toName = (usdot: string, ms: number): string => `${usdot} ${ms}`;

const isProblemKind = (kind: string | null): kind is ProblemKind =>
  (PROBLEM_KINDS as readonly (string | null)[]).includes(kind);

const toFeedState = (
  { state, problem, fromMs }: CoverageInterval,
  atMs: number,
  rows: FleetRows,
): FeedState => {
  const isListed = (row: number): boolean =>
    rows.identities[row] != null && rows.columns.status[row] !== SILENT;
  const activeUnits = rows.identities.filter((_, row) => isListed(row)).length;
  if (state === 'answered') return { ...UNREAD_FEED, fetchedAtMs: atMs, activeUnits };
  return {
    ...UNREAD_FEED,
    fetchedAtMs: fromMs,
    staleSinceMs: fromMs,
    activeUnits,
    problem: {
      kind: isProblemKind(problem) ? problem : 'internal',
      message: `${reasonText({ state, problem })} at this moment.`,
      detail: `Recorded as ${problem}.`,
      sinceMs: fromMs,
    },
  };
};

/**
 * Fleets at moments of the past, in the wire format of the live route. A version names the moment and the number of rows,
 * because a new unit adds a row to each moment.
 */
export class PastFleets {
  readonly #reader: HistoryReader;
  readonly #log: PastLog;
  readonly #moments = new LRUCache<string, Promise<Fleet>>({ max: MOMENTS_KEPT });
  readonly #hours = new LRUCache<string, FleetHour>({
    maxSize: MOST_HOURS_BYTES,
    sizeCalculation: ({ bytes }) => bytes + 1,
    ttl: HOUR_KEPT_MS,
  });
  readonly #begun = new LRUCache<string, true>({ max: BEGUN_HOURS });
  #reading: Promise<void> | null = null;

  constructor(reader: HistoryReader, log: PastLog) {
    this.#reader = reader;
    this.#log = log;
  }

  /**
   * The fleet at a moment, or the changes to it since the version `since`.
   *
   * @throws AppError 'not-recorded'
   */
  async answer(usdot: string, atMs: number, since: string | null, accept: Encoding): Promise<FeedAnswer> {
    const next = await this.#readAt(usdot, atMs);
    const { version } = next;
    if (since === version) return { status: 304, body: null, encoding: null, version };
    const previous = await this.#readVersion(usdot, since);
    const isBase = previous?.version === since && previous.rows === next.rows;
    const answer = encodeLive(isBase ? previous : null, next, { nowMs: atMs, nextPollMs: 0 });
    return { status: 200, ...(await compress(toLiveBytes(answer), accept)), version };
  }

  async #readVersion(usdot: string, version: string | null): Promise<Fleet | null> {
    const [, atMs] = /^past\.\d+\.(\d+)$/.exec(version ?? '') ?? [];
    if (atMs === undefined) return null;
    // What was shown before may not be recorded any more.
    return this.#readAt(usdot, Number(atMs)).catch(() => null);
  }

  #readAt(usdot: string, atMs: number): Promise<Fleet> {
    const name = toName(usdot, atMs);
    const held = this.#moments.get(name);
    if (held) return held;
    const reading = this.#read(usdot, atMs);
    this.#moments.set(name, reading);
    reading.catch(() => this.#moments.delete(name));
    return reading;
  }

  async #read(usdot: string, atMs: number): Promise<Fleet> {
    const interval = await this.#reader.readCoverageAt(usdot, atMs);
    if (interval === null || atMs - interval.toMs > MOST_BEHIND_MS)
      throw new AppError('not-recorded', { detail: 'Nothing was recorded at this moment.' });
    const { state, problem } = interval;
    if (state === 'notRunning' || state === 'lost')
      throw new AppError('not-recorded', { detail: `${reasonText({ state, problem })} at this moment.` });
    const rows = await this.#readRows(usdot, atMs);
    if (rows === null) throw new AppError('not-recorded', { detail: 'Nothing was recorded at this moment.' });
    // A poll before a moment after the newest one may be recorded later: such a fleet is no base of changes.
    const isFinal = interval.toMs >= atMs;
    if (!isFinal) this.#moments.delete(toName(usdot, atMs));
    return {
      usdot,
      version: `past.${rows.rows}.${atMs}${isFinal ? '' : `.${interval.toMs}`}`,
      ...rows,
      feed: toFeedState(interval, atMs, rows),
      account: null,
    };
  }

  /**
   * From memory where its hour is there and nothing of it changed since. The second moment of an hour that is queried has it
   * read as a whole, because a time bar that is dragged and a past that is played request more of them.
   */
  async #readRows(usdot: string, atMs: number): Promise<FleetRows | null> {
    const hourMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
    let hour = await this.#findHour(usdot, hourMs, atMs);
    const name = toName(usdot, hourMs);
    const isMissing = hour === null && atMs > (this.#hours.get(name)?.untilMs ?? -Infinity) + BEHIND_MS;
    // Until the first poll of an hour, the fleet is as the hour before left it.
    if (hour?.isBefore(atMs)) hour = await this.#findHour(usdot, hourMs - HOUR_MS, atMs);
    const held = hour && (await this.#reader.readFleetIn(usdot, hour, atMs));
    if (held !== null) return held;
    const rows = await this.#reader.readFleetAt(usdot, atMs);
    if (isMissing && this.#begun.has(name)) this.#readHour(name, usdot, hourMs);
    this.#begun.set(name, true);
    return rows;
  }

  /** An hour in memory with all that was recorded of it by a moment. */
  async #findHour(usdot: string, hourMs: number, atMs: number): Promise<FleetHour | null> {
    const name = toName(usdot, hourMs);
    const hour = this.#hours.get(name);
    if (hour === undefined || !hour.isUntil(atMs)) return null;
    if (await this.#reader.isCurrent(usdot, hour)) return hour;
    this.#hours.delete(name);
    return null;
  }

  /** One at a time, because nothing waits for it. */
  #readHour(name: string, usdot: string, hourMs: number): void {
    this.#reading ??= this.#reader
      .readHour(usdot, hourMs)
      .then((hour) => void this.#hours.set(name, hour))
      .catch((error: unknown) =>
        this.#log.warn(
          { err: error, usdot },
          'An hour of the past is not kept in memory; its moments are queried.',
        ),
      )
      .finally(() => (this.#reading = null));
  }
}
