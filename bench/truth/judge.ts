import { distanceM } from '@/lib/geo/geodesy';
import { toUsualIntervalMs } from '@/lib/motion/rhythm';
import type { Fix } from '@/lib/motion/track';
import type { Flag, Status } from '@/lib/motion/status';
import { MINUTE_MS } from '@/lib/base/time';

/** What a browser shows of one unit at one moment. */
export interface Shown {
  status: Status;
  speedKph: number | null;
  fixAtMs: number | null;
  flags: readonly Flag[];
  /** Whether its words give the time at which it was so. */
  isDated: boolean;
}

/** Unit-minutes, by what was shown and whether it was right. */
export interface Figures {
  shown: Record<Status, number>;
  /** Shown as moving below 3 km/h, or without a speed. */
  movingTooSlow: number;
  /** Shown as moving while the unit's own fixes of the last five minutes lie within 50 m. */
  movingInPlace: number;
  /** Resting on a fix older than the unit's own rhythm, without giving its time. */
  oldUndated: number;
  /** Shown with more than 200 km/h. */
  tooFast: number;
  /** Shown as moving, undated, while the vehicle in fact stayed within 50 m for five minutes. */
  movingButStood: number;
  /** Shown as stopped, undated, while the vehicle in fact went more than a kilometer in five minutes. */
  stoppedButDrove: number;
  /** Minutes in which vehicles in fact went more than a kilometer in five minutes. */
  drove: number;
  /** Minutes in which vehicles in fact stayed within 50 m for five minutes. */
  stood: number;
  /** Units with each flag at any time. */
  flags: Map<Flag, Set<string>>;
  /** Changes from one status to another. */
  changes: number;
}

const WINDOW_MS = 5 * MINUTE_MS;
const STANDS_WITHIN_M = 50;
const DRIVES_FROM_M = 1000;
const SLOWEST_KPH = 3;
const FASTEST_KPH = 200;
/** A rhythm is the median of the last five intervals; with fewer than three there is none. */
const RHYTHM_INTERVALS = 5;
const RHYTHM_LEAST = 3;
/** However seldom a unit reports, a fix of this age is dated; and below two minutes no fix is old. */
const OLD_AT_MOST_MS = 15 * MINUTE_MS;
const OLD_AT_LEAST_MS = 2 * MINUTE_MS;
const OLD_WITHOUT_RHYTHM_MS = 5 * MINUTE_MS;

/** The index of the last fix at or before a time; -1 where there is none. */
const lastIndexAt = (trail: readonly Fix[], atMs: number): number => {
  let [low, high] = [0, trail.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (trail[middle]!.fixAtMs <= atMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

/** How far apart the fixes of the last five minutes lie from the newest at most, m; null where fewer are known. */
const toExtentM = (trail: readonly Fix[], last: number): number | null => {
  const newest = trail[last];
  if (!newest) return null;
  let extentM = 0;
  for (let i = last - 1; i >= 0; i--) {
    extentM = Math.max(extentM, distanceM(trail[i]!, newest));
    if (trail[i]!.fixAtMs <= newest.fixAtMs - WINDOW_MS) return extentM;
  }
  return null;
};

/** The age from which a fix is older than its unit's rhythm: twice the median of its last five intervals. */
const toOldMs = (intervalsMs: readonly number[]): number => {
  const usualMs = toUsualIntervalMs(intervalsMs, RHYTHM_LEAST);
  if (usualMs === null) return OLD_WITHOUT_RHYTHM_MS;
  return Math.min(OLD_AT_MOST_MS, Math.max(OLD_AT_LEAST_MS, 2 * usualMs));
};

/** Statuses that imply that no new fix arrived. */
const SAYS_OLD: readonly Status[] = ['late', 'silent'];

const createFigures = (): Figures => ({
  shown: { moving: 0, stopped: 0, late: 0, silent: 0, unknown: 0 },
  movingTooSlow: 0,
  movingInPlace: 0,
  oldUndated: 0,
  tooFast: 0,
  movingButStood: 0,
  stoppedButDrove: 0,
  drove: 0,
  stood: 0,
  flags: new Map(),
  changes: 0,
});

/** Compares what is shown, minute by minute, with what devices sent and with where the vehicles were. */
export const createJudge = (
  sent: ReadonlyMap<string, readonly Fix[]>,
  actual: ReadonlyMap<string, readonly Fix[]>,
) => {
  const figures = createFigures();
  const before = new Map<string, Status>();
  const rhythms = new Map<string, { lastAtMs: number; intervalsMs: number[] }>();

  const noteActual = (device: string, { status, isDated }: Shown, nowMs: number): void => {
    const trail = actual.get(device) ?? [];
    const last = lastIndexAt(trail, nowMs);
    // Where the vehicle was is only known while it was recorded.
    if (last < 0 || nowMs - trail[last]!.fixAtMs > WINDOW_MS) return;
    const extentM = toExtentM(trail, last);
    if (extentM === null) return;
    if (extentM < STANDS_WITHIN_M) {
      figures.stood++;
      if (status === 'moving' && !isDated) figures.movingButStood++;
    }
    if (extentM > DRIVES_FROM_M) {
      figures.drove++;
      if (status === 'stopped' && !isDated) figures.stoppedButDrove++;
    }
  };

  return {
    figures,
    /** Takes in the time of a unit's newest fix, at each poll: what is between two polls cannot be known. */
    see: (device: string, fixAtMs: number): void => {
      const { lastAtMs, intervalsMs } = rhythms.get(device) ?? { lastAtMs: null, intervalsMs: [] };
      if (lastAtMs !== null && fixAtMs <= lastAtMs) return;
      const next = lastAtMs === null ? [] : [...intervalsMs, fixAtMs - lastAtMs].slice(-RHYTHM_INTERVALS);
      rhythms.set(device, { lastAtMs: fixAtMs, intervalsMs: next });
    },
    /** Takes in what is shown of the unit of a device at `nowMs`, by the clock of the recording. */
    note: (device: string, shown: Shown, nowMs: number): void => {
      const { status, speedKph, fixAtMs, flags, isDated } = shown;
      figures.shown[status]++;
      if ((before.get(device) ?? status) !== status) figures.changes++;
      before.set(device, status);
      for (const flag of flags) {
        const units = figures.flags.get(flag) ?? new Set();
        figures.flags.set(flag, units.add(device));
      }
      if (speedKph !== null && speedKph > FASTEST_KPH) figures.tooFast++;
      noteActual(device, shown, nowMs);
      if (fixAtMs === null) return;
      const trail = sent.get(device) ?? [];
      // The wire has whole seconds.
      const last = lastIndexAt(trail, fixAtMs + 999);
      if (status === 'moving') {
        if (speedKph === null || speedKph < SLOWEST_KPH) figures.movingTooSlow++;
        if ((toExtentM(trail, last) ?? Infinity) < STANDS_WITHIN_M) figures.movingInPlace++;
      }
      const isOld = nowMs - fixAtMs > toOldMs(rhythms.get(device)?.intervalsMs ?? []);
      if (isOld && !isDated && !SAYS_OLD.includes(status)) figures.oldUndated++;
    },
  };
};
