import { PastRows, listMoments, type RecordedRows } from './past-rows';
import type { CoverageInterval } from '@/lib/trips/coverage';
import { toPollStep, type Renamed } from './poll-step';
import type { SiteVisit } from './site';
import { SiteTracker, UNTRUSTED_FLAGS, type RestoredVisit } from './site-tracker';
import { NO_POSITION, type FleetRows, type ProblemKind } from '@/lib/wire/fleet';
import { DEGREES_PER_E5 } from '@/lib/geo/units';
import { STATUSES } from '@/lib/motion/status';
import type { AlertChange, HeldAlert } from './engine/rule-state';
import { RuleEngine, type RuleConfig } from './engine/rule-engine';

/** The sites, rules and tags that a fleet is watched for. */
export type WatchConfig = RuleConfig;

/** A recorded visit, and the newest positions of its unit before `past`, where they are known, oldest first. */
type WatchedVisit = SiteVisit & Pick<RestoredVisit, 'fixes'>;

/** The last minutes of a recording: times of rows are ms after `fromMs`. */
export interface LastMinutes extends RecordedRows {
  /** Unix ms. */
  fromMs: number;
  /** The intervals that touch these minutes, and the one before, in the order of time. */
  coverage: readonly CoverageInterval[];
  /** The sites that are new or were changed in these minutes, and when, Unix ms. */
  changedSites: readonly { id: number; atMs: number }[];
}

/** The recording with which the feed of a fleet starts to watch. */
export interface WatchStart {
  config: WatchConfig;
  /** Visits that are open, or were when `past` begins. */
  visits: readonly WatchedVisit[];
  /** Alerts that are open or cool down, or did when `past` begins; sorted by when they opened. */
  alerts: readonly HeldAlert[];
  /** Absent: nothing was recorded. */
  past?: LastMinutes | null;
  /** Only the configuration was read, after a change of it. */
  isChange?: boolean;
}

/** Visits that began or ended with a poll, and alerts that opened or closed. */
export interface Watched {
  visits: SiteVisit[];
  alerts: AlertChange[];
  /** Units with another key, before the rest: what is open of them goes on under that. */
  renamed?: readonly Renamed[];
}

export const joinWatched = (a: Watched | null, b: Watched): Watched => ({
  visits: [...(a?.visits ?? []), ...b.visits],
  alerts: [...(a?.alerts ?? []), ...b.alerts],
  renamed: [...(a?.renamed ?? []), ...(b.renamed ?? [])],
});

/** A poll that changed nothing is not recorded: the past is looked at so often. */
const TICK_MS = 10_000;
const SILENT = STATUSES.indexOf('silent');

/** Positions and silent units at the end of a past, by unit. */
interface PastShown {
  fixes: Map<string, NonNullable<RestoredVisit['fixes']>>;
  silentFixMs: Map<string, number>;
}

const toShown = ({ identities, columns }: FleetRows): PastShown => {
  const { fixAtS, latE5, lngE5, status, flags } = columns;
  const shown: PastShown = { fixes: new Map(), silentFixMs: new Map() };
  identities.forEach((identity, row) => {
    if (!identity || fixAtS[row] === 0 || latE5[row] === NO_POSITION) return;
    const fixAtMs = fixAtS[row]! * 1000;
    if (status[row] === SILENT) shown.silentFixMs.set(identity.key, fixAtMs);
    if (flags[row]! & UNTRUSTED_FLAGS) return;
    const [lat, lng] = [latE5[row]! * DEGREES_PER_E5, lngE5[row]! * DEGREES_PER_E5];
    shown.fixes.set(identity.key, [{ fixAtMs, lat, lng }]);
  });
  return shown;
};

const NOTHING: Watched = { visits: [], alerts: [] };

/** Watches one fleet: where its units are, and what its rules find. Pure: rows and times are given to it. */
export class FleetWatch {
  readonly #tracker = new SiteTracker();
  readonly #engine = new RuleEngine();
  #before: FleetRows | null = null;
  /** There is a site or a rule. */
  #isOn = false;

