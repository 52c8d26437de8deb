import 'server-only';
import type { StoredVehicle, StoredUnit } from '@/lib/fleet/recorded-units';
import type { Clock } from '@/lib/base/clock';
import { toE5 } from '@/lib/fleet/row-columns';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { isUsableTime } from '@/lib/motion/observe';
import { FencedError, type HistoryRepository } from './history-repository';
import { NOT_SHOWN, toBools, toInt4s, toInt8s, toTexts, type PgRows } from '@/lib/fleet/poll-changes';
import { groupBy } from '@/lib/base/maps';

/** A fix as a device reported it: degrees, and Unix ms of the fix and of its arrival. */
export interface StoredFix extends StoredVehicle {
  fixAtMs: number;
  receivedAtMs: number;
  lat: number;
  lng: number;
}

/** The store of own fleets' fixes, which answers their polls: by revision, in the order of commits. */
export interface StoredFixes {
  /** The newest revision of a fleet before the service answered its last poll; null where there was none. */
  revisionAtPoll(usdot: string): number | null;
  /** The newest revision now: no fix that is yet to be committed has one up to it. Null: the store has no such fleet. */
  readRevision(usdot: string): Promise<number | null>;
  /** Some fixes with revisions after `since` up to `until`, in their order: all those up to the `revision` of the result. */
  listSince(
    usdot: string,
    since: number,
    until: number,
  ): Promise<{ fixes: readonly StoredFix[]; revision: number }>;
}

export interface HandOverOptions {
  stored: StoredFixes;
  unitsOf: (usdot: string, vehicles: readonly StoredVehicle[]) => Promise<readonly StoredUnit[]>;
  open: () => Promise<HistoryRepository>;
  clock: Pick<Clock, 'nowMs'>;
  log: Record<'warn', (fields: object, message: string) => void>;
}

/** A poll whose changes are recorded: all that it showed was stored by then. */
interface RecordedPoll {
  fence: number | null;
  revision: number;
}

const hasPosition = ({ lat, lng }: StoredFix): boolean => !(lat === 0 && lng === 0);

/** Whether a fix has a time that is possible: what else a device sends counts only where a poll shows it. */
const isPossible = ({ fixAtMs, receivedAtMs }: StoredFix): boolean =>
  isUsableTime(fixAtMs, receivedAtMs, DEFAULT_MOTION_SETTINGS);

/** Whether a fix was fresh and none ahead of its time: then the clock is right, and old ones waited for a connection. */
const hasFresh = (fixes: readonly StoredFix[]): boolean => {
  const { silentAfterMs, futureMs } = DEFAULT_MOTION_SETTINGS;
  const agesMs = fixes.map(({ receivedAtMs, fixAtMs }) => receivedAtMs - fixAtMs);
  return agesMs.some((ageMs) => ageMs < silentAfterMs) && agesMs.every((ageMs) => ageMs >= -futureMs);
};

/** The fixes of a wrong clock that came together with a newer one, each as long before that one came as it says. */
const toReceipt = (fixes: readonly StoredFix[]): StoredFix[] => {
  const newestMs = new Map<number, number>();
  for (const { receivedAtMs, fixAtMs } of fixes)
    newestMs.set(receivedAtMs, Math.max(fixAtMs, newestMs.get(receivedAtMs) ?? -Infinity));
  return fixes
    .map((fix) => ({ ...fix, fixAtMs: fix.receivedAtMs - newestMs.get(fix.receivedAtMs)! + fix.fixAtMs }))
    .filter(({ fixAtMs, receivedAtMs }) => fixAtMs < receivedAtMs);
};

