import { CLEAR_MS, type PollStep, type Renamed } from '../poll-step';
import { withLength, type Presence } from '../site-tracker';
import type { AlertFacts, WatchedRule } from '../alert-rule';
import { CAUSE } from './conditions';
import type { ScopeMask } from './scope-mask';
import { MINUTE_MS } from '@/lib/base/time';

/** A change of a rule's alerts by a poll; `unit` is empty for the feed. */
export type AlertChange =
  | { kind: 'opened'; ruleId: number; unit: string; atMs: number; facts: AlertFacts }
  | { kind: 'closed'; ruleId: number; unit: string; atMs: number }
  /** A case that held when its rule was saved: it opens no alert, and 'closed' says that it has ended. */
  | {
      kind: 'known';
      ruleId: number;
      unit: string;
      atMs: number;
      siteId: number | null;
      sinceMs: number | null;
    }
  /** All cases that held when the rule was saved, at `atMs`, are known. */
  | { kind: 'noted'; ruleId: number; unit: ''; atMs: number };

/** An alert that was open before a restart, or whose cool-down had not ended. */
export interface HeldAlert {
  ruleId: number;
  unit: string;
  openedMs: number;
  closedMs: number | null;
  siteId: number | null;
  /** Since when its cause held, Unix ms. */
  sinceMs: number | null;
  /** The load and the stop that it is about; absent: none. */
  loadKey?: string | null;
  /** It is a case that opens no alert until it has ended. */
  isKnown?: boolean;
}

/** The states of a row's alert: none, open, open without its cause, closed and cooling down. */
const [NONE, OPEN, GOING, COOLING] = [0, 1, 2, 3];

/** The alert of a unit, and what opened it. */
export interface OpenAlert {
  unit: string;
  /** -1: in none yet. */
  row: number;
  siteId: number | null;
  /** Since when its cause held, Unix ms. */
  sinceMs: number | null;
  loadKey?: string | null;
}

interface Held extends OpenAlert {
  state: number;
  /** The cool-down counts from here; -Infinity: a case that opened no alert, and none before it cools down. */
  openedMs: number;
  /** Since when the cause is gone; it counts while the state is GOING. */
  goneSinceMs: number;
}

/** How the units of moved rows are found. */
interface Moves {
  /** The new row of a unit by its old one. */
  to: ReadonlyMap<number, number>;
  gone: ReadonlySet<number>;
  vanished: ReadonlySet<string>;
  /** The rows of units that were in none before. */
  joined: ReadonlyMap<string, number>;
  renamed: readonly Renamed[];
}

export const toMoves = ({ rows, moved, movedFrom, gone, vanished, renamed }: PollStep): Moves => {
  const to = new Map<number, number>();
  const joined = new Map<string, number>();
  moved.forEach((row, i) => {
    const key = rows.identities[row]?.key;
    if (movedFrom[i]! >= 0) to.set(movedFrom[i]!, row);
    else if (key !== undefined) joined.set(key, row);
  });
  return { to, gone: new Set(gone), vanished: new Set(vanished), joined, renamed };
};

/** The rows in which a condition holds. */
interface Holds {
  byRow: Uint8Array<ArrayBuffer>;
  /** The rows that have a cause: nearly all have none. */
  causes: readonly number[];
}

/** The rows of CAUSE. The length of `byRow` is a multiple of four. */
export const listCauses = (byRow: Uint8Array<ArrayBuffer>): number[] => {
  const causes: number[] = [];
  const words = new Int32Array(byRow.buffer, 0, byRow.length >> 2);
  for (let word = 0; word < words.length; word++) {
    // Four rows at once: CAUSE is the lowest bit of each.
    if ((words[word]! & 0x01010101) === 0) continue;
    for (let row = word * 4; row < word * 4 + 4; row++) if (byRow[row] === CAUSE) causes.push(row);
  }
  return causes;
};

export interface Settling {
  seenMs: number;
  /** The rule opens alerts now. */
  isInHours: boolean;
  unitOf: (row: number) => string;
  /** The facts of an alert that opens. */
  toFacts: (row: number) => AlertFacts;
  /**
   * Whether the cause in a row is another than the one that opened the alert; `isGoing`: that one has been gone since.
   */
  isOther?: (alert: OpenAlert, isGoing: boolean) => boolean;
  changes: AlertChange[];
}

/** The alerts of one rule that are open or cool down, by unit, and as a column by row. */
export class RuleState {
  readonly rule: WatchedRule;
  /** Equal for rules with the same condition. */
  readonly conditionName: string;
  readonly scope: ScopeMask;
  /** 1 for the sites of the rule, in the order of all sites. */
  readonly isOfRule: Uint8Array;
  /** Arrivals that are yet to open an alert, because the one before cools down. */
  readonly waiting: Map<string, Presence>;
  readonly #held: Map<string, Held>;
  #states: Uint8Array<ArrayBuffer>;
  /** The `newFromMs` for which the cases that held are known; null: none. */
  #knownFromMs: number | null;

