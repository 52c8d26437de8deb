/**
 * A unit's usual interval in milliseconds: the median of its last intervals between fixes, so that one dead
 * zone does not change it; null with fewer than `least`, which show no habit.
 */
export const toUsualIntervalMs = (intervalsMs: readonly number[], least: number): number | null => {
  if (intervalsMs.length === 0 || intervalsMs.length < least) return null;
  const sorted = [...intervalsMs].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1]!;
  return sorted.length % 2 === 1 ? upper : (sorted[(sorted.length >> 1) - 1]! + upper) / 2;
};
