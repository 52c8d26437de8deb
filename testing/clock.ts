import { systemClock, type Clock } from '@/lib/base/clock';

/** A clock that reads the time from a test, for both the wall clock and monotonic time. */
export const clockOf = (nowMs: () => number, setTimer: Clock['setTimer'] = systemClock.setTimer): Clock => ({
  nowMs,
  monotonicMs: nowMs,
  setTimer,
});
