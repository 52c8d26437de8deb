import 'server-only';
import { LRUCache } from 'lru-cache';
import { AppError } from '@/lib/base/http/problems';
import { compress } from '@/lib/base/http/compress';
import type { Encoding } from '@/lib/base/http/negotiation';
import { encodeLive } from '@/lib/wire/server/encode';
import type { FeedAnswer } from '@/lib/wire/server/publisher';
import {
  PROBLEM_KINDS,
  UNREAD_FEED,
  type FeedState,
  type Fleet,
  type FleetRows,
  type ProblemKind,
} from '@/lib/wire/fleet';
import { toLiveBytes } from '@/lib/wire/live-bytes';
import { STATUSES } from '@/lib/motion/status';
import type { CoverageInterval } from '@/lib/trips/coverage';
import { reasonText } from '../text';
import { MOST_FAILING_MS } from '@/lib/recording/coverage';
import type { FleetHour } from './fleet-hour';
import type { HistoryReader } from './history-reader';
import { HOUR_MS } from '@/lib/base/time';
import { getOrRead } from '@/lib/base/maps';

type PastLog = Record<'warn', (fields: object, message: string) => void>;

/** Moments whose fleets are kept in memory: the one that a browser shows is the base of its next answer. */
const MOMENTS_KEPT = 8;
/** Limits of the hours in memory. They expire because a damaged file may be restored. */
const MOST_HOURS_BYTES = 64e6;
const HOUR_KEPT_MS = 10 * 60_000;
/** The present hour grows with each poll: it is read again for moments so long after what is in memory of it. */
const BEHIND_MS = 60_000;
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

/** Fleets at moments of the past, in the live wire format; a version names the moment and its number of rows. */
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

  /** The fleet at a moment, or the changes to it since the version `since`. @throws AppError 'not-recorded' */
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
    return getOrRead(this.#moments, toName(usdot, atMs), () => this.#read(usdot, atMs));
  }

  async #read(usdot: string, atMs: number): Promise<Fleet> {
    const [interval, held] = await Promise.all([
      this.#reader.readCoverageAt(usdot, atMs),
      this.#readHeld(usdot, atMs),
    ]);
    const mostBehindMs = interval?.state === 'failing' ? MOST_FAILING_MS : MOST_BEHIND_MS;
    if (interval === null || atMs - interval.toMs > mostBehindMs)
      throw new AppError('not-recorded', { detail: 'Nothing was recorded at this moment.' });
    const { state, problem } = interval;
    if (state === 'notRunning' || state === 'lost')
      throw new AppError('not-recorded', { detail: `${reasonText({ state, problem })} at this moment.` });
    const rows = held ?? (await this.#query(usdot, atMs));
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

  /** From memory; null where its hour is not there up to the moment, or something of it changed since. */
  async #readHeld(usdot: string, atMs: number): Promise<FleetRows | null> {
    const hour = this.#findHour(usdot, atMs, atMs);
    // Until the first poll of an hour, the fleet is as the hour before left it.
    const before = hour?.isBefore(atMs) ? this.#findHour(usdot, hour.hourMs - HOUR_MS, atMs) : hour;
    if (hour === null || before === null) return null;
    const hours = [...new Set([hour, before])];
    const [rows, ...areCurrent] = await Promise.all([
      this.#reader.readFleetIn(usdot, before, atMs),
      ...hours.map((each) => this.#reader.isCurrent(usdot, each)),
    ]);
    if (areCurrent.every(Boolean)) return rows;
    for (const { hourMs } of hours) this.#hours.delete(toName(usdot, hourMs));
    return null;
  }

  /** The hour in memory of a time, if it has all that was recorded of it by a moment. */
  #findHour(usdot: string, ofMs: number, atMs: number): FleetHour | null {
    const hour = this.#hours.get(toName(usdot, Math.floor(ofMs / HOUR_MS) * HOUR_MS));
    return hour?.isUntil(atMs) ? hour : null;
  }

  /** A second moment of an hour has it read as a whole: a past that is dragged or played requests more of them. */
  async #query(usdot: string, atMs: number): Promise<FleetRows | null> {
    const hourMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
    const name = toName(usdot, hourMs);
    const untilMs = this.#hours.get(name)?.untilMs ?? -Infinity;
    const rows = await this.#reader.readFleetAt(usdot, atMs);
    if (atMs > untilMs + BEHIND_MS && this.#begun.has(name)) this.#readHour(name, usdot, hourMs);
    this.#begun.set(name, true);
    return rows;
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
