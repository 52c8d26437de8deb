import 'server-only';
import { deriveStatus, toNextStatusMs } from '@/lib/motion/derive';
import type { DerivedStatus } from '@/lib/motion/derive';
import { EMPTY_MEMORY } from '@/lib/motion/memory';
import type { UnitMemory } from '@/lib/motion/memory';
import { observeFix } from '@/lib/motion/observe';
import type { MotionSettings } from '@/lib/motion/settings';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { UNNAMED } from '@/lib/wire/fleet';
import type { Columns, UnitIdentity } from '@/lib/wire/fleet';
import { createColumns, withRoom } from '@/lib/wire/live';
import type { FlagEvidence, UnitDetail } from '@/lib/wire/unit';
import { clearRow, copyRows, writeRow } from './row-columns';
import type { LiveSettings } from './settings';
import { toUnitFlagMask, toUnitFlags } from './unit-flags';
import type { RosterVins } from './unit-flags';

/** What is known of the unit of one row. */
interface UnitRecord {
  identity: UnitIdentity;
  memory: UnitMemory;
  /** What the provider's newest record of it said to check. */
  told: readonly FlagEvidence[];
  isListed: boolean;
  /** Since when it is listed, or is not. */
  sinceMs: number;
  /** When its row says something else although nothing more is heard of it; the past: now. */
  rewriteAtMs: number;
}

/** The rows of a fleet at one moment, in arrays of their own that nothing changes any more. */
export interface FleetRows {
  rows: number;
  identities: (UnitIdentity | null)[];
  columns: Columns;
}

export interface FleetMemory {
  /** Takes in an answer of the provider: every unit that it lists as active at `nowMs`. */
  observe(units: readonly TrackedUnit[], roster: RosterVins, nowMs: number): void;
  copyRows(): FleetRows;
  /** Numbers the rows anew, without gaps; true when that was worth it: a new epoch begins. */
  compact(): boolean;
  detail(key: string, version: string): UnitDetail | null;
}

/** Spelt out, because it runs for every unit of every answer. */
const isSameIdentity = (a: UnitIdentity, b: UnitIdentity): boolean =>
  a === b ||
  (a.vin === b.vin &&
    a.truckNumber === b.truckNumber &&
    a.plateState === b.plateState &&
    a.plateNumber === b.plateNumber &&
    a.make === b.make &&
    a.model === b.model &&
    a.year === b.year &&
    a.fuelType === b.fuelType &&
    a.assetType === b.assetType &&
    a.deviceId === b.deviceId);

const toRosterIdentity = (vin: string): UnitIdentity => ({ ...UNNAMED, key: vin, vin });

const toRecord = (identity: UnitIdentity, isListed: boolean, nowMs: number): UnitRecord => ({
  identity,
  memory: EMPTY_MEMORY,
  told: [],
  isListed,
  sinceMs: nowMs,
  rewriteAtMs: -Infinity,
});

/**
 * Every unit of a fleet that was heard of, each in a row of its own: those that the provider lists, those
 * that left its list, and the VINs of the roster that were never seen. A unit that is neither listed nor on
 * the roster is forgotten after a while; its row stays empty.
 */
