import 'server-only';
import { type PollChanges, RecordedChanges } from './poll-changes';
import {
  type StoredUnit,
  type StoredVehicle,
  type RecordedUnit,
  type RecordedUnits,
  listUnits,
} from './recorded-units';
import type { MotionSettings } from '@/lib/motion/settings';
import { createSalvageNotes } from '@/lib/tracking/normalize/salvage';
import { normalizeUnit } from '@/lib/tracking/normalize/unit';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { LRUCache } from 'lru-cache';
import { UNNAMED, type FleetRows, type UnitIdentity } from '@/lib/wire/fleet';
import {
  type Names,
  NAME_KINDS,
  haveSameName,
  isUnnamed,
  nameOf,
  toNumberedKey,
  toPlainName,
  toSharedKey,
} from '@/lib/wire/unit-names';
import type { Renamed } from '@/lib/rules/poll-step';
import { createColumns, withRoom } from '@/lib/wire/live';
import type { UnitDetail } from '@/lib/wire/unit';
import { NO_MOTION } from '@/lib/motion/motion-state';
import { toMemory } from '@/lib/motion/observe';
import type { Comparison } from './anomaly-check';
import {
  type KnownCarrier,
  type FleetFacts,
  type UnitRecord,
  createRecord,
  deriveRecord,
  contradictsCarrier,
  judgeRecord,
  noteDelay,
  setListed,
  setUnlistedIdentity,
  shiftRecord,
  setCarrier,
  toUnitDetail,
} from './unit/unit-record';
import { FleetHome } from './fleet-home';
import { findCorrected, indexUnrecorded, type UnitsByNames, joinUnits } from './join-units';
import { NameMoves } from './name-moves';
import { identifyUnits, isCredible, type IdentifiedUnits } from './identify';
import { toHabits } from './fleet-norms';
import { clearRow, copyRows, writeRow } from './row-columns';
import { toUnitBounds, type LiveSettings } from './settings';
import type { RosterVins } from './unit/unit-flags';
import type { NameMove } from './unit/name-changes';
import { compareToHeld } from './unit/record-dating';
import { createHistoryRules, appendRecord, replayRecorded, type HistoryRules } from './unit/unit-history';

/** Units that continue from their recording with one answer: half a second of work at most. */
const RESTORED_PER_ANSWER = 2000;

/** The part of a comparison that is computed unit by unit. */
type FleetComparison = Pick<
  Comparison,
  'stillListed' | 'strangers' | 'older' | 'newer' | 'repeated' | 'vins' | 'onRoster' | 'rosterVins'
>;

/** The move of a name from one credible VIN to another that replaces it; none for any other correction. */
const toCorrectedVin = (
  known: { identity: UnitIdentity; names: Names; atMs: number },
  { identity, fixAtMs }: Pick<TrackedUnit, 'identity' | 'fixAtMs'>,
  nowMs: number,
  roster: RosterVins,
): NameMove[] => {
  const { vin, key } = known.identity;
  const kind = NAME_KINDS.find((each) => haveSameName(known.names, identity, each));
  if (kind === undefined || vin === null || vin !== key || identity.vin !== identity.key) return [];
  if (isCredible(identity.vin, roster) && !isCredible(vin, roster)) return [];
  const name = nameOf(identity, kind)!;
  return [{ kind, name, fromKey: vin, untilMs: known.atMs, sinceMs: fixAtMs ?? nowMs }];
};

const toRosterIdentity = (vin: string): UnitIdentity => ({ ...UNNAMED, key: vin, vin });

/**
 * Every known unit of a fleet in a row of its own: listed ones, those that left the list, and VINs of the roster. One
 * that is neither listed nor on the roster is forgotten after a while; its row stays empty.
 */