  /** `before`: the state of this rule until it, its scope or the sites changed. */
  constructor(rule: WatchedRule, scope: ScopeMask, isOfRule: Uint8Array, before?: RuleState) {
    this.rule = rule;
    this.conditionName = JSON.stringify(rule.condition);
    this.scope = scope;
    this.isOfRule = isOfRule;
    this.waiting = before ? before.waiting : new Map();
    this.#held = before ? before.#held : new Map();
    this.#states = before ? before.#states : new Uint8Array(0);
    const { newFromMs = null, knownFromMs } = rule;
    this.#knownFromMs = newFromMs === knownFromMs || !before ? (knownFromMs ?? null) : before.#knownFromMs;
  }

  /** Continues with recorded alerts, oldest first; what was found before of an open one goes on. `row`: the feed's. */
  restore(alerts: readonly HeldAlert[], row = -1): void {
    const found = new Map(this.#held);
    this.#held.clear();
    this.#states.fill(NONE);
    for (const { unit, closedMs, siteId, sinceMs, loadKey, ...alert } of alerts) {
      const openedMs = alert.isKnown ? this.#coolsFromMs(unit) : alert.openedMs;
      const before = closedMs === null ? found.get(unit) : undefined;
      const goesOn = before !== undefined && before.state !== COOLING;
      const state = closedMs !== null ? COOLING : goesOn ? before.state : GOING;
      const goneSinceMs = goesOn ? before.goneSinceMs : Infinity;
      this.#set({ unit, row, state, openedMs, goneSinceMs, siteId, sinceMs, loadKey: loadKey ?? null });
      if (closedMs === null) this.waiting.delete(unit);
    }
  }

  /** The units whose alerts are closed and cool down, and when these opened. */
  *listCooling(): Iterable<[unit: string, openedMs: number]> {
    for (const { unit, state, openedMs } of this.#held.values())
      if (state === COOLING) yield [unit, openedMs];
  }

  /** The site that the open alert of a unit is about; null: it has no open alert, or that is about none. */
  openSiteId(unit: string): number | null {
    const held = this.#held.get(unit);
    return held && held.state !== COOLING ? held.siteId : null;
  }

  /** Moves alerts to the new rows of their units; those of units that are gone close. */
  follow(
    { to, gone, vanished, joined, renamed }: Moves,
    rows: number,
    atMs: number,
    changes: AlertChange[],
  ): void {
    this.#states = withLength(this.#states, rows);
    for (const each of renamed) this.#rename(each);
    const moved: Held[] = [];
    for (const held of this.#held.values()) {
      const row = held.row < 0 ? joined.get(held.unit) : to.get(held.row);
      if (gone.has(held.row) || vanished.has(held.unit)) this.#closeGone(held, atMs, changes);
      else if (row !== undefined) moved.push(held);
    }
    // All old rows are left before any new one is taken.
    for (const { row } of moved) if (row >= 0) this.#states[row] = NONE;
    for (const held of moved) {
      held.row = (held.row < 0 ? joined.get(held.unit) : to.get(held.row))!;
      this.#states[held.row] = held.state;
    }
  }

  /** Closes the alerts of units that did not appear. */
  closeUnseen(atMs: number, changes: AlertChange[]): void {
    for (const held of this.#held.values()) if (held.row < 0) this.#close(held, atMs, 0, changes);
  }

  /** The clock was set back to a time: nothing happened after it. */
  setBack(toMs: number): void {
    for (const held of this.#held.values()) {
      held.openedMs = Math.min(held.openedMs, toMs);
      if (held.goneSinceMs !== Infinity) held.goneSinceMs = Math.min(held.goneSinceMs, toMs);
    }
  }

  /** Notes the cases that held when the rule was saved to open alerts of new ones only, once after each time. */
  noteKnown(causes: readonly number[], { seenMs, changes, unitOf, toFacts }: Settling): void {
    const { id: ruleId, newFromMs = null, condition } = this.rule;
    if (newFromMs === null || newFromMs === this.#knownFromMs) return;
    this.#knownFromMs = newFromMs;
    const forMs = 'forMin' in condition ? condition.forMin * MINUTE_MS : 0;
    for (const row of causes) {
      const state = this.#states[row] ?? NONE;
      if (this.scope.mask[row] !== 1 || state === OPEN || state === GOING) continue;
      const { siteId, sinceMs } = toFacts(row);
      // The poll may come long after, as when the provider was away.
      if (sinceMs !== null && sinceMs + forMs > newFromMs) continue;
      const unit = unitOf(row);
      const known = { unit, siteId, sinceMs };
      changes.push({ kind: 'known', ruleId, atMs: seenMs, ...known });
      const openedMs = this.#coolsFromMs(unit);
      this.#set({ ...known, row, state: OPEN, openedMs, goneSinceMs: seenMs });
    }
    changes.push({ kind: 'noted', ruleId, unit: '', atMs: newFromMs });
  }

  /** Opens and closes alerts by what holds in each row. */
  settle({ byRow, causes }: Holds, settling: Settling): void {
    const { mask } = this.scope;
    for (const held of this.#held.values()) {
      const { row, state } = held;
      if (row < 0) {
        // Its unit is in no row: it cools down all the same.
        if (state === COOLING) this.#coolDown(held, settling.seenMs);
        continue;
      }
      let hold = mask[row] === 0 ? 0 : byRow[row]!;
      if (hold !== 0 && state !== COOLING && settling.isOther?.(held, state === GOING)) {
        if (hold === CAUSE) this.#close(held, settling.seenMs, this.#coolDownMs(), settling.changes);
        else hold = 0;
      }
      if (state !== OPEN || hold === 0) this.#step(row, hold, settling);
    }
    for (const row of causes)
      if (mask[row] === 1 && (this.#states[row] ?? NONE) === NONE) this.#step(row, CAUSE, settling);
  }

  /** An event that opens an alert, which closes at once; none while the one before cools down. */
  fire(unit: string, row: number, { seenMs, changes }: Settling, facts: AlertFacts): void {
    if (this.#held.has(unit)) return;
    const ruleId = this.rule.id;
    changes.push({ kind: 'opened', ruleId, unit, atMs: seenMs, facts });
    const { siteId, sinceMs } = facts;
    const held = { unit, row, state: OPEN, openedMs: seenMs, goneSinceMs: seenMs, siteId, sinceMs };
    this.#set(held);
    this.#close(held, seenMs, this.#coolDownMs(), changes);
  }

  /** Forgets alerts that have cooled down. */
  cool(seenMs: number): void {
    for (const held of this.#held.values()) if (held.state === COOLING) this.#coolDown(held, seenMs);
  }

  /** Closes the open alert of a unit whose next one comes before its cause has been gone for long enough. */
  closeNow(unit: string, { seenMs, changes }: Pick<Settling, 'seenMs' | 'changes'>): void {
    this.#close(this.#held.get(unit)!, seenMs, this.#coolDownMs(), changes);
  }

  /** The alert of a unit that has another key now is that of the new key, unless that has one of its own. */
  #rename([from, to]: Renamed): void {
    const [held, waiting] = [this.#held.get(from), this.waiting.get(from)];
    this.waiting.delete(from);
    if (waiting) this.waiting.set(to, waiting);
    if (held === undefined || this.#held.has(to)) return;
    this.#held.delete(from);
    held.unit = to;
    this.#held.set(to, held);
  }

  #step(row: number, hold: number, settling: Settling): void {
    const { seenMs, changes, unitOf } = settling;
    const unit = unitOf(row);
    const held = this.#held.get(unit);
    if (held?.state === OPEN) this.#set({ ...held, state: GOING, goneSinceMs: seenMs });
    else if (held?.state === GOING) {
      if (hold !== 0) this.#set({ ...held, state: OPEN });
      else if (held.goneSinceMs === Infinity) held.goneSinceMs = seenMs;
      else if (seenMs - held.goneSinceMs >= CLEAR_MS) this.#close(held, seenMs, this.#coolDownMs(), changes);
    } else if (held && seenMs - held.openedMs < this.#coolDownMs()) return;
    else if (hold === CAUSE && settling.isInHours) this.#open(unit, row, settling);
    else if (held) this.#forget(held);
  }

  #open(unit: string, row: number, { seenMs, changes, toFacts }: Settling): void {
    const facts = toFacts(row);
    changes.push({ kind: 'opened', ruleId: this.rule.id, unit, atMs: seenMs, facts });
    this.waiting.delete(unit);
    const { siteId, sinceMs, load } = facts;
    const loadKey = load ? `${load.id}:${load.stop}` : null;
    const opened = { openedMs: seenMs, goneSinceMs: seenMs, siteId, sinceMs, loadKey };
    this.#set({ unit, row, state: OPEN, ...opened });
  }

  #coolDown(held: Held, seenMs: number): void {
    if (seenMs - held.openedMs >= this.#coolDownMs()) this.#forget(held);
  }

  /** Closes the alert of a unit that is in no row any more; it cools down, as it does in the tables. */
  #closeGone(held: Held, atMs: number, changes: AlertChange[]): void {
    if (held.row >= 0) this.#states[held.row] = NONE;
    this.#close({ ...held, row: -1 }, atMs, this.#coolDownMs(), changes);
  }

  #close(held: Held, atMs: number, coolDownMs: number, changes: AlertChange[]): void {
    if (held.state !== COOLING) changes.push({ kind: 'closed', ruleId: this.rule.id, unit: held.unit, atMs });
    if (atMs - held.openedMs < coolDownMs) this.#set({ ...held, state: COOLING });
    else this.#forget(held);
  }

  #set(held: Held): void {
    this.#held.set(held.unit, held);
    if (held.row < 0) return;
    this.#states = withLength(this.#states, held.row + 1);
    this.#states[held.row] = held.state;
  }

  #forget(held: Held): void {
    this.#held.delete(held.unit);
    if (held.row >= 0) this.#states[held.row] = NONE;
  }

  /** When the alert of a unit opened that a known case follows; -Infinity: there is none that cools down. */
  #coolsFromMs(unit: string): number {
    return this.#held.get(unit)?.openedMs ?? -Infinity;
  }

  #coolDownMs(): number {
    return this.rule.coolDownMin * MINUTE_MS;
  }
}
