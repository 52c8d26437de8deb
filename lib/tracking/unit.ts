import 'server-only';
import type { UnitIdentity } from '@/lib/wire/fleet';
import type { FlagEvidence } from '@/lib/wire/unit';
import type { LatLng } from '@/lib/geo/units';

/**
 * One unit as the provider reports it, validated: `position` and `fixAtMs` are null where they are unusable,
 * and `flags` has whatever a person should check, with a text for each.
 */
export interface TrackedUnit {
  identity: UnitIdentity;
  /** WGS 84, decimal degrees. */
  position: LatLng | null;
  /** Unix milliseconds. */
  fixAtMs: number | null;
  /**
   * The record's other time as given, Unix ms: it distinguishes two records of one `fixAtMs`; null where
   * there is none.
   */
  otherAtMs: number | null;
  flags: FlagEvidence[];
}

/** The dropped records and repaired fields of an answer, with a description of the first cases. */
export interface SalvageReport {
  /** Records that were unusable. */
  dropped: number;
  /** Fields that were repaired: numbers in texts, VINs in lower case, values of the wrong type. */
  repaired: number;
  examples: string[];
}
