import 'server-only';
import type { UnitIdentity } from '@/lib/wire/fleet';
import type { FlagEvidence } from '@/lib/wire/unit';
import type { LatLng } from '@/lib/geo/units';

/** A unit as the provider reports it, validated: what is unusable is null, and `flags` says what to check. */
export interface TrackedUnit {
  identity: UnitIdentity;
  /** WGS 84, decimal degrees. */
  position: LatLng | null;
  /** Unix milliseconds. */
  fixAtMs: number | null;
  /** The record's other time, Unix ms, which distinguishes two records of one `fixAtMs`; null: none. */
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