export const createFleetMemory = (settings: LiveSettings): FleetMemory => {
  let records: (UnitRecord | null)[] = [];
  let rowOf = new Map<string, number>();
  let columns = createColumns(0);
  /** The number of the answer in which each row was last listed. */
  let seenIn = new Int32Array(0);
  let answers = 0;
  let emptyRows = 0;
  let roster: RosterVins = null;
  let observedAtMs = 0;
  let motion: MotionSettings = settings.motion;

  const append = (record: UnitRecord): number => {
    const row = records.push(record) - 1;
    rowOf.set(record.identity.key, row);
    columns = withRoom(columns, records.length);
    if (seenIn.length < records.length) {
      const grown = new Int32Array(columns.latE5.length);
      grown.set(seenIn);
      seenIn = grown;
    }
    return row;
  };

  const setListed = (record: UnitRecord, isListed: boolean, nowMs: number): void => {
    record.isListed = isListed;
    record.sinceMs = nowMs;
    record.rewriteAtMs = -Infinity;
  };

  const observeUnit = ({ identity, position, fixAtMs, flags }: TrackedUnit, nowMs: number): void => {
    const heldRow = rowOf.get(identity.key);
    const row = heldRow ?? append(toRecord(identity, true, nowMs));
    const record = records[row]!;
    seenIn[row] = answers;
    if (!isSameIdentity(record.identity, identity)) record.identity = identity;
    if (flags.length > 0 || record.told.length > 0) {
      record.told = flags;
      record.rewriteAtMs = -Infinity;
    }
    if (!record.isListed) setListed(record, true, nowMs);
    if (!position) return;
    const memory = observeFix(
      record.memory,
      { lat: position.lat, lng: position.lng, fixAtMs },
      nowMs,
      motion,
    );
    if (memory === record.memory) return;
    record.memory = memory;
    record.rewriteAtMs = -Infinity;
  };

  const observeRoster = (next: RosterVins, nowMs: number): void => {
    if (next === roster) return;
    roster = next;
    for (const record of records) if (record) record.rewriteAtMs = -Infinity;
    for (const vin of next ?? []) if (!rowOf.has(vin)) append(toRecord(toRosterIdentity(vin), false, nowMs));
  };

  const isForgotten = ({ identity, memory, isListed, sinceMs }: UnitRecord, nowMs: number): boolean => {
    if (isListed || (identity.vin !== null && roster?.has(identity.vin))) return false;
    return memory === EMPTY_MEMORY || nowMs - sinceMs >= settings.forgetAfterMs;
  };

  const forget = (row: number, { identity }: UnitRecord): void => {
    rowOf.delete(identity.key);
    records[row] = null;
    emptyRows++;
    clearRow(columns, row);
  };

  const derive = ({ memory, isListed, sinceMs }: UnitRecord): DerivedStatus =>
    deriveStatus(memory, observedAtMs, { isListed, sinceMs }, motion);

  const write = (row: number, record: UnitRecord): void => {
    const mask = toUnitFlagMask(record.told, record.memory, record.identity, roster);
    writeRow(columns, row, record.memory, derive(record), mask);
    record.rewriteAtMs = toNextStatusMs(record.memory, observedAtMs, record, motion);
  };

  return {
    observe: (units, nextRoster, nowMs) => {
      answers++;
      observedAtMs = nowMs;
      const each = Math.floor(settings.trackFixesTotal / Math.max(1, units.length));
      const trackFixes = Math.min(settings.motion.trackFixes, Math.max(settings.trackFixesLeast, each));
      motion = { ...settings.motion, trackFixes };
      for (const unit of units) observeUnit(unit, nowMs);
      observeRoster(nextRoster, nowMs);
      for (let row = 0; row < records.length; row++) {
        const record = records[row];
        if (!record) continue;
        if (record.isListed && seenIn[row] !== answers) setListed(record, false, nowMs);
        if (isForgotten(record, nowMs)) forget(row, record);
        else if (nowMs >= record.rewriteAtMs) write(row, record);
      }
    },

    copyRows: () => ({
      rows: records.length,
      identities: records.map((record) => record?.identity ?? null),
      columns: copyRows(columns, records.length),
    }),

    compact: () => {
      if (emptyRows < Math.max(settings.emptyRowsLeast, records.length / 2)) return false;
      const kept = records.filter((record) => record !== null);
      records = [];
      rowOf = new Map();
      columns = createColumns(kept.length);
      seenIn = new Int32Array(kept.length).fill(answers);
      emptyRows = 0;
      for (const record of kept) write(append(record), record);
      return true;
    },

    detail: (key, version) => {
      const record = records[rowOf.get(key) ?? -1];
      if (!record) return null;
      const { identity, memory, told } = record;
      const { status, reason, sinceMs, evidence } = derive(record);
      return {
        identity,
        version,
        status,
        reason,
        sinceMs,
        evidence,
        usualIntervalMs: memory.usualIntervalMs,
        flags: toUnitFlags(told, memory, identity, roster),
        track: [...memory.fixes],
        doubtful: memory.doubtful,
      };
    },
  };
};
