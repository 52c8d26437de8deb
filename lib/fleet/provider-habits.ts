import 'server-only';
import type { MotionSettings } from '@/lib/motion/settings';
import type { UnitRecord } from './unit/unit-record';

/** What most units of a fleet show of its provider, which is no fault of one of them. */
interface ProviderHabits extends Pick<MotionSettings, 'usualDelayMs' | 'heldPlaceMs'> {
  /** Whether enough is known of its units to tell a late provider from a late unit. */
  isDelayKnown: boolean;
}

/** So many units of a fleet do not have the same fault by chance. */
const LEAST_UNITS = 3;
/** Where there are fewer, each has to be as late with so many records in a row: a bad network would vary. */
const LEAST_RECORDS = 20;
/** A shorter delay is within what a unit may be late anyway. */
const LEAST_DELAY_MS = 2 * 60_000;
/** The delay is rounded down to this, so that statuses do not change with each answer. */
const DELAY_STEP_MS = 30_000;
/** What a unit showed longer ago shows no present habit. */
const DELAYED_RECENTLY_MS = 10 * 60_000;
const HELD_RECENTLY_MS = 60 * 60_000;
/** The share of driving units with a held position from which the provider counts as holding them. */
const HELD_SHARE = 1 / 4;

/** Whether the newest record of a unit, dated by its own time, was received lately. */
const isHeardLately = ({ history: { held, heldLagMs, receipt } }: UnitRecord, nowMs: number): boolean =>
  held?.fixAtMs != null && receipt === null && nowMs - held.fixAtMs - heldLagMs <= DELAYED_RECENTLY_MS;

/** The delay that all but a quarter of `heard` units have; `delaysMs` are those that are long. */
const toUsualDelayMs = (delaysMs: number[], heard: number): number => {
  const at = Math.floor(heard / 4) - (heard - delaysMs.length);
  if (at < 0) return 0;
  delaysMs.sort((a, b) => a - b);
  return Math.floor((delaysMs[at] ?? 0) / DELAY_STEP_MS) * DELAY_STEP_MS;
};

/**
 * The habits of a provider at `nowMs`: that most units' records come late, and that positions are repeated while units
 * drive. What fewer than three units show is not taken for a habit, except a delay that does not vary.
 */
export const toHabits = (records: Iterable<UnitRecord | null>, nowMs: number): ProviderHabits => {
  const delaysMs: number[] = [];
  let [heard, steady, moving, held, heldPlaceMs] = [0, 0, 0, 0, 0];
  for (const record of records) {
    if (!record?.isListed) continue;
    const { delayMs } = record;
    if (delayMs !== null && isHeardLately(record, nowMs)) {
      heard++;
      if (record.alikeDelays >= LEAST_RECORDS) steady++;
      if (delayMs >= LEAST_DELAY_MS) delaysMs.push(delayMs);
    }
    const { heldPlace, phase } = record.history.state.motionState;
    const isHeld = heldPlace !== null && nowMs - heldPlace.untilMs <= HELD_RECENTLY_MS;
    if (isHeld || phase === 'moving') moving++;
    if (!isHeld) continue;
    held++;
    heldPlaceMs = Math.max(heldPlaceMs, heldPlace.spanMs);
  }
  const isDelayKnown = heard >= LEAST_UNITS || (heard > 0 && steady === heard);
  return {
    usualDelayMs: isDelayKnown ? toUsualDelayMs(delaysMs, heard) : 0,
    heldPlaceMs: held < Math.max(LEAST_UNITS, moving * HELD_SHARE) ? 0 : heldPlaceMs,
    isDelayKnown,
  };
};
