import type { PollStep } from '../poll-step';
import type { Site } from '../site';
import { withLength, type Presence, type SiteEvent, type SiteTracker } from '../site-tracker';
import type { FleetRows } from '@/lib/wire/fleet';
import {
  CAUSE,
  KEEPS,
  STOPPED,
  findHolds,
  listReportsAgain,
  type Evidence,
  toFacts,
  toFeedFacts,
  type Cause,
} from './conditions';
import {
  RuleState,
  listCauses,
  toMoves,
  type AlertChange,
  type HeldAlert,
  type OpenAlert,
  type Settling,
} from './rule-state';
import { ScopeMask } from './scope-mask';
import type { AlertCondition, AlertFacts, WatchedRule } from '../alert-rule';
import { isLoadCondition, listCases, type LoadCase, type WorstCase } from '../load-cases';
import { isWithinHours } from '../hours';
import { MINUTE_MS } from '@/lib/base/time';

export interface RuleConfig {
  sites: readonly Site[];
  rules: readonly WatchedRule[];
  /** The keys of the units with each tag. */
  tags: Readonly<Record<string, readonly string[]>>;
}

/** An alert from before a restart closes if its unit does not appear for this long. */
const UNSEEN_MS = 120 * MINUTE_MS;
/** The feed is no unit: its alerts have an empty key, and a row of their own. */
const FEED = '';
const FEED_SCOPE = new ScopeMask({ type: 'all' }, {});
FEED_SCOPE.mask = Uint8Array.of(1, 0, 0, 0);

const toBetweenMs = (fromMs: number | null, toMs: number | null): AlertFacts['betweenMs'] =>
  fromMs === null || toMs === null ? null : [fromMs, toMs];

const toRowOf = ({ identities }: FleetRows): Map<string, number> => {
  const rowOf = new Map<string, number>();
  identities.forEach((identity, row) => identity && rowOf.set(identity.key, row));
  return rowOf;
};

const isOfCondition = (condition: AlertCondition, { id, kind, isOfLoad }: Site): boolean => {
  if (isOfLoad) return false;
  if (condition.kind === 'entersNoGo') return kind === 'noGo';
  return 'siteIds' in condition && (condition.siteIds === null || condition.siteIds.includes(id));
};

/** Finds the recorded arrivals that are yet to open an alert, because the one before cools down. */
const restoreWaiting = (state: RuleState, tracker: SiteTracker): void => {
  const { schedule } = state.rule;
  for (const [unit, openedMs] of state.listCooling()) {
    if (state.waiting.has(unit)) continue;
    const isAwaited = ({ isVisit, tracked, arrivedAfterMs, arrivedMs }: Presence): boolean =>
      isVisit &&
      state.isOfRule[tracked.index] === 1 &&
      // Otherwise it may have been there when the site was drawn.
      arrivedAfterMs !== null &&
      arrivedMs > openedMs &&
      (schedule === null || isWithinHours(schedule, arrivedMs));
    const [presence] = tracker
      .presencesOfUnit(unit)
      .filter(isAwaited)
      .sort((a, b) => a.tracked.areaM2 - b.tracked.areaM2);
    if (presence) state.waiting.set(unit, presence);
  }
};

/** A poll as rules see it. */
interface Seen {
  step: PollStep;
  tracker: SiteTracker;
  events: readonly SiteEvent[];
  changes: AlertChange[];
  readReportsAgain: () => Map<number, number>;
  readLoads: Evidence['readLoads'];
}

/** What else a poll showed besides its rows. */
export interface Found {
  tracker: SiteTracker;
  events: readonly SiteEvent[];
  /** Lists the loads of each unit; absent: there are none. */
  listLoads?: () => Map<string, LoadCase[]>;
}

const listCasesOf = (
  condition: Parameters<typeof listCases>[0],
  { step: { rows, seenMs }, readLoads }: Seen,
  row: number,
): WorstCase[] => listCases(condition, readLoads().get(rows.identities[row]?.key ?? '') ?? [], seenMs);

/** Judges the rules of a fleet, poll by poll. Pure: times come with the rows. */
export class RuleEngine {
  /** The states of rules, with equal conditions side by side. */
  #states: RuleState[] = [];
  #scopes: ScopeMask[] = [];
  #sites = new Map<number, Site>();
  #holds = new Uint8Array(0);
  #causes: readonly number[] = [];
  /** The condition whose rows these have; null: none. */
  #heldCondition: string | null = null;
  #seenMs = -Infinity;
  #failingSinceMs: number | null = null;
  /** When the first poll after a restart came; null: none did, or nothing waits for units from before it. */
  #restoredAtMs: number | null = null;
  #hasUnseen = false;
  #silentFixMs = new Map<string, number>();
  /** When each unit left a site last, by the first fix beyond, Unix ms. */
  readonly #leftMs = new Map<string, number>();

