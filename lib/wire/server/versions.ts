import 'server-only';

/**
 * Versions are `EPOCH.N`: N counts the versions of an epoch, and an epoch begins with its time in Unix ms (base 36, eight
 * digits until 2059), so that versions of several servers have an order.
 */
const TIME_DIGITS = 8;

/** @param atMs Unix ms @param random in [0, 1) */
export const createEpoch = (atMs: number, random: number): string =>
  Math.floor(atMs).toString(36).padStart(TIME_DIGITS, '0') + Math.floor(random * 36 ** 4).toString(36);

/** The part of a version before the dot: rows keep their units within one epoch. */
export const toEpoch = (version: string): string => version.slice(0, version.lastIndexOf('.'));

/** The time of an epoch; what no server has made is older than all. */
const toTime = (epoch: string): string => (epoch.length > TIME_DIGITS ? epoch.slice(0, TIME_DIGITS) : '');

/** Whether a version is the same as another one or newer. */
export const isAtLeast = (version: string, other: string): boolean => {
  const [epoch, otherEpoch] = [toEpoch(version), toEpoch(other)];
  if (epoch === otherEpoch)
    return Number(version.slice(epoch.length + 1)) >= Number(other.slice(epoch.length + 1));
  return toTime(epoch) > toTime(otherEpoch);
};
