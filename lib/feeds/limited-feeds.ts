import 'server-only';
import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/base/clock';
import {
  NO_POSITION,
  STATE_COLUMNS,
  MOTION_COLUMNS,
  type FeedProblem,
  type FeedState,
  type Fleet,
  type ProblemKind,
  type UnitIdentity,
} from '@/lib/wire/fleet';
import { applyLiveAnswer, createColumns } from '@/lib/wire/live';
import { fromLiveBytes } from '@/lib/wire/live-bytes';
import { LEFT_REASONS, REASONS } from '@/lib/motion/status';
import type { FlagEvidence } from '@/lib/wire/unit';
import type { Encoding } from '@/lib/base/http/negotiation';
import { Publisher, type FeedAnswer, type Snapshot } from '@/lib/wire/server/publisher';
import type { Feed } from './feeds';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import { getOrMake } from '@/lib/base/maps';

type Units = ReadonlySet<string>;

interface LimitedFeedsOptions {
  /** The units with one of some tags, as they are now. */
  readUnits: (usdot: string, tags: readonly string[]) => Promise<Units>;
  clock: Clock;
}

/** Fleets that are held decoded, and sets of tags in them. */
const FLEETS_KEPT = 8;
const LIMITS_KEPT = 64;

const isSame = (a: Units, b: Units): boolean => a.size === b.size && [...a].every((unit) => b.has(unit));

/** The messages that stand for those that count the units of the whole fleet or quote the provider. */
const SEEN_MESSAGES: Partial<Record<ProblemKind, string>> = {
  drop: 'The tracking provider lists fewer units than before.',
  otherFleet: 'The tracking provider lists units that may be those of another fleet.',
  older: 'The tracking provider answers with older positions than before; the newer ones are kept.',
  repeated: 'The tracking provider repeats its last answer: no truck has a newer position.',
  unusable:
    'The tracking provider sends records that cannot be read; the units that they may be about stay where they were.',
  errorInside: 'The tracking provider reports an error: units may be missing.',
};

/** The details are for engineers, and many count or quote what the provider sends. */
const toSeenProblem = ({ kind, message, sinceMs }: FeedProblem): FeedProblem => {
  const seen = SEEN_MESSAGES[kind] ?? message;
  return { kind, message: seen, detail: seen, sinceMs };
};

/** A feed's state without what it counts beyond the units that are shown. */
const toSeenState = (feed: FeedState, activeUnits: number): FeedState => ({
  ...feed,
  problem: feed.problem && toSeenProblem(feed.problem),
  activeUnits,
  rosterVins: null,
  droppedRecords: 0,
  repairedFields: 0,
});

const toSeenFlag = ({ flag, text, seenText = text }: FlagEvidence): FlagEvidence => ({
  flag,
  text: seenText,
});

const isActive = ({ columns }: Fleet, row: number): boolean =>
  !LEFT_REASONS.has(REASONS[columns.reason[row]!]!);

/**
 * The versions of some units of a fleet. Each set of units begins an epoch, so that no browser gets the difference between
 * two sets.
 */
class LimitedFleet {
  readonly #publisher: Publisher;
  #units: Units = new Set();
  #whole: Snapshot | null = null;
  #epoch = '';
  /** The row here of each row of the whole fleet that was shown in this epoch. */
  #rows = new Map<number, number>();

  constructor(clock: Clock) {
    this.#publisher = new Publisher({ ...DEFAULT_LIVE_SETTINGS, clock });
  }

