import type { TrackedUnit } from '@/lib/tracking/unit';
import { UNNAMED, type UnitIdentity } from '@/lib/wire/fleet';
import { fixAt } from '@/testing/motion/fixes';

export const identityOf = (key: string, fields: Partial<UnitIdentity> = {}): UnitIdentity => ({
  ...UNNAMED,
  key,
  vin: key.includes(':') ? null : key,
  ...fields,
});

/** A unit a given number of minutes after the start, and meters north of its first position. */
export const unitAt = (
  key: string,
  minutes: number,
  northM: number,
  more: Partial<TrackedUnit> = {},
): TrackedUnit => {
  const { lat, lng, fixAtMs } = fixAt(minutes, northM);
  return { identity: identityOf(key), position: { lat, lng }, fixAtMs, otherAtMs: null, flags: [], ...more };
};