/** The rows of fixes that no poll showed, by the VINs of their vehicles. The newest of a wrong clock are recorded as polls show them alone. */
const toRows = (
  fixesOf: ReadonlyMap<string, readonly StoredFix[]>,
  units: readonly StoredUnit[],
): PgRows | null => {
  const keyed = [...fixesOf.values()].flatMap((fixes, i) => {
    const { key, ...unit } = units[i]!;
    const isByReceipt = unit.isByReceipt && !hasFresh(fixes);
    const dated = isByReceipt ? toReceipt(fixes) : fixes;
    return dated.filter(isPossible).map((fix) => ({ ...fix, key, isByReceipt }));
  });
  if (keyed.length === 0) return null;
  const notShown = toInt4s(new Int32Array(keyed.length).fill(NOT_SHOWN));
  return {
    count: keyed.length,
    columns: [
      toTexts(keyed.map(({ key }) => key)),
      toInt8s(keyed.map(({ fixAtMs }) => fixAtMs)),
      toInt4s(keyed.map(({ lat }) => toE5(lat))),
      toInt4s(keyed.map(({ lng }) => toE5(lng))),
      toBools(Uint8Array.from(keyed, ({ isByReceipt }) => Number(isByReceipt))),
      notShown,
      notShown,
    ],
  };
};

/** Records own fleets' fixes that no poll showed, as sent after a dead zone; after each recorded poll, which comes first. */
export class HandOver {
  readonly #options: HandOverOptions;
  /** The newest recorded poll of each fleet that is being worked on. */
  readonly #polls = new Map<string, RecordedPoll>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #failing = new Set<string>();
  #isClosed = false;

  constructor(options: HandOverOptions) {
    this.#options = options;
  }

  /** Hands over in the background; what fails is done after the next poll. */
  start(usdot: string, poll: RecordedPoll): void {
    if (this.#isClosed) return;
    this.#polls.set(usdot, poll);
    if (!this.#running.has(usdot))
      this.#running.set(
        usdot,
        this.#run(usdot).finally(() => this.#running.delete(usdot)),
      );
  }

  async settle(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.settle();
  }

  async #run(usdot: string): Promise<void> {
    for (let poll = this.#take(usdot); poll !== null; poll = this.#take(usdot)) {
      try {
        await this.#handOver(usdot, poll);
        this.#failing.delete(usdot);
      } catch (error) {
        if (!(error instanceof FencedError) && !this.#failing.has(usdot) && !this.#isClosed) {
          this.#failing.add(usdot);
          const reason = String(error);
          this.#options.log.warn({ usdot, reason }, 'The stored fixes of a fleet cannot be recorded now.');
        }
      }
    }
  }

  #take(usdot: string): RecordedPoll | null {
    const poll = this.#polls.get(usdot) ?? null;
    this.#polls.delete(usdot);
    return this.#isClosed ? null : poll;
  }

  async #handOver(usdot: string, { fence, revision: until }: RecordedPoll): Promise<void> {
    const { stored, open, clock } = this.#options;
    const history = await open();
    const write = (since: number, revision: number, fixes: PgRows | null): Promise<boolean> =>
      history.handOver({ usdot, fence, seenMs: clock.nowMs(), since, revision, fixes });
    let since = await history.readHandedOver(usdot);
    if (until < since) {
      // Of another server's poll; or the store was set back, as by a restore: what it has was handed over.
      const newest = await stored.readRevision(usdot);
      if (newest !== null && newest < since) await write(since, newest, null);
      return;
    }
    while (since < until && !this.#isClosed) {
      const { fixes, revision } = await stored.listSince(usdot, since, until);
      // Another server has done it.
      if (!(await write(since, revision, await this.#toRows(usdot, fixes)))) return;
      since = revision;
    }
  }

  async #toRows(usdot: string, listed: readonly StoredFix[]): Promise<PgRows | null> {
    const fixesOf = groupBy(listed.filter(hasPosition), ({ vin }) => vin);
    if (fixesOf.size === 0) return null;
    const vehicles = [...fixesOf.values()].map(([first]) => {
      const { vin, deviceId, truckNumber } = first!;
      return { vin, deviceId, truckNumber };
    });
    return toRows(fixesOf, await this.#options.unitsOf(usdot, vehicles));
  }
}