  answer(whole: Snapshot, units: Units, since: string | null, accept: Encoding): Promise<FeedAnswer> {
    if (whole !== this.#whole || !isSame(units, this.#units)) this.#publish(whole, units);
    return this.#publisher.answer(since, accept);
  }

  #publish(whole: Snapshot, units: Units): void {
    const [epoch = '', version = ''] = whole.version.split('.');
    if (!isSame(units, this.#units) || !this.#epoch.startsWith(`${epoch}-`)) {
      this.#epoch = `${epoch}-${crypto.randomUUID().slice(0, 8)}`;
      this.#rows = new Map();
    }
    this.#units = units;
    this.#whole = whole;
    this.#publisher.publish({ ...this.#toFleet(whole), version: `${this.#epoch}.${version}` });
  }

  #toFleet(whole: Snapshot): Snapshot {
    const seen: number[] = [];
    whole.identities.forEach((identity, row) => {
      if (identity === null || !this.#units.has(identity.key)) return;
      seen.push(row);
      if (!this.#rows.has(row)) this.#rows.set(row, this.#rows.size);
    });
    const rows = this.#rows.size;
    const identities = Array.from({ length: rows }, (): UnitIdentity | null => null);
    const columns = createColumns(rows);
    columns.latE5.fill(NO_POSITION);
    columns.lngE5.fill(NO_POSITION);
    for (const row of seen) {
      const at = this.#rows.get(row)!;
      identities[at] = whole.identities[row]!;
      for (const name of [...MOTION_COLUMNS, ...STATE_COLUMNS]) columns[name][at] = whole.columns[name][row]!;
    }
    const activeUnits = seen.filter((row) => isActive(whole, row)).length;
    return { ...whole, rows, identities, columns, feed: toSeenState(whole.feed, activeUnits) };
  }
}

/**
 * Feeds for users who are limited to the units with some tags. A fleet is decoded here once a version, and its seen
 * units are encoded once a version and set of tags; the answers for whole fleets stay as they are.
 */
export class LimitedFeeds {
  readonly #options: LimitedFeedsOptions;
  readonly #whole = new LRUCache<string, Promise<Snapshot>>({ max: FLEETS_KEPT });
  readonly #limited = new LRUCache<string, LimitedFleet>({ max: LIMITS_KEPT });

  constructor(options: LimitedFeedsOptions) {
    this.#options = options;
  }

  /** A feed with nothing of units other than those with one of `tags`. */
  limit(feed: Feed, usdot: string, tags: readonly string[]): Feed {
    const { readUnits, clock } = this.#options;
    const name = `${usdot} ${JSON.stringify([...tags].sort())}`;
    const fleet = getOrMake(this.#limited, name, () => new LimitedFleet(clock));
    return {
      answer: async (since, accept) => {
        const [units, whole] = [await readUnits(usdot, tags), await this.#readWhole(feed, usdot)];
        return fleet.answer(whole, units, since, accept);
      },
      detail: async (key) => {
        const detail = (await readUnits(usdot, tags)).has(key) ? await feed.detail(key) : null;
        return detail && { ...detail, flags: detail.flags.map(toSeenFlag) };
      },
      pollOnce: () => feed.pollOnce(),
      recordAll: () => feed.recordAll(),
      unitsOf: (vehicles) => feed.unitsOf(vehicles),
      tryNow: () => feed.tryNow(),
      state: () => toSeenState(feed.state(), 0),
      refusedForMs: () => feed.refusedForMs(),
      salvage: () => null,
      problems: () => [],
    };
  }

  /** The newest version of a fleet. One request after the other, so that each continues from the last one's. */
  #readWhole(feed: Feed, usdot: string): Promise<Snapshot> {
    const before = this.#whole.get(usdot);
    const pending = this.#advance(feed, before);
    this.#whole.set(usdot, pending);
    pending.catch(() => {
      // The next request reads the whole fleet again.
      if (this.#whole.peek(usdot) === pending) this.#whole.delete(usdot);
    });
    return pending;
  }

  async #advance(feed: Feed, before: Promise<Snapshot> | undefined): Promise<Snapshot> {
    const { clock } = this.#options;
    // The request before this one has reported its failure.
    const held = (await before?.catch(() => null)) ?? null;
    const answer = await feed.answer(held?.version ?? null, 'identity');
    if (answer.body === null) return held!;
    const decoded = fromLiveBytes(answer.body);
    const dueInMs = decoded.nowMs + decoded.nextPollMs - clock.nowMs() - DEFAULT_LIVE_SETTINGS.slackMs;
    return { ...applyLiveAnswer(held, decoded), nextDueAtMs: clock.monotonicMs() + dueInMs };
  }
}