  /** Sets sites, rules and tags, which count from the next poll on. */
  configure(config: WatchConfig): void {
    this.#isOn = config.sites.length + config.rules.length > 0;
    if (!this.#isOn) this.#before = null;
    this.#tracker.configure(config.sites);
    this.#engine.configure(config);
  }

  /** Begins where the recording ends: its last minutes are replayed, to find by the same code what was in progress. */
  start({ config, visits, alerts, past }: WatchStart): void {
    const shown = past ? this.#replay({ config, visits, alerts, past }) : null;
    this.configure(config);
    const fixes = new Map(shown?.fixes);
    const open = visits
      .filter(({ leftMs }) => leftMs === null)
      .map((visit) => ({ ...visit, fixes: [...(visit.fixes ?? []), ...(fixes.get(visit.unit) ?? [])] }));
    this.#tracker.restore(open);
    this.#engine.restore(alerts, this.#tracker, shown?.silentFixMs);
  }

  /** Replays a past; the positions at its end, and the last fix of each unit that was silent then. */
  #replay({ config: all, visits, alerts, past }: WatchStart & { past: LastMinutes }): PastShown | null {
    const { fromMs } = past;
    // Cases that a rule is yet to note are those of the first poll.
    const rules = all.rules.filter(({ newFromMs, knownFromMs }) => !newFromMs || newFromMs === knownFromMs);
    const config = { ...all, rules };
    if (config.sites.length + config.rules.length === 0) return null;
    const changedAtMs = new Map(past.changedSites.map(({ id, atMs }) => [id, atMs]));
    let count = -1;
    /** A changed site is judged from its change on: what it was before is not known. */
    const configureAt = (atMs: number): void => {
      const sites = config.sites.filter(({ id }) => (changedAtMs.get(id) ?? -Infinity) <= atMs);
      if (sites.length !== count) this.configure({ ...config, sites });
      count = sites.length;
    };
    configureAt(fromMs);
    this.#tracker.restore(visits.filter(({ arrivedMs }) => arrivedMs <= fromMs));
    const before = alerts.filter(({ openedMs }) => openedMs <= fromMs);
    const asOf = (closedMs: number | null) => (closedMs !== null && closedMs > fromMs ? null : closedMs);
    this.#engine.restore(
      before.map((alert) => ({ ...alert, closedMs: asOf(alert.closedMs) })),
      this.#tracker,
    );
    const rows = new PastRows(past);
    const coverage = past.coverage.flatMap(({ fromMs: sinceMs, toMs, state }) => {
      const [from, to] = [sinceMs - fromMs, toMs - fromMs];
      // Of a failure it matters since when it lasts.
      const began = { from, to: Math.min(to, from + TICK_MS), state };
      return [...(from < 0 ? [began] : []), { from: Math.max(0, from), to, state }];
    });
    for (const [moment, isFailing] of listMoments(past, coverage, TICK_MS))
      // Before these minutes only the newest rows are known.
      if (moment >= 0 || isFailing) {
        configureAt(fromMs + moment);
        // Rules do not tell failures apart.
        this.observe(rows.at(moment), { seenMs: fromMs + moment, failure: isFailing ? 'network' : null });
      }
    const last = this.#before;
    this.#before = null;
    if (last === null) return null;
    this.#tracker.detach(last);
    return toShown(last);
  }

  /**
   * What a poll seen at `seenMs` (Unix ms) showed; writes the column `siteId`. After a failure the rows are older ones.
   */
  observe(
    rows: FleetRows,
    { seenMs, failure, renamed = [] }: { seenMs: number; failure: ProblemKind | null; renamed?: Renamed[] },
  ): Watched {
    if (!this.#isOn) {
      this.#engine.forgetSilent();
      return renamed.length === 0 ? NOTHING : { ...NOTHING, renamed };
    }
    if (failure !== null) return { visits: [], alerts: this.#engine.observeFailure(seenMs), renamed };
    const step = toPollStep(this.#before, rows, seenMs, renamed);
    this.#before = rows;
    const events = this.#tracker.observe(step);
    const alerts = this.#engine.observe(step, this.#tracker, events);
    return { visits: events.map(({ visit }) => visit), alerts, renamed };
  }
}
