import 'server-only';
import type { RulePreview } from '@/lib/alerts/answers';
import { FleetWatch } from '@/lib/alerts/fleet-watch';
import type { WatchConfig } from '@/lib/alerts/fleet-watch';
import { COLUMNS, MOTION_COLUMNS, NO_POSITION, RECORDED_COLUMNS } from '@/lib/wire/fleet';
import type { FleetRows, UnitIdentity } from '@/lib/wire/fleet';
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
   * Of each row the unit's index, when it was seen, Unix s, 1 for a state and 0 for a fix, and RECORDED_COLUMNS, of which a
   * fix has MOTION_COLUMNS; status -1: the unit was forgotten. By time, fixes before states.
   */
  columns: readonly Float64Array<ArrayBuffer>[];
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

/** When the fleet is looked at, Unix s, in order: with each change, and once a minute; and whether the feed failed then. */
const listMoments = ({ coverage, columns: [, seen] }: WatchJob): [number, boolean][] => {
  const moments = new Map<number, boolean>();
  for (const { fromMs, toMs, state } of coverage) {
    if (state !== 'answered' && state !== 'failing') continue;
    for (let s = Math.ceil(fromMs / 1000); s * 1000 <= toMs; s += TICK_S) moments.set(s, state === 'failing');
  }
  for (const s of seen ?? []) moments.set(s, false);
  return [...moments].sort(([a], [b]) => a - b);
};

/** The rows of a fleet as they were, moment by moment. */
class PastRows {
  readonly #job: WatchJob;
  #next = 0;
  #rows: FleetRows;
  /** The rows before, whose memory is used again. */
  #spare: FleetRows['columns'];
  /** Those of the rows before, which stay as they are. */
  #before: FleetRows['identities'] = [];

  constructor(job: WatchJob) {
    this.#job = job;
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
    const seen = this.#job.columns[1] ?? [];
    while (this.#next < seen.length && seen[this.#next]! <= momentS) this.#apply(this.#next++);
    return this.#rows;
  }

  #apply(at: number): void {
    const [units, , isState, ...values] = this.#job.columns;
    const row = units![at]!;
    const isFix = isState![at] === 0;
    const identity = isFix || values[STATUS]![at] !== -1 ? this.#job.identities[row]! : null;
    const { columns } = this.#rows;
    // A unit is there with its first state.
    if (!isFix && this.#rows.identities[row] !== identity) {
      if (this.#rows.identities === this.#before) this.#rows.identities = [...this.#before];
      this.#rows.identities[row] = identity;
    }
    if (identity === null) {
      columns.latE5[row] = columns.lngE5[row] = NO_POSITION;
      columns.fixAtS[row] = 0;
      return;
    }
    const names = isFix ? MOTION_COLUMNS : RECORDED_COLUMNS;
    for (const [c, name] of names.entries()) columns[name][row] = values[c]![at]!;
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
