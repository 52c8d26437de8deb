import 'server-only';
import type { MotionSettings } from '@/lib/motion/settings';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { UNNAMED } from '@/lib/wire/fleet';
import type { Columns, UnitIdentity } from '@/lib/wire/fleet';
import { createColumns, withRoom } from '@/lib/wire/live';
import { toNumberedKey, toSharedKey } from '@/lib/wire/unit-names';
import type { UnitDetail } from '@/lib/wire/unit';
import { EMPTY_MEMORY } from '@/lib/motion/memory';
import type { Comparison } from '../feed/anomaly-check';
import type { KnownCarrier } from '../lookups/carrier-cache';
import { FleetHome } from './fleet-home';
import { createNameWatch } from './name-watch';
import { identifyUnits } from './identify';
import type { IdentifiedUnits } from './identify';
import { joinUnits } from './join-units';
import { clearRow, copyRows, writeRow } from './row-columns';
import { toUnitBounds } from '../settings';
import type { LiveSettings } from '../settings';
import type { RosterVins } from '../unit/unit-flags';
import {
  createRecord,
  deriveRecord,
  isOtherwise,
  judgeRecord,
  setListed,
  shiftRecord,
  tellCarrier,
  toUnitDetail,
} from '../unit/unit-record';
import type { UnitRecord } from '../unit/unit-record';
import { compareToHeld } from '../unit/record-dating';
import { createTelling, tellRecord } from '../unit/unit-history';
import type { Telling } from '../unit/unit-history';

/** The rows of a fleet at one moment, in immutable arrays of their own. */
export interface FleetRows {
  rows: number;
  identities: (UnitIdentity | null)[];
  columns: Columns;
}

/** The part of a comparison that is computed unit by unit. */
export type FleetComparison = Pick<
  Comparison,
  'stillListed' | 'strangers' | 'older' | 'newer' | 'repeated' | 'vins' | 'onRoster' | 'rosterVins'
>;

export interface FleetMemory {
  /**
   * Applies an answer of the provider: every unit that it lists as active at `nowMs`, and the number of its
   * other records, in which nothing names a unit.
   */
  observe(units: readonly TrackedUnit[], roster: RosterVins, nowMs: number, unreadable?: number): void;
  /** Compares an answer with the fleet without applying it. */
  compare(units: readonly TrackedUnit[], nowMs: number): FleetComparison;
  /** Stores the carrier that a VIN is registered to; its row changes with the next answer. */
  learnCarrier(known: KnownCarrier): void;
  /** Whether a VIN's carrier must be confirmed by another answer before its unit's flag changes. */
  isCarrierOpen(vin: string): boolean;
  /** VINs of the listed units, in no particular order; read lazily. */
  listedVins(): Iterable<string>;
  /**
   * The clock was set by `stepMs` and now reads `nowMs`: all that was dated or judged by it is recomputed.
   */
  followClock(stepMs: number, nowMs: number): void;
  copyRows(): FleetRows;
  /** Renumbers the rows without gaps; true where that was worthwhile: a new epoch begins. */
  compact(): boolean;
  detail(key: string, version: string): UnitDetail | null;
}

const toRosterIdentity = (vin: string): UnitIdentity => ({ ...UNNAMED, key: vin, vin });

/**
 * Every known unit of a fleet, each in a row of its own: those that the provider lists, those that left its
 * list, and the VINs of the roster that were never seen. A unit that is neither listed nor on the roster is
 * forgotten after a while; its row stays empty.
 */