export class FleetTracker {
  readonly #settings: LiveSettings;
  readonly #facts: FleetFacts;
  readonly #carrierOf: (vin: string) => KnownCarrier | null;
  readonly #names: NameMoves;
  #records: (UnitRecord | null)[] = [];
  #rowOf = new Map<string, number>();
  #columns = createColumns(0);
  /** The number of the answer in which each row was last listed. */
  #seenIn = new Int32Array(0);
  #answers = 0;
  #emptyRows = 0;
  #observedAtMs = 0;
  /** The recordings of units that are yet to continue from them, by key. */
  #recorded = new Map<string, RecordedUnit>();
  /** The keys of all units that were recorded. */
  #recordedKeys: ReadonlySet<string> = new Set();
  /** The last known identities of VINs without a row, as JSON, for when the roster lists them. */
  readonly #knownNames = new Map<string, string>();
  /** Keys of units that were corrected, by those that they had before. */
  readonly #correctedKeys = new LRUCache<string, string>({ max: 1000 });
  readonly #changes = new RecordedChanges();
  #renamed: Renamed[] = [];
  #motion: MotionSettings;
  #judgedBy: MotionSettings;
  #habits: Partial<MotionSettings> = {};
  #isDelayKnown = false;
  /** Cached between comparing an answer and applying it, because no unit joins or leaves in between. */
  #identified: { answer: readonly TrackedUnit[]; result: IdentifiedUnits } | null = null;

