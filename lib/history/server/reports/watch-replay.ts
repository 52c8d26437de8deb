import 'server-only';
import type { RulePreview } from '@/lib/alerts/answers';
import { FleetWatch } from '@/lib/alerts/fleet-watch';
import type { WatchConfig } from '@/lib/alerts/fleet-watch';
import { COLUMNS, MOTION_COLUMNS, NO_POSITION, RECORDED_COLUMNS } from '@/lib/wire/fleet';
import type { Column, FleetRows, UnitIdentity } from '@/lib/wire/fleet';
import { createColumns } from '@/lib/wire/live';
import type { CoverageInterval } from '../../schema';

/** Alerts that an answer has. */
export const MOST_NEWEST = 20;
/** Time that passes opens alerts too: also while nothing changes, the fleet is looked at so often. */
const TICK_S = 60;

/** Units and what was recorded of them. */
export interface WatchJob {
  /** Of one rule. */
  config: WatchConfig;
  /** Those that the first column counts. */
  identities: readonly UnitIdentity[];
  /**
   * Of each fix that the map showed the unit's index, when it was seen, Unix s, and MOTION_COLUMNS; after these columns,
   * which may be missing, the same of each state with RECORDED_COLUMNS; status -1: the unit was forgotten. By time.
   */
  columns: readonly Float64Array<ArrayBuffer>[];
  /** How many of the columns are of fixes. */
  fixes: number;
  coverage: readonly CoverageInterval[];
  /** Alerts are counted from then on. */
  fromMs: number;
  toMs: number;
}

export interface WatchedPast {
  count: number;
  /** Oldest first. */
  newest: RulePreview['first'];
}

const STATUS = RECORDED_COLUMNS.indexOf('status');
const NONE = new Float64Array(0);

/** Rows of a job, of which `next` is the first that was not applied. */
class RecordedRows {
  readonly units: Float64Array;
  readonly seen: Float64Array;
  readonly values: readonly Float64Array[];
  next = 0;

  constructor([units = NONE, seen = NONE, ...values]: WatchJob['columns']) {
    this.units = units;
    this.seen = seen;
    this.values = values;
  }

  /** When the next row was seen, Unix s; Infinity after the last. */
  nextS(): number {
    return this.seen[this.next] ?? Infinity;
  }
}

const toFixes = ({ columns, fixes }: WatchJob): RecordedRows => new RecordedRows(columns.slice(0, fixes));
const toStates = ({ columns, fixes }: WatchJob): RecordedRows => new RecordedRows(columns.slice(fixes));

/**
 * When the fleet is looked at, Unix s, in order: with each change, and a minute after the last look where nothing changed; and
 * whether the feed failed then.
 */
const listMoments = (job: WatchJob): [number, boolean][] => {
  const seen = new Set([...new Set(toFixes(job).seen), ...new Set(toStates(job).seen)]);
  const shown = [...seen].sort((a, b) => a - b);
  const moments = new Map<number, boolean>();
  let next = 0;
  for (const { fromMs, toMs, state } of job.coverage) {
    if (state !== 'answered' && state !== 'failing') continue;
    for (
      let s = Math.ceil(fromMs / 1000);
      s * 1000 <= toMs;
      s = Math.min(s + TICK_S, shown[next] ?? Infinity)
    ) {
      moments.set(s, state === 'failing');
      while (next < shown.length && shown[next]! <= s) next++;
    }
  }
  for (const s of shown) moments.set(s, false);
  return [...moments].sort(([a], [b]) => a - b);
};

/** The rows of a fleet as they were, moment by moment. */
class PastRows {
  readonly #identities: WatchJob['identities'];
  readonly #fixes: RecordedRows;
  readonly #states: RecordedRows;
  #rows: FleetRows;
  /** The rows before, whose memory is used again. */
  #spare: FleetRows['columns'];
  /** Those of the rows before, which stay as they are. */
  #before: FleetRows['identities'] = [];

  constructor(job: WatchJob) {
    this.#identities = job.identities;
    this.#fixes = toFixes(job);
    this.#states = toStates(job);
    const rows = job.identities.length;
    this.#rows = { rows, identities: new Array<null>(rows).fill(null), columns: createColumns(rows) };
    this.#rows.columns.latE5.fill(NO_POSITION);
    this.#rows.columns.lngE5.fill(NO_POSITION);
    this.#spare = createColumns(rows);
  }

  /** Those of a moment, Unix s, which is after the last one. */
  at(momentS: number): FleetRows {
    const { columns: before, rows } = this.#rows;
    for (const name of COLUMNS) this.#spare[name].set(before[name]);
    this.#rows = { rows, identities: this.#rows.identities, columns: this.#spare };
    this.#spare = before;
    this.#before = this.#rows.identities;
    const [fixes, states] = [this.#fixes, this.#states];
    for (let atS = 0; (atS = Math.min(fixes.nextS(), states.nextS())) <= momentS;) {
      // A fix before the state that follows from it.
      if (fixes.nextS() === atS) this.#applyFix(fixes.next++);
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

  #write(row: number, names: readonly Column[], values: readonly Float64Array[], at: number): void {
    const { columns } = this.#rows;
    // A loop without an iterator: there are millions of rows.
    for (let c = 0; c < names.length; c++) columns[names[c]!][row] = values[c]![at]!;
  }
}

/** What a rule would have opened, oldest first, by the code that watches the live fleet. */
export const replayWatch = (job: WatchJob): WatchedPast => {
  const watch = new FleetWatch();
  watch.configure(job.config);
  const past = new PastRows(job);
  const open = new Map<string, RulePreview['first'][number]>();
  const newest: RulePreview['first'] = [];
  let count = 0;
  for (const [momentS, isFailing] of listMoments(job)) {
    const seenMs = momentS * 1000;
    const rows = past.at(momentS);
    // Rules do not tell failures apart.
    const failure = isFailing ? 'network' : null;
    for (const change of watch.observe(rows, { seenMs, failure }).alerts) {
      const { unit, atMs } = change;
      if (change.kind === 'closed') {
        const alert = open.get(unit);
        if (alert) alert.closedMs = atMs;
        continue;
      }
      const alert = { unit, openedMs: atMs, closedMs: null, facts: change.facts };
      open.set(unit, alert);
      if (atMs < job.fromMs || atMs > job.toMs) continue;
      count++;
      newest.push(alert);
      if (newest.length > MOST_NEWEST) newest.shift();
    }
  }
  return { count, newest };
};
