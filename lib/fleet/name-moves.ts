import 'server-only';
import { toLateLimitMs } from '@/lib/motion/rhythm';
import type { MotionSettings } from '@/lib/motion/settings';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { NAME_KINDS, nameOf, toPlainName, type NameKind } from '@/lib/wire/unit-names';
import type { NameMove } from './unit/name-changes';
import type { UnitRecord } from './unit/unit-record';

/** A name that one unit took over from another. */
interface Takeover {
  toKey: string;
  move: NameMove;
}

/** Until when a unit carried a name, Unix ms; null while it carries it. A unit that is not listed carries no name. */
type CarriedUntil = (key: string, kind: NameKind, plainName: string) => number | null;

/** Devices that two units of one answer claim, at most: beyond that, sharing is normal for the fleet. */
const MAX_CONTESTED = 1000;
const DEVICE: readonly NameKind[] = ['deviceId'];
/** Fewer names are not searched for former ones. */
const LEAST_PRUNED = 1000;

const isDuplicate = ({ history }: UnitRecord): boolean =>
  history.records[history.records.length - 1]?.flags.some(({ flag }) => flag === 'duplicateVin') ?? false;

/** Detects devices, truck numbers and plates that move from one VIN to another. */
export class NameMoves {
  readonly #read: (key: string) => UnitRecord | null;
  /** Whether the answer that is being applied lists the unit. */
  readonly #isInAnswer: (key: string) => boolean;
  /** The key of the unit by the name: a large fleet has three of these for each of its units. */
  readonly #holders: Record<NameKind, Map<string, string>> = {
    deviceId: new Map(),
    truckNumber: new Map(),
    plate: new Map(),
  };
  /** The number of names at which they are searched for former ones. */
  readonly #pruneAt: Record<NameKind, number> = {
    deviceId: LEAST_PRUNED,
    truckNumber: LEAST_PRUNED,
    plate: LEAST_PRUNED,
  };
  #noted: UnitRecord[] = [];
  /** Units whose device another one carries as well, until that one goes quiet. */
  #contested = new Set<UnitRecord>();

  constructor(read: (key: string) => UnitRecord | null, isInAnswer: (key: string) => boolean) {
    this.#read = read;
    this.#isInAnswer = isInAnswer;
  }

  /** A unit is new, or was renamed. */
  note(record: UnitRecord): void {
    this.#noted.push(record);
  }

  /** Records the names that units took over, once the whole answer was applied. */
  resolve(nowMs: number, motion: MotionSettings): void {
    if (this.#noted.length === 0 && this.#contested.size === 0) return;
    const still = new Set<UnitRecord>();
    for (const record of this.#contested) this.#claim(record, DEVICE, nowMs, motion, still);
    for (const record of this.#noted) this.#claim(record, NAME_KINDS, nowMs, motion, still);
    this.#noted = [];
    this.#contested = still;
    for (const kind of NAME_KINDS) this.#prune(kind);
  }

  /** Forgets names from before the last change of their unit: some devices send another name with each answer. */
  #prune(kind: NameKind): void {
    const holders = this.#holders[kind];
    if (holders.size < this.#pruneAt[kind]) return;
    for (const [plain, key] of holders) if (!this.#isRecent(key, kind, plain)) holders.delete(plain);
    this.#pruneAt[kind] = LEAST_PRUNED + 2 * holders.size;
  }

  #isRecent(key: string, kind: NameKind, plainName: string): boolean {
    const state = this.#read(key)?.history.state;
    if (!state) return false;
    const names = [nameOf(state.identity, kind), state.changes.find((change) => change.kind === kind)?.was];
    return names.some((name) => name != null && toPlainName(name) === plainName);
  }

  /** Removes the names of a unit that was forgotten. */
  forget(record: UnitRecord): void {
    this.#contested.delete(record);
    const { identity } = record.history.state;
    for (const kind of NAME_KINDS) {
      const name = nameOf(identity, kind);
      if (name === null) continue;
      const plain = toPlainName(name);
      if (this.#holders[kind].get(plain) === identity.key) this.#holders[kind].delete(plain);
    }
  }

  /** Two units that carry one name together share it: the name did not move. */
  #claim(
    record: UnitRecord,
    kinds: readonly NameKind[],
    nowMs: number,
    motion: MotionSettings,
    still: Set<UnitRecord>,
  ): void {
    const { identity, atMs } = record.history.state;
    if (identity.vin === null || isDuplicate(record)) return;
    const carriedUntil = this.#createCarriedUntil(nowMs, motion, () => {
      if (still.size < MAX_CONTESTED) still.add(record);
    });
    for (const kind of kinds) {
      const name = nameOf(identity, kind);
      const takeover = name === null ? null : this.#takeName(identity, kind, name, atMs, carriedUntil);
      const to = takeover && this.#read(takeover.toKey);
      if (!takeover || !to || takeover.move.untilMs === -Infinity) continue;
      to.moves = [...to.moves.filter((move) => move.kind !== kind), takeover.move];
      to.rewriteAtMs = -Infinity;
    }
  }

  /** Records one name of a unit since `atMs`. */
  #takeName(
    { key }: UnitIdentity,
    kind: NameKind,
    name: string,
    atMs: number,
    carriedUntil: CarriedUntil,
  ): Takeover | null {
    const plain = toPlainName(name);
    const holder = this.#holders[kind].get(plain);
    if (holder === key) return null;
    if (holder === undefined) {
      this.#holders[kind].set(plain, key);
      return null;
    }
    const untilMs = carriedUntil(holder, kind, plain);
    if (untilMs === null) return null;
    // Answers may arrive in any order: the unit with the latest report holds the name, and the other one held
    // it before.
    const sinceMs = this.#read(holder)?.history.records[0]?.atMs ?? -Infinity;
    if (sinceMs > atMs) {
      return { toKey: holder, move: { kind, name, fromKey: key, untilMs: atMs, sinceMs } };
    }
    this.#holders[kind].set(plain, key);
    return { toKey: key, move: { kind, name, fromKey: holder, untilMs, sinceMs: atMs } };
  }

  #createCarriedUntil(nowMs: number, motion: MotionSettings, onShared: () => void): CarriedUntil {
    return (key, kind, plain) => {
      const record = this.#read(key);
      if (!record) return -Infinity;
      const { identity, motionState, changes, atMs } = record.history.state;
      const name = nameOf(identity, kind);
      if (name === null || toPlainName(name) !== plain) {
        return changes.find((change) => change.kind === kind)?.untilMs ?? atMs;
      }
      if (!this.#isInAnswer(key)) return atMs;
      if (kind !== 'deviceId') return null;
      // One device cannot report from two trucks: the one that went quiet no longer has it.
      if (nowMs - atMs > toLateLimitMs(motionState, motion)) return atMs;
      onShared();
      return null;
    };
  }
}