  /** Sets the rules; alerts of a rule that is there no more are forgotten. */
  configure({ sites, rules, tags }: RuleConfig): void {
    const before = new Map(this.#states.map((state) => [state.rule.id, state]));
    const scopes = new Map<string, ScopeMask>();
    this.#sites = new Map(sites.map((site) => [site.id, site]));
    this.#states = rules
      .filter(({ isEnabled }) => isEnabled)
      .map((rule) => {
        const { condition, units } = rule;
        const name = JSON.stringify(units);
        const isFeed = condition.kind === 'feedFails';
        const scope = isFeed ? FEED_SCOPE : (scopes.get(name) ?? new ScopeMask(units, tags));
        if (!isFeed) scopes.set(name, scope);
        const isOfRule = Uint8Array.from(sites, (site) => (isOfCondition(condition, site) ? 1 : 0));
        return new RuleState(rule, scope, isOfRule, before.get(rule.id));
      })
      .sort((a, b) => a.conditionName.localeCompare(b.conditionName));
    this.#scopes = [...scopes.values()];
  }

  /**
   * Continues with recorded alerts, oldest first; `silentFixMs`: the last fix of each unit that was silent, Unix ms.
   */
  restore(
    alerts: readonly HeldAlert[],
    tracker: SiteTracker,
    silentFixMs: ReadonlyMap<string, number> = new Map(),
  ): void {
    for (const state of this.#states) {
      const ofRule = alerts.filter(({ ruleId }) => ruleId === state.rule.id);
      state.restore(ofRule, state.scope === FEED_SCOPE ? 0 : -1);
      if (state.rule.condition.kind === 'arrives') restoreWaiting(state, tracker);
    }
    this.#silentFixMs = new Map(silentFixMs);
    this.#hasUnseen = true;
    this.#restoredAtMs = null;
  }

  /** A poll went by unseen: a unit that was silent before a restart may have reported with it. */
  forgetSilent(): void {
    this.#silentFixMs = new Map();
  }

  /** Alerts that a poll changed, whose answer was applied and by which the sites were judged. */
  observe(step: PollStep, { tracker, events, listLoads = () => new Map() }: Found): AlertChange[] {
    const changes: AlertChange[] = [];
    const { rows, seenMs } = step;
    this.#followClock(seenMs);
    for (const unit of step.vanished) this.#silentFixMs.delete(unit);
    for (const [from, to] of step.renamed) this.#leftMs.set(to, this.#leftMs.get(from) ?? 0);
    for (const { kind, visit } of events)
      if (kind === 'left' && visit.leftByMs !== null) this.#leftMs.set(visit.unit, visit.leftByMs);
    this.#failingSinceMs = null;
    let rowOf: Map<string, number> | null = null;
    const readRowOf = () => (rowOf ??= toRowOf(rows));
    for (const scope of this.#scopes) scope.follow(step, readRowOf);
    const moves = toMoves(step);
    for (const state of this.#states)
      if (state.scope !== FEED_SCOPE) state.follow(moves, rows.rows, seenMs, changes);
    this.#holds = withLength(this.#holds, rows.rows);
    this.#heldCondition = null;
    let reports: Map<number, number> | null = null;
    const readReportsAgain = () => (reports ??= listReportsAgain(step, this.#silentFixMs));
    let loads: ReturnType<typeof listLoads> | null = null;
    const readLoads = () => (loads ??= listLoads());
    for (const state of this.#states)
      this.#judge(state, { step, tracker, events, changes, readReportsAgain, readLoads });
    // A unit in a row is judged by the poll before.
    for (const unit of moves.joined.keys()) this.#silentFixMs.delete(unit);
    this.#closeUnseen(seenMs, changes);
    return changes;
  }

  /** Alerts that a failed poll changed: it shows nothing of units. */
  observeFailure(seenMs: number): AlertChange[] {
    const changes: AlertChange[] = [];
    this.#followClock(seenMs);
    this.#failingSinceMs ??= seenMs;
    for (const state of this.#states) if (state.scope === FEED_SCOPE) this.#judgeFeed(state, seenMs, changes);
    return changes;
  }

  #followClock(seenMs: number): void {
    if (seenMs < this.#seenMs) {
      for (const state of this.#states) state.setBack(seenMs);
      this.#failingSinceMs = this.#failingSinceMs && Math.min(this.#failingSinceMs, seenMs);
    }
    this.#seenMs = seenMs;
  }

  #closeUnseen(seenMs: number, changes: AlertChange[]): void {
    if (!this.#hasUnseen) return;
    this.#restoredAtMs ??= seenMs;
    if (seenMs - this.#restoredAtMs < UNSEEN_MS) return;
    for (const state of this.#states) state.closeUnseen(seenMs, changes);
    this.forgetSilent();
    this.#hasUnseen = false;
  }

  #judge(state: RuleState, seen: Seen): void {
    const { step, changes } = seen;
    const { rows, seenMs } = step;
    const { rule } = state;
    if (rule.condition.kind === 'feedFails') return this.#judgeFeed(state, seenMs, changes);
    const settling: Settling = {
      seenMs,
      isInHours: rule.schedule === null || isWithinHours(rule.schedule, seenMs),
      unitOf: (row) => rows.identities[row]!.key,
      toFacts: (row) => this.#toFacts(state, seen, row),
      isOther: (alert, isGoing) => this.#isOther(state, seen, alert, isGoing),
      changes,
    };
    if (rule.condition.kind === 'leaves' || rule.condition.kind === 'reportsAgain') {
      state.noteKnown([], settling);
      return this.#fire(state, seen, settling);
    }
    const holds = this.#holds;
    // Arrivals are marked for each rule.
    if (state.conditionName !== this.#heldCondition || rule.condition.kind === 'arrives') {
      holds.fill(0);
      findHolds(rule.condition, this.#toEvidence(state, seen), holds);
      if (rule.condition.kind === 'arrives') this.#markArrivals(state, seen, settling);
      this.#causes = listCauses(holds);
      this.#heldCondition = state.conditionName;
    }
    // An arrival is no case that held before.
    state.noteKnown(rule.condition.kind === 'arrives' ? [] : this.#causes, settling);
    state.settle({ byRow: holds, causes: this.#causes }, settling);
  }

  #toEvidence({ isOfRule }: RuleState, { step, tracker, readLoads }: Seen): Evidence {
    const arriving = tracker.arrivingRows();
    return { ...step, open: tracker.listOpen(), arriving, leftMs: this.#leftMs, isOfRule, readLoads };
  }

  /** Whether a stop or a visit began after the one that opened the alert of its unit. */
  #isOther(
    { rule: { condition } }: RuleState,
    seen: Seen,
    { row, siteId, sinceMs, loadKey }: OpenAlert,
    isGoing: boolean,
  ): boolean {
    const { step, tracker } = seen;
    const { kind } = condition;
    if (isLoadCondition(condition))
      return listCasesOf(condition, seen, row).every(({ load }) =>
        loadKey ? load.key !== loadKey : load.siteId !== siteId,
      );
    const isLater = (ms: number): boolean => sinceMs !== null && ms >= sinceMs + MINUTE_MS;
    const { status, sinceS } = step.rows.columns;
    if (kind === 'standsOutside') return isGoing && status[row] === STOPPED && isLater(sinceS[row]! * 1000);
    if (kind !== 'stays' && kind !== 'entersNoGo') return false;
    const visit = tracker
      .presencesOf(row)
      .find(({ isVisit, tracked: { site } }) => isVisit && site.id === siteId);
    return visit === undefined || isLater(visit.arrivedMs);
  }

  #judgeFeed(state: RuleState, seenMs: number, changes: AlertChange[]): void {
    const { condition, schedule } = state.rule;
    if (condition.kind !== 'feedFails') return;
    const sinceMs = this.#failingSinceMs;
    const isLong = sinceMs !== null && seenMs - sinceMs >= condition.forMin * MINUTE_MS;
    // An alert that is open stays so with the first failure after a success.
    const hold = sinceMs === null ? 0 : isLong ? CAUSE : KEEPS;
    const byRow = Uint8Array.of(hold, 0, 0, 0);
    const holds = { byRow, causes: listCauses(byRow) };
    const settling: Settling = {
      seenMs,
      isInHours: schedule === null || isWithinHours(schedule, seenMs),
      unitOf: () => FEED,
      toFacts: () => toFeedFacts(condition, sinceMs!),
      changes,
    };
    state.noteKnown(holds.causes, settling);
    state.settle(holds, settling);
  }

  /** Events, which open an alert that closes at once. */
  #fire(state: RuleState, seen: Seen, settling: Settling): void {
    const { isOfRule, rule, scope } = state;
    state.cool(settling.seenMs);
    if (!settling.isInHours) return;
    const fire = (row: number, cause: Cause): void => {
      if (scope.mask[row] === 1)
        state.fire(settling.unitOf(row), row, settling, this.#toUnitFacts(rule.condition, seen, row, cause));
    };
    if (rule.condition.kind === 'reportsAgain')
      for (const [row, sinceMs] of seen.readReportsAgain()) fire(row, { sinceMs });
    else
      for (const { kind, presence, visit } of seen.events) {
        const { site, index } = presence.tracked;
        if (kind !== 'left' || isOfRule[index] !== 1) continue;
        const betweenMs = toBetweenMs(visit.leftMs, visit.leftByMs);
        fire(presence.row, { sinceMs: visit.leftMs, betweenMs, site });
      }
  }

  /** Marks the units that arrived with this poll, or earlier while the alert before cooled down. */
  #markArrivals(state: RuleState, { tracker, events }: Seen, settling: Settling): void {
    const { isOfRule, waiting, scope } = state;
    const isThere = (presence: Presence): boolean => {
      const { unit, row } = presence;
      return (row < 0 ? tracker.presencesOfUnit(unit) : tracker.presencesOf(row)).includes(presence);
    };
    for (const { kind, presence } of events) {
      const { unit, row, tracked, wasThere } = presence;
      if (kind !== 'arrived' || wasThere || isOfRule[tracked.index] !== 1 || !isThere(presence)) continue;
      if (!settling.isInHours || scope.mask[row] !== 1) continue;
      const siteId = state.openSiteId(unit);
      if (siteId !== null) {
        const isStillThere = ({ isVisit, tracked: { site } }: Presence) => isVisit && site.id === siteId;
        if (tracker.presencesOf(row).some(isStillThere)) continue;
        state.closeNow(unit, settling);
      }
      const other = waiting.get(unit);
      if (!other || !isThere(other) || tracked.areaM2 < other.tracked.areaM2) waiting.set(unit, presence);
    }
    for (const [unit, presence] of waiting)
      if (!isThere(presence) || isOfRule[presence.tracked.index] !== 1) waiting.delete(unit);
      else if (presence.row >= 0 && presence.beyondMs === null) this.#holds[presence.row] = CAUSE;
  }

  #toUnitFacts(condition: AlertCondition, { step }: Seen, row: number, cause: Cause): AlertFacts {
    const site = cause.site ?? this.#sites.get(step.rows.columns.siteId[row]!);
    return toFacts(condition, step.rows, row, { ...cause, site });
  }

  #toFacts(state: RuleState, seen: Seen, row: number): AlertFacts {
    const { condition } = state.rule;
    return this.#toUnitFacts(condition, seen, row, this.#toCause(state, seen, row));
  }

  /** The cause of a lasting alert of a row. */
  #toCause({ rule: { condition }, isOfRule, waiting }: RuleState, seen: Seen, row: number): Cause {
    const { step, tracker } = seen;
    const { identities, columns } = step.rows;
    if (isLoadCondition(condition)) {
      const [worst] = listCasesOf(condition, seen, row);
      if (!worst) return {};
      const { siteId, facts } = worst.load;
      const site = siteId === null ? undefined : { id: siteId, name: facts.stopName };
      return { sinceMs: worst.sinceMs, site, load: facts };
    }
    switch (condition.kind) {
      case 'arrives':
      case 'stays':
      case 'entersNoGo': {
        const ofRule = ({ isVisit, tracked }: Presence) => isVisit && isOfRule[tracked.index] === 1;
        // One that its unit may have left comes last: it opened no alert.
        const [first] = tracker
          .presencesOf(row)
          .filter(ofRule)
          .sort(
            (a, b) => Number(a.beyondMs !== null) - Number(b.beyondMs !== null) || a.arrivedMs - b.arrivedMs,
          );
        const presence = condition.kind === 'arrives' ? waiting.get(identities[row]!.key) : first;
        if (!presence) return {};
        const { arrivedAfterMs, arrivedMs, tracked } = presence;
        const betweenMs = condition.kind === 'stays' ? null : toBetweenMs(arrivedAfterMs, arrivedMs);
        return { sinceMs: arrivedMs, betweenMs, site: tracked.site };
      }
      case 'standsOutside': {
        const leftMs = this.#leftMs.get(identities[row]!.key) ?? 0;
        return { sinceMs: Math.max(columns.sinceS[row]! * 1000, leftMs) };
      }
      case 'silent':
        return { sinceMs: columns.fixAtS[row]! * 1000 };
      case 'exceeds':
      case 'flagged':
        return { sinceMs: null };
      default:
        return {};
    }
  }
}
