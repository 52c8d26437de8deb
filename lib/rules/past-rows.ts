import {
  COLUMNS,
  MOTION_COLUMNS,
  NO_POSITION,
  RECORDED_COLUMNS,
  type Column,
  type FleetRows,
  type UnitIdentity,
} from '@/lib/wire/fleet';
import { createColumns } from '@/lib/wire/live';
import type { CoverageInterval } from '@/lib/trips/coverage';

/** Recorded rows of some units, with times in any one unit. */
export interface RecordedRows {
  /** The units that the first column counts. */
  identities: readonly UnitIdentity[];
  /**
   * The fixes that the map showed: the unit's index, when it was seen, and MOTION_COLUMNS; after these columns, which may be
   * missing, the same of each state with RECORDED_COLUMNS; status -1: the unit was forgotten. By time.
   */
  columns: readonly ArrayLike<number>[];
  /** How many of the columns are of fixes. */
  fixes: number;
}

const STATUS = RECORDED_COLUMNS.indexOf('status');
const NONE: ArrayLike<number> = [];

/** One table of a recording, of which `next` is the first row that was not applied. */
class Table {
  readonly units: ArrayLike<number>;
  readonly seen: ArrayLike<number>;
  readonly values: readonly ArrayLike<number>[];
  next = 0;

  constructor([units = NONE, seen = NONE, ...values]: readonly ArrayLike<number>[]) {
    this.units = units;
    this.seen = seen;
    this.values = values;
  }

  /** When the next row was seen; Infinity after the last. */
  nextSeen(): number {
    return this.seen[this.next] ?? Infinity;
  }
}

const toFixes = ({ columns, fixes }: RecordedRows): Table => new Table(columns.slice(0, fixes));
const toStates = ({ columns, fixes }: RecordedRows): Table => new Table(columns.slice(fixes));

/** When a fleet is looked at: with each change, and `tick` after the last look; and whether the feed failed then. */
export const listMoments = (
  recorded: RecordedRows,
  coverage: readonly { from: number; to: number; state: CoverageInterval['state'] }[],
  tick: number,
): [number, boolean][] => {
  const seen = new Set<number>();
  for (const table of [toFixes(recorded), toStates(recorded)])
    for (let i = 0; i < table.seen.length; i++) seen.add(table.seen[i]!);
  const shown = [...seen].sort((a, b) => a - b);
  const moments = new Map<number, boolean>();
  let next = 0;
  const toNext = (at: number): number => {
    while (next < shown.length && shown[next]! <= at) next++;
    return Math.min(at + tick, shown[next] ?? Infinity);
  };
  coverage.forEach(({ from, to, state }, i) => {
    if (state !== 'answered' && state !== 'failing') return;
    // It begins with the last poll of the one before.
    const isNext = coverage[i - 1]?.to === from;
    for (let at = isNext ? toNext(from) : from; at <= to; at = toNext(at))
      moments.set(at, state === 'failing');
  });
  let interval = 0;
  for (const at of shown) {
    while (interval < coverage.length - 1 && coverage[interval + 1]!.from <= at) interval++;
    const { from, to, state } = coverage[interval] ?? { from: at, to: at, state: 'answered' };
    // While it fails only time changes a row; an answer ends it.
    const untilAnswer = coverage[interval + 1]?.state === 'answered' ? Math.floor(to) : to + 1;
    moments.set(at, state === 'failing' && at > from && at < untilAnswer);
  }
  return [...moments].sort(([a], [b]) => a - b);
};

/** The rows of a fleet as they were, moment by moment. */
export class PastRows {
  readonly #identities: RecordedRows['identities'];
  readonly #fixes: Table;
  readonly #states: Table;
  #rows: FleetRows;
  /** The rows before, whose memory is used again. */
  #spare: FleetRows['columns'];
  /** Columns of the rows before, which stay as they are. */
  #before: FleetRows['identities'] = [];

  constructor(recorded: RecordedRows) {
    this.#identities = recorded.identities;
    this.#fixes = toFixes(recorded);
    this.#states = toStates(recorded);
    const rows = recorded.identities.length;
    this.#rows = { rows, identities: new Array<null>(rows).fill(null), columns: createColumns(rows) };
    this.#rows.columns.latE5.fill(NO_POSITION);
    this.#rows.columns.lngE5.fill(NO_POSITION);
    this.#spare = createColumns(rows);
  }

  /** The rows of a moment, which is after the last one. */
  at(moment: number): FleetRows {
    const { columns: before, rows } = this.#rows;
    for (const name of COLUMNS) this.#spare[name].set(before[name]);
    this.#rows = { rows, identities: this.#rows.identities, columns: this.#spare };
    this.#spare = before;
    this.#before = this.#rows.identities;
    const [fixes, states] = [this.#fixes, this.#states];
    for (let at = 0; (at = Math.min(fixes.nextSeen(), states.nextSeen())) <= moment;) {
      // A fix before the state that follows from it.
      if (fixes.nextSeen() === at) this.#applyFix(fixes.next++);
      else this.#applyState(states.next++);
    }
    return this.#rows;
  }

  #applyFix(at: number): void {
    this.#write(this.#fixes.units[at]!, MOTION_COLUMNS, this.#fixes.values, at);
  }

  #applyState(at: number): void {
    const { units, values } = this.#states;
    const row = units[at]!;
    const identity = values[STATUS]![at] === -1 ? null : this.#identities[row]!;
    // A unit is there with its first state.
    if (this.#rows.identities[row] !== identity) {
      if (this.#rows.identities === this.#before) this.#rows.identities = [...this.#before];
      this.#rows.identities[row] = identity;
    }
    const { columns } = this.#rows;
    if (identity !== null) return this.#write(row, RECORDED_COLUMNS, values, at);
    columns.latE5[row] = columns.lngE5[row] = NO_POSITION;
    columns.fixAtS[row] = 0;
  }

  #write(row: number, names: readonly Column[], values: readonly ArrayLike<number>[], at: number): void {
    const { columns } = this.#rows;
    // A loop without an iterator: there are millions of rows.
    for (let c = 0; c < names.length; c++) columns[names[c]!][row] = values[c]![at]!;
  }
}
