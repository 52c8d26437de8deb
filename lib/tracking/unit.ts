import 'server-only';
import type { UnitIdentity } from '@/lib/wire/fleet';
import type { FlagEvidence } from '@/lib/wire/unit';
import type { LatLng } from '@/lib/wire/units';

/**
 * One unit as the provider says it, made sound: `position` and `fixAtMs` are null where they cannot be
 * used, and whatever a person should check stands in `flags` with the words for it.
 */
export interface TrackedUnit {
  identity: UnitIdentity;
  /** WGS 84, decimal degrees. */
  position: LatLng | null;
  /** Unix milliseconds. */
  fixAtMs: number | null;
  /** The record's other time as given, Unix ms: it tells two records of one `fixAtMs` apart; null where there is none. */
  otherAtMs: number | null;
  flags: FlagEvidence[];
}

/** What had to be left out of an answer or mended in it, with the first cases in words. */
export interface SalvageReport {
  /** Records that could not be used at all. */
  dropped: number;
  /** Fields that were mended: numbers in texts, VINs in lower case, values of the wrong type. */
  repaired: number;
  examples: string[];
}