  constructor(
    settings: LiveSettings,
    usdot: string,
    carrierOf: (vin: string) => KnownCarrier | null = () => null,
  ) {
    this.#settings = settings;
    this.#facts = { usdot, roster: null, home: new FleetHome() };
    this.#carrierOf = carrierOf;
    this.#motion = settings.motion;
    this.#judgedBy = settings.motion;
    this.#names = new NameMoves(
      (key) => this.#find(key),
      (key) => this.#seenIn[this.#rowOf.get(key) ?? -1] === this.#answers,
    );
  }

  /** Compares an answer with the fleet without applying it. */
  compare(units: readonly TrackedUnit[], roster: RosterVins, nowMs: number): FleetComparison {
    let [stillListed, strangers, older, newer, repeated, vins, onRoster] = [0, 0, 0, 0, 0, 0, 0];
    const answer = this.#identify(units, roster, nowMs);
    for (let i = 0; i < units.length; i++) {
      const unit = answer.units[i]!;
      const { vin } = unit.identity;
      const record = this.#records[answer.rows[i]!];
      if (record?.isListed) stillListed++;
      else if (!record || record.history.state.motionState === NO_MOTION) strangers++;
      if (vin !== null) {
        vins++;
        if (roster?.has(vin)) onRoster++;
      }
      const order = record ? compareToHeld(record.history, unit, nowMs, this.#motion) : 0;
      if (order > 0) newer++;
      else if (order < 0) older++;
      else if (record && unit.position && unit.fixAtMs !== null) repeated++;
    }
    const ofRoster = { onRoster: roster && onRoster, rosterVins: roster?.size ?? 0 };
    return { stillListed, strangers, older, newer, repeated, vins, ...ofRoster };
  }

  /** Applies an answer: the units listed as active at `nowMs`, and the number of records that name no unit. */
  observe(units: readonly TrackedUnit[], roster: RosterVins, nowMs: number, unreadable = 0): void {
    const settings = this.#settings;
    const answer = this.#identify(units, roster, nowMs);
    this.#identified = null;
    this.#answers++;
    const beforeMs = this.#observedAtMs;
    this.#observedAtMs = nowMs;
    if (settings.motion !== this.#judgedBy) this.#judgeAll();
    this.#judgedBy = settings.motion;
    this.#motion = { ...settings.motion, ...this.#habits, ...toUnitBounds(settings, units.length) };
    const rules = createHistoryRules(this.#motion, nowMs - beforeMs);
    for (const i of answer.renamed)
      answer.rows[i] = this.#rename(answer.rows[i]!, answer.units[i]!, nowMs, rules);
    answer.units.forEach((unit, i) => this.#observeUnit(unit, answer.rows[i]!, beforeMs, nowMs, rules));
    if (this.#recorded.size > 0) this.#replayRecorded(nowMs, rules);
    this.#observeRoster(roster, nowMs);
    this.#names.resolve(nowMs, this.#motion);
    this.#observeHabits(nowMs);
    this.#updateRows(nowMs, unreadable);
  }

  /** The fleet continues from what was recorded of it, some units with each answer. */
  restore(units: RecordedUnits): void {
    const recorded = [...listUnits(units)];
    // A VIN of the roster that was never seen has nothing to continue from.
    this.#recorded = new Map(recorded.filter(([, { state }]) => state?.reason !== 'neverSeen'));
    this.#recordedKeys = new Set(this.#recorded.keys());
    for (const [key, identity] of units.identities) {
      const record = this.#find(key);
      if (!record) this.#knownNames.set(key, identity);
      else if (isUnnamed(record.history.state.identity))
        setUnlistedIdentity(record, JSON.parse(identity) as UnitIdentity, this.#motion);
    }
  }

  /** Takes names of units with a VIN that were learned elsewhere; of those that the provider lists, its list has them. */
  learnNames(identities: readonly UnitIdentity[]): void {
    for (const identity of identities) {
      if (identity.vin !== identity.key || isUnnamed(identity)) continue;
      const record = this.#find(identity.key);
      if (record) setUnlistedIdentity(record, identity, this.#motion);
      else this.#knownNames.set(identity.key, JSON.stringify(identity));
    }
  }

  /** The changes of the answers since the last call, for the recording, where the rows are `rows` now. */
  takeChanges(rows: FleetRows): PollChanges | null {
    if (!this.#settings.isRecorded) return null;
    return this.#changes.take(rows, this.#observedAtMs, (row) => {
      const { history, former } = this.#records[row]!;
      return { memory: () => toMemory(history.state.motionState), former };
    });
  }

  /** The units that the answers since the last call gave another key. */
  takeRenamed(): Renamed[] {
    const renamed = this.#renamed;
    this.#renamed = [];
    return renamed;
  }

  /** The next changes are those from nothing. */
  recordAll(): void {
    this.#changes.forget();
  }

  /** The unit that each vehicle is: the one with its key, or while the fleet knows none, the listed one with its device. */
  unitsOf(vehicles: readonly StoredVehicle[]): StoredUnit[] {
    let byDevice: Map<string, UnitRecord> | null = null;
    const findByDevice = (deviceId: string | null): UnitRecord | null => {
      if (deviceId === null) return null;
      byDevice ??= new Map(
        this.#records.flatMap((record): [string, UnitRecord][] => {
          const device = record?.isListed ? record.history.state.identity.deviceId : null;
          return record && device != null ? [[toPlainName(device), record]] : [];
        }),
      );
      return byDevice.get(toPlainName(deviceId)) ?? null;
    };
    return vehicles.map((vehicle) => {
      const unit = normalizeUnit(vehicle, 'unit', this.#observedAtMs, createSalvageNotes());
      const key = unit?.identity.key ?? vehicle.vin;
      const history = (this.#find(key) ?? findByDevice(vehicle.deviceId))?.history;
      return { key: history?.state.identity.key ?? key, isByReceipt: history?.receipt != null };
    });
  }

  /** Stores the carrier that a VIN is registered to; its row changes with the next answer. */
  learnCarrier(known: KnownCarrier): void {
    const record = this.#find(known.carrier.vin);
    if (record) setCarrier(record, known, this.#facts.usdot, this.#settings);
  }

  /** Whether a VIN's carrier must be confirmed by another answer before its unit's flag changes. */
  isCarrierOpen(vin: string): boolean {
    const record = this.#find(vin);
    const known = this.#carrierOf(vin);
    return Boolean(record && known && contradictsCarrier(record, known.carrier, this.#facts.usdot));
  }

  /** The clock was set by `stepMs` and now reads `nowMs`: all that depends on it is recomputed. */
  followClock(stepMs: number, nowMs: number): void {
    const rules = createHistoryRules(this.#motion);
    for (const record of this.#records) if (record) shiftRecord(record, stepMs, nowMs, rules);
  }

  /** VINs of the listed units, in no particular order; read lazily. */
  *listedVins(): Iterable<string> {
    for (const record of this.#records) {
      const vin = record?.isListed ? record.history.state.identity.vin : null;
      if (vin) yield vin;
    }
  }

  copyRows(): FleetRows {
    return {
      rows: this.#records.length,
      identities: this.#records.map((record) => record?.history.state.identity ?? null),
      columns: copyRows(this.#columns, this.#records.length),
    };
  }

  /** Renumbers the rows without gaps; true where that was worthwhile: a new epoch begins. */
  compact(): boolean {
    const records = this.#records;
    if (this.#emptyRows < Math.max(this.#settings.emptyRowsLeast, records.length / 2)) return false;
    const kept = records.filter((record) => record !== null);
    const keptSeenIn = this.#seenIn.filter((_, row) => records[row] != null);
    this.#records = [];
    this.#rowOf = new Map();
    this.#columns = createColumns(kept.length);
    this.#seenIn = keptSeenIn;
    this.#emptyRows = 0;
    this.#changes.forget();
    for (const record of kept) this.#write(this.#append(record), record);
    return true;
  }

  detail(key: string, version: string): UnitDetail | null {
    const record = this.#find(key);
    const detail = record && toUnitDetail(record, this.#facts, version, this.#observedAtMs, this.#motion);
    return detail && this.#isDelayKnown ? { ...detail, receivedAgeMs: null } : detail;
  }

  #find(key: string): UnitRecord | null {
    return this.#records[this.#rowOf.get(key) ?? -1] ?? null;
  }

  #append(record: UnitRecord): number {
    const row = this.#records.push(record) - 1;
    const { key } = record.history.state.identity;
    this.#rowOf.set(key, row);
    this.#knownNames.delete(key);
    this.#columns = withRoom(this.#columns, this.#records.length);
    if (this.#seenIn.length < this.#records.length) {
      const grown = new Int32Array(this.#columns.latE5.length);
      grown.set(this.#seenIn);
      this.#seenIn = grown;
    }
    return row;
  }

  #create(identity: UnitIdentity, isListed: boolean, nowMs: number): UnitRecord {
    const record = createRecord(identity, isListed, nowMs);
    const known = identity.vin === null ? null : this.#carrierOf(identity.vin);
    if (known) setCarrier(record, known, this.#facts.usdot, this.#settings);
    return record;
  }

  #identify(units: readonly TrackedUnit[], roster: RosterVins, nowMs: number): IdentifiedUnits {
    if (this.#identified?.answer === units) return this.#identified.result;
    const records = this.#records;
    const isCurrent = (row: number): boolean =>
      this.#seenIn[row] === this.#answers && (records[row]?.history.records.length ?? 0) > 0;
    const known = { records, rowOf: this.#rowOf, isCurrent, roster, motion: this.#motion };
    const result = identifyUnits(units, known, nowMs);
    this.#identified = { answer: units, result };
    return result;
  }

  /** A unit has a better key: its history moves to the row of that key, which is returned. */
  #rename(from: number, unit: TrackedUnit, nowMs: number, rules: HistoryRules): number {
    const { identity } = unit;
    const twin = this.#records[from]!;
    const former = { key: twin.history.state.identity.key, untilMs: nowMs };
    const row = this.#rowOf.get(identity.key) ?? this.#append(this.#create(identity, true, nowMs));
    const record = this.#records[row]!;
    joinUnits(record, twin, identity, former, rules);
    record.moves = [...record.moves, ...toCorrectedVin(twin.history.state, unit, nowMs, this.#facts.roster)];
    this.#renamed.push([former.key, identity.key]);
    this.#forget(from, twin);
    this.#names.note(record);
    // Its names are those of the present key.
    this.#knownNames.delete(former.key);
    this.#correctedKeys.set(former.key, identity.key);
    this.#addRosterUnit(former.key, nowMs);
    return row;
  }

  /** A free key for a new unit, numbered where another vehicle has the name that the key is made of. */
  #toFreeKey(key: string): string {
    const shared = toSharedKey(key) ?? key;
    let free = key;
    for (let number = 1; this.#rowOf.has(free); number++) free = toNumberedKey(shared, number);
    return free;
  }

  #appendNew({ identity }: TrackedUnit, nowMs: number): number {
    const key = this.#toFreeKey(identity.key);
    return this.#append(this.#create(key === identity.key ? identity : { ...identity, key }, true, nowMs));
  }

  #observeUnit(
    unit: TrackedUnit,
    heldRow: number,
    beforeMs: number,
    nowMs: number,
    rules: HistoryRules,
  ): void {
    const row = heldRow < 0 ? this.#appendNew(unit, nowMs) : heldRow;
    const record = this.#records[row]!;
    this.#seenIn[row] = this.#answers;
    if (!record.isListed) setListed(record, true, nowMs);
    record.missingSinceMs = Infinity;
    const { identity } = record.history.state;
    const { last, held } = record.history;
    const isNews = appendRecord(record.history, unit, nowMs, rules);
    if (this.#settings.isRecorded && record.history.last !== last) this.#noteFix(record, row);
    const fixAtMs = record.history.held?.fixAtMs;
    if (held && record.history.held !== held && fixAtMs != null)
      noteDelay(record, Math.max(0, beforeMs - fixAtMs));
    if (!isNews) return;
    record.rewriteAtMs = -Infinity;
    if (unit.position) this.#facts.home.learn(unit.position, nowMs);
    if (heldRow < 0 || record.history.state.identity !== identity) this.#names.note(record);
  }

  /** Some units continue from what was recorded of them. */
  #replayRecorded(nowMs: number, rules: HistoryRules): void {
    let replayed = 0;
    let unrecorded: UnitsByNames | null = null;
    const readUnrecorded = (): UnitsByNames =>
      (unrecorded ??= indexUnrecorded(this.#records, this.#recordedKeys));
    for (const [key, recorded] of this.#recorded) {
      const known = this.#find(key);
      const corrected = known?.isListed ? null : findCorrected(recorded, readUnrecorded, this.#motion);
      if (corrected !== null) this.#correct(key, recorded, corrected, nowMs);
      const renamed = this.#find(this.#correctedKeys.get(key) ?? '');
      const record = corrected ?? known ?? renamed ?? this.#recreate(recorded, nowMs);
      if (record === null) continue;
      const { state } = recorded;
      record.history = replayRecorded(record.history, recorded, nowMs, rules);
      const { state: replayedState } = record.history;
      // A new object, with which the recording gets the former key.
      if (corrected !== null)
        record.history.state = { ...replayedState, identity: { ...replayedState.identity } };
      record.rewriteAtMs = -Infinity;
      const row = this.#rowOf.get(record.history.state.identity.key)!;
      if (this.#seenIn[row] !== this.#answers && state?.reason.startsWith('vanished'))
        setListed(record, false, state.sinceMs ?? nowMs);
      this.#recorded.delete(key);
      if (++replayed === RESTORED_PER_ANSWER) return;
    }
  }

  /** A unit was recorded under another key, which was corrected while nothing was polled. */
  #correct(was: string, { identity, state }: RecordedUnit, record: UnitRecord, nowMs: number): void {
    const known = JSON.parse(identity!) as UnitIdentity;
    const { identity: present, atMs } = record.history.state;
    const held = { identity: known, names: known, atMs: state?.fix?.fixAtMs ?? nowMs };
    record.former = { key: was, untilMs: nowMs };
    record.moves = toCorrectedVin(held, { identity: present, fixAtMs: atMs }, nowMs, this.#facts.roster);
    this.#renamed.push([was, present.key]);
    this.#correctedKeys.set(was, present.key);
    const row = this.#rowOf.get(was);
    if (row !== undefined) this.#forget(row, this.#records[row]!);
    this.#knownNames.delete(was);
  }

  /** A unit that is not in the answer: it was listed when it was recorded last, or had left the list. */
  #recreate({ state, identity }: RecordedUnit, nowMs: number): UnitRecord | null {
    if (state === null || identity === null) return null;
    const record = this.#create(JSON.parse(identity) as UnitIdentity, true, nowMs);
    this.#append(record);
    return record;
  }

  /** Keeps the last record for the recording where it is a fix that has a place in time. */
  #noteFix({ history: { last } }: UnitRecord, row: number): void {
    if (!last?.hasPlace || last.atMs === 0 || last.dating === 'untimed' || last.dating === 'flagsOnly')
      return;
    const { atMs, lat, lng, dating } = last;
    this.#changes.add({ row, fixMs: atMs, lat, lng, isByReceipt: dating === 'receipt' });
  }

  /** Learns the provider's habits from most units; where they change, all units are judged by them. */
  #observeHabits(nowMs: number): void {
    const { isDelayKnown, ...habits } = toHabits(this.#records, nowMs);
    this.#isDelayKnown = isDelayKnown;
    const { usualDelayMs, heldPlaceMs } = this.#motion;
    if (habits.usualDelayMs === usualDelayMs && habits.heldPlaceMs === heldPlaceMs) return;
    this.#habits = habits;
    this.#motion = { ...this.#motion, ...habits };
    this.#judgeAll();
  }

  /** Each unit is judged with this answer, so the time of its next check is void. */
  #judgeAll(): void {
    for (const record of this.#records) if (record) record.rewriteAtMs = -Infinity;
  }

  #observeRoster(next: RosterVins, nowMs: number): void {
    if (next === this.#facts.roster) return;
    this.#facts.roster = next;
    this.#judgeAll();
    for (const vin of next ?? []) this.#addRosterUnit(vin, nowMs);
  }

  /** Adds a unit for a VIN of the roster, unless it was corrected into one that the roster lacks. */
  #addRosterUnit(vin: string, nowMs: number): void {
    const { roster } = this.#facts;
    if (!roster?.has(vin) || this.#rowOf.has(vin)) return;
    const corrected = this.#correctedKeys.get(vin);
    if (corrected !== undefined && this.#rowOf.has(corrected) && !roster.has(corrected)) return;
    const known = this.#knownNames.get(vin);
    const identity = known === undefined ? toRosterIdentity(vin) : (JSON.parse(known) as UnitIdentity);
    this.#append(this.#create(identity, false, nowMs));
  }

  /** Missing units leave after a while, forgotten ones free their rows, and changed ones are written. */
  #updateRows(nowMs: number, unreadable: number): void {
    const records = this.#records;
    // Missing units may be the unreadable records: they have not left.
    const areExplained = unreadable > 0 && this.#countMissing() <= unreadable;
    for (let row = 0; row < records.length; row++) {
      const record = records[row];
      if (!record) continue;
      if (record.isListed && this.#seenIn[row] !== this.#answers && !areExplained) this.#miss(record, nowMs);
      if (this.#isForgotten(record, nowMs)) this.#forget(row, record);
      else if (nowMs >= record.rewriteAtMs) this.#write(row, record);
    }
  }

  /** A unit is missing from the answer: it has left the list once that has lasted for a while. */
  #miss(record: UnitRecord, nowMs: number): void {
    if (record.missingSinceMs === Infinity) record.missingSinceMs = nowMs;
    if (nowMs - record.missingSinceMs >= this.#motion.vanishedAfterMs)
      setListed(record, false, record.missingSinceMs);
  }

  #isForgotten({ history, isListed, sinceMs }: UnitRecord, nowMs: number): boolean {
    const { identity, motionState } = history.state;
    if (isListed || (identity.vin !== null && this.#facts.roster?.has(identity.vin))) return false;
    return motionState === NO_MOTION || nowMs - sinceMs >= this.#settings.forgetAfterMs;
  }

  #forget(row: number, record: UnitRecord): void {
    const { identity } = record.history.state;
    this.#names.forget(record);
    this.#rowOf.delete(identity.key);
    if (identity.vin === identity.key && !isUnnamed(identity))
      this.#knownNames.set(identity.key, JSON.stringify(identity));
    this.#records[row] = null;
    this.#emptyRows++;
    clearRow(this.#columns, row);
  }

  #write(row: number, record: UnitRecord): void {
    const mask = judgeRecord(record, this.#facts, this.#observedAtMs, this.#motion);
    const derived = deriveRecord(record, this.#observedAtMs, this.#motion);
    writeRow(this.#columns, row, record.history.state.motionState, derived, mask);
  }

  #countMissing(): number {
    let missing = 0;
    for (let row = 0; row < this.#records.length; row++)
      if (this.#records[row]?.isListed && this.#seenIn[row] !== this.#answers) missing++;
    return missing;
  }
}