export const createFleetMemory = (
  settings: LiveSettings,
  usdot: string,
  carrierOf: (vin: string) => KnownCarrier | null = () => null,
): FleetMemory => {
  let records: (UnitRecord | null)[] = [];
  let rowOf = new Map<string, number>();
  let columns = createColumns(0);
  /** The number of the answer in which each row was last listed. */
  let seenIn = new Int32Array(0);
  let answers = 0;
  let emptyRows = 0;
  const home = new FleetHome();
  let roster: RosterVins = null;
  let observedAtMs = 0;
  let motion: MotionSettings = settings.motion;
  let judgedBy: MotionSettings = settings.motion;
  const names = createNameWatch({
    read: (key) => records[rowOf.get(key) ?? -1] ?? null,
    isInAnswer: (key) => seenIn[rowOf.get(key) ?? -1] === answers,
  });

  const append = (record: UnitRecord): number => {
    const row = records.push(record) - 1;
    rowOf.set(record.story.state.identity.key, row);
    columns = withRoom(columns, records.length);
    if (seenIn.length < records.length) {
      const grown = new Int32Array(columns.latE5.length);
      grown.set(seenIn);
      seenIn = grown;
    }
    return row;
  };

  const create = (identity: UnitIdentity, isListed: boolean, nowMs: number): UnitRecord => {
    const record = createRecord(identity, isListed, nowMs);
    const known = identity.vin === null ? null : carrierOf(identity.vin);
    if (known) tellCarrier(record, known, usdot, settings);
    return record;
  };

  /** Cached between comparing an answer and applying it, because no unit joins or leaves in between. */
  let identified: { answer: readonly TrackedUnit[]; result: IdentifiedUnits } | null = null;
  const identify = (units: readonly TrackedUnit[], nowMs: number): IdentifiedUnits => {
    if (identified?.answer === units) return identified.result;
    const isCurrent = (row: number): boolean =>
      seenIn[row] === answers && (records[row]?.story.told.length ?? 0) > 0;
    const result = identifyUnits(units, { records, rowOf, isCurrent, roster, motion }, nowMs);
    identified = { answer: units, result };
    return result;
  };

  /** A unit has a better key: its history moves to the row of that key, which is returned. */
  const rename = (from: number, { identity }: TrackedUnit, nowMs: number, telling: Telling): number => {
    const twin = records[from]!;
    const row = rowOf.get(identity.key) ?? append(create(identity, true, nowMs));
    joinUnits(records[row]!, twin, identity, telling);
    forget(from, twin);
    names.note(records[row]!);
    return row;
  };

  /** A free key for a new unit, numbered where another vehicle has the name that the key is made of. */
  const toFreeKey = (key: string): string => {
    const shared = toSharedKey(key) ?? key;
    let free = key;
    for (let number = 1; rowOf.has(free); number++) free = toNumberedKey(shared, number);
    return free;
  };

  const appendNew = ({ identity }: TrackedUnit, nowMs: number): number => {
    const key = toFreeKey(identity.key);
    return append(create(key === identity.key ? identity : { ...identity, key }, true, nowMs));
  };

  const observeUnit = (unit: TrackedUnit, heldRow: number, nowMs: number, telling: Telling): void => {
    const row = heldRow < 0 ? appendNew(unit, nowMs) : heldRow;
    const record = records[row]!;
    seenIn[row] = answers;
    if (!record.isListed) setListed(record, true, nowMs);
    record.missingSinceMs = Infinity;
    const { identity } = record.story.state;
    if (!tellRecord(record.story, unit, nowMs, telling)) return;
    record.rewriteAtMs = -Infinity;
    if (unit.position) home.learn(unit.position, nowMs);
    if (heldRow < 0 || record.story.state.identity !== identity) names.note(record);
  };

  /** Each unit is judged with this answer, so the time of its next check is void. */
  const judgeAll = (): void => {
    for (const record of records) if (record) record.rewriteAtMs = -Infinity;
  };

  const observeRoster = (next: RosterVins, nowMs: number): void => {
    if (next === roster) return;
    roster = next;
    judgeAll();
    for (const vin of next ?? []) if (!rowOf.has(vin)) append(create(toRosterIdentity(vin), false, nowMs));
  };

  /** A unit is missing from the answer: it has left the list once that has lasted for a while. */
  const miss = (record: UnitRecord, nowMs: number): void => {
    if (record.missingSinceMs === Infinity) record.missingSinceMs = nowMs;
    if (nowMs - record.missingSinceMs >= motion.vanishedAfterMs)
      setListed(record, false, record.missingSinceMs);
  };

  const isForgotten = ({ story, isListed, sinceMs }: UnitRecord, nowMs: number): boolean => {
    const { identity, memory } = story.state;
    if (isListed || (identity.vin !== null && roster?.has(identity.vin))) return false;
    return memory === EMPTY_MEMORY || nowMs - sinceMs >= settings.forgetAfterMs;
  };

  const forget = (row: number, record: UnitRecord): void => {
    names.forget(record);
    rowOf.delete(record.story.state.identity.key);
    records[row] = null;
    emptyRows++;
    clearRow(columns, row);
  };

  const write = (row: number, record: UnitRecord): void => {
    const mask = judgeRecord(record, { usdot, roster, home }, observedAtMs, motion);
    writeRow(columns, row, record.story.state.memory, deriveRecord(record, observedAtMs, motion), mask);
  };

  const countMissing = (): number => {
    let missing = 0;
    for (let row = 0; row < records.length; row++)
      if (records[row]?.isListed && seenIn[row] !== answers) missing++;
    return missing;
  };

  return {
    compare: (units, nowMs) => {
      let [stillListed, strangers, older, newer, repeated, vins, onRoster] = [0, 0, 0, 0, 0, 0, 0];
      const answer = identify(units, nowMs);
      for (let i = 0; i < units.length; i++) {
        const unit = answer.units[i]!;
        const { identity } = unit;
        const record = records[answer.rows[i]!];
        if (record?.isListed) stillListed++;
        else if (!record || record.story.state.memory === EMPTY_MEMORY) strangers++;
        if (identity.vin !== null) {
          vins++;
          if (roster?.has(identity.vin)) onRoster++;
        }
        const order = record ? compareToHeld(record.story, unit, nowMs, motion) : 0;
        if (order > 0) newer++;
        else if (order < 0) older++;
        else if (record && unit.position && unit.fixAtMs !== null) repeated++;
      }
      const ofRoster = { onRoster: roster && onRoster, rosterVins: roster?.size ?? 0 };
      return { stillListed, strangers, older, newer, repeated, vins, ...ofRoster };
    },

    observe: (units, nextRoster, nowMs, unreadable = 0) => {
      const answer = identify(units, nowMs);
      identified = null;
      answers++;
      observedAtMs = nowMs;
      if (settings.motion !== judgedBy) judgeAll();
      judgedBy = settings.motion;
      motion = { ...settings.motion, ...toUnitBounds(settings, units.length) };
      const telling = createTelling(motion);
      for (const i of answer.renamed)
        answer.rows[i] = rename(answer.rows[i]!, answer.units[i]!, nowMs, telling);
      answer.units.forEach((unit, i) => observeUnit(unit, answer.rows[i]!, nowMs, telling));
      observeRoster(nextRoster, nowMs);
      names.settle(nowMs, motion);
      // Missing units may be the unreadable records: they have not left.
      const areExplained = unreadable > 0 && countMissing() <= unreadable;
      for (let row = 0; row < records.length; row++) {
        const record = records[row];
        if (!record) continue;
        if (record.isListed && seenIn[row] !== answers && !areExplained) miss(record, nowMs);
        if (isForgotten(record, nowMs)) forget(row, record);
        else if (nowMs >= record.rewriteAtMs) write(row, record);
      }
    },

    learnCarrier: (known) => {
      const record = records[rowOf.get(known.carrier.vin) ?? -1];
      if (record) tellCarrier(record, known, usdot, settings);
    },

    isCarrierOpen: (vin) => {
      const record = records[rowOf.get(vin) ?? -1];
      const known = carrierOf(vin);
      return Boolean(record && known && isOtherwise(record, known.carrier, usdot));
    },

    followClock: (stepMs, nowMs) => {
      const telling = createTelling(motion);
      for (const record of records) if (record) shiftRecord(record, stepMs, nowMs, telling);
    },

    *listedVins() {
      for (const record of records) {
        const vin = record?.isListed ? record.story.state.identity.vin : null;
        if (vin) yield vin;
      }
    },

    copyRows: () => ({
      rows: records.length,
      identities: records.map((record) => record?.story.state.identity ?? null),
      columns: copyRows(columns, records.length),
    }),

    compact: () => {
      if (emptyRows < Math.max(settings.emptyRowsLeast, records.length / 2)) return false;
      const kept = records.filter((record) => record !== null);
      const keptSeenIn = seenIn.filter((_, row) => records[row] != null);
      records = [];
      rowOf = new Map();
      columns = createColumns(kept.length);
      seenIn = keptSeenIn;
      emptyRows = 0;
      for (const record of kept) write(append(record), record);
      return true;
    },

    detail: (key, version) => {
      const record = records[rowOf.get(key) ?? -1];
      return record ? toUnitDetail(record, { usdot, roster, home }, version, observedAtMs, motion) : null;
    },
  };
};
