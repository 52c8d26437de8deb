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
import type { Way } from '@/lib/arrivals/drives';
import { isLoadCondition } from './load-cases';
import type { RouteQuery } from './load-routes';
import {
  LoadWatch,
  type ArrivalsQuery,
  type ArrivalsStart,
  type LoadChange,
  type WatchedLoad,
} from './load-watch';

/** The sites, rules, tags and loads that a fleet is watched for. */
export interface WatchConfig extends RuleConfig {
  /** Absent: none. */
  loads?: readonly WatchedLoad[];
}

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

/** What a fleet is watched for, and what is recorded as open of it. */
export interface WatchStart {
  config: WatchConfig;
  /** Visits that are open, or were when `past` begins; null: the fleet is not recorded. */
  visits: readonly WatchedVisit[] | null;
  /** Alerts that are open or cool down, or did when `past` begins; sorted by when they opened. */
  alerts: readonly HeldAlert[];
  /** Absent: nothing was recorded, or the watch goes on. */
  past?: LastMinutes | null;
}

/** Visits that began or ended with a poll, and alerts that opened or closed. */
export interface Watched {
  visits: SiteVisit[];
  alerts: AlertChange[];
  /** Absent: nothing was found of loads. */
  loads?: readonly LoadChange[];
  /** Units with another key, before the rest: what is open of them goes on under that. */
  renamed?: readonly Renamed[];
}

/** What two polls showed, as of the later one: `a` by the keys that its units have then. */
export const joinWatched = (a: Watched | null, b: Watched): Watched => {
  const keys = new Map(b.renamed);
  const withKey = <T extends { unit: string }>(each: T): T => ({
    ...each,
    unit: keys.get(each.unit) ?? each.unit,
  });
  return {
    visits: [...(a?.visits ?? []).map(withKey), ...b.visits],
    alerts: [...(a?.alerts ?? []).map(withKey), ...b.alerts],
    loads: [...(a?.loads ?? []), ...(b.loads ?? [])],
    renamed: [...(a?.renamed ?? []), ...(b.renamed ?? [])],
  };
};

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
  readonly #loads: LoadWatch;
  #before: FleetRows | null = null;
  /** The rows that it left when it was read again, until the next poll. */
  #left: FleetRows | null = null;
  /** What the rows showed that it left, until the next poll. */
  #shown: PastShown | null = null;
  /** There is a site or a rule. */
  #isOn = false;

  constructor({ isRouted = false } = {}) {
    this.#loads = new LoadWatch({ isRouted });
  }

  /** Sets sites, rules and tags, which count from the next poll on. */
  configure(config: WatchConfig): void {
    this.#isOn = config.sites.length + config.rules.length > 0;
    this.#loads.configure(config.loads ?? []);
    if (!this.#isOn) this.#before = null;
    this.#tracker.configure(config.sites);
    this.#engine.configure(config);
  }

  /** What is to be read of the arrivals of its trucks; null: there are no loads. */
  lacksOfArrivals(): ArrivalsQuery | null {
    return this.#loads.lacks();
  }

  /** Takes the answer to such a query. @throws if it cannot be unpacked */
  learnArrivals(start: ArrivalsStart, query: Pick<ArrivalsQuery, 'units'>): void {
    this.#loads.learn(start, query);
  }

  /** The ways that a routing engine is to be asked for next; none: there is nothing to ask. */
  takeRouteQueries(): RouteQuery[] {
    return this.#loads.takeRouteQueries();
  }

  /** Takes its answers, in the order of the queries: null where it has none. */
  learnRoutes(queries: readonly RouteQuery[], ways: readonly (Way | null)[]): void {
    this.#loads.learnRoutes(queries, ways);
  }

  /**
   * Begins where the recording ends: its last minutes are replayed, to find by the same code what was in progress. A watch
   * that is started again knows that already, and takes what is open from the recording: a rule or a site may have been
   * changed, an alert closed by hand or refused.
   */
  start({ config, visits, alerts, past }: WatchStart): void {
    if (visits === null) return this.configure(config);
    const shown = past ? this.#replay({ config, visits, alerts, past }) : this.#detach();
    // A unit that is not in the first answers after a restart may be in the next ones.
    if (past) this.#left = null;
    this.configure(config);
    const fixes = new Map(shown?.fixes);
    const open = visits
      .filter(({ leftMs }) => leftMs === null)
      .map((visit) => ({ ...visit, fixes: [...(visit.fixes ?? []), ...(fixes.get(visit.unit) ?? [])] }));
    this.#tracker.restore(open);
    this.#engine.restore(alerts, this.#tracker, shown?.silentFixMs);
  }

  /** Replays a past; the positions at its end, and the last fix of each unit that was silent then. */
  #replay({
    config: all,
    visits,
    alerts,
    past,
  }: WatchStart & { visits: readonly WatchedVisit[]; past: LastMinutes }): PastShown | null {
    const { fromMs } = past;
    // Cases that a rule is yet to note are those of the first poll.
    const rules = all.rules.filter(
      ({ condition, newFromMs, knownFromMs }) =>
        (!newFromMs || newFromMs === knownFromMs) && !isLoadCondition(condition),
    );
    // Loads have their state in their tables, with the visits up to now.
    const config = { ...all, rules, loads: [] };
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
        // A failure shows no rows: the next ones are compared with those before it, whose memory is used again after two more.
        const shown = isFailing && this.#before !== null ? this.#before : rows.at(moment);
        // Rules do not tell failures apart.
        this.observe(shown, { seenMs: fromMs + moment, failure: isFailing ? 'network' : null });
      }
    return this.#detach();
  }

  /** Leaves the rows; the positions that they showed, also where it left them before and no poll came. */
  #detach(): PastShown | null {
    const last = this.#before;
    this.#before = null;
    if (last === null) return this.#shown;
    this.#left = last;
    this.#tracker.detach(last);
    this.#shown = toShown(last);
    return this.#shown;
  }

  /**
   * What a poll seen at `seenMs` (Unix ms) showed; writes the column `siteId`. After a failure the rows are older ones.
   */
  observe(
    rows: FleetRows,
    { seenMs, failure, renamed = [] }: { seenMs: number; failure: ProblemKind | null; renamed?: Renamed[] },
  ): Watched {
    if (!this.#isOn) {
      this.#shown = this.#left = null;
      this.#engine.forgetSilent();
      return renamed.length === 0 ? NOTHING : { ...NOTHING, renamed };
    }
    if (failure !== null) return { visits: [], alerts: this.#engine.observeFailure(seenMs), renamed };
    const step = toPollStep(this.#before, rows, seenMs, renamed, this.#left);
    this.#before = rows;
    this.#shown = this.#left = null;
    const events = this.#tracker.observe(step);
    const visits = events.map(({ visit }) => visit);
    const loads = this.#loads.observe(step, visits, (row) => this.#tracker.presencesOf(row));
    const listLoads = () => this.#loads.listCases();
    const alerts = this.#engine.observe(step, { tracker: this.#tracker, events, listLoads });
    return { visits, alerts, renamed, ...(loads.length > 0 && { loads }) };
  }
}
