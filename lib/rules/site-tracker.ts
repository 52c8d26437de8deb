import type { Site, SiteVisit } from './site';
import { SiteIndex, areaM2, signedDistanceM } from './geofence';
import type { PollStep } from './poll-step';
import { NO_POSITION, type FleetRows } from '@/lib/wire/fleet';
import { DEGREES_PER_E5, type LatLng } from '@/lib/geo/units';
import { toFlagMask } from '@/lib/motion/status';
import { MINUTE_MS } from '@/lib/base/time';

/** With one of these flags a position is no evidence of where a unit is. */
export const UNTRUSTED_FLAGS = toFlagMask([
  'clockFault',
  'impossibleJump',
  'implausiblePosition',
  'frozenPosition',
]);

/** Fixes inside, or beyond the margin, for this long are an arrival or a departure. */
const SETTLE_MS = MINUTE_MS;
/** One fix inside is an arrival if no other came for this long. */
export const LAST_FIX_MS = 5 * MINUTE_MS;
/** Fixes between edge and margin end an arrival this long after the last one inside. */
const AT_EDGE_MS = 2 * LAST_FIX_MS;
/** One fix is a departure if it is farther away than this, and than so many margins. */
export const FAR_M = 1000;
export const FAR_MARGINS = 10;
/** A held fix later than now by more is from before the clock was set back. */
export const FUTURE_MS = 2 * MINUTE_MS;
/** A visit from before a restart ends if its unit does not appear for this long: a feed forgets units as soon. */
const UNSEEN_MS = 120 * MINUTE_MS;

interface TrackedSite {
  site: Site;
  areaM2: number;
  /** Place in the list of sites. */
  index: number;
}

/** A unit at a site, or about to be. */
export interface Presence {
  unit: string;
  row: number;
  tracked: TrackedSite;
  /** It has arrived. */
  isVisit: boolean;
  /** It was there when its site was drawn, so that nothing tells when it came. */
  wasThere: boolean;
  arrivedAfterMs: number | null;
  arrivedMs: number;
  /** The newest fix inside the edge: the margin keeps a visit, and no time is counted by it. */
  insideMs: number;
  /** The newest fix is inside: not between edge and margin. */
  isInside: boolean;
  /** When it is decided whether this is an arrival if no fix inside comes, by the time of polls: it is one while `isInside`. */
  dueMs: number;
  /** The first fix beyond the margin since then: it may have left; null: none. */
  beyondMs: number | null;
}

/** The trusted fix of a row. */
interface RowFix {
  unit: string;
  row: number;
  fixMs: number;
  /** The time of the one before it; 0: none. */
  heldMs: number;
  at: LatLng;
  /** Position error, m. */
  coarseM: number;
}

/** A visit that began or ended with a poll. `ended`: it is over, but no fix shows that the unit left. */
export interface SiteEvent {
  kind: 'arrived' | 'left' | 'ended';
  presence: Presence;
  visit: SiteVisit;
}

/** A recorded visit that has not ended, with the newest recorded positions of its unit, oldest first. */
export interface RestoredVisit extends Pick<SiteVisit, 'siteId' | 'unit' | 'arrivedAfterMs' | 'arrivedMs'> {
  fixes?: readonly (LatLng & { fixAtMs: number })[];
}

/** The open visits, as columns. */
export interface OpenVisits {
  count: number;
  rows: Int32Array;
  /** Places in the list of sites. */
  sites: Int32Array;
  arrivedMs: Float64Array;
  presences: readonly Presence[];
}

const toOpenVisit = ({ tracked, unit, arrivedAfterMs, arrivedMs }: Presence): SiteVisit => ({
  siteId: tracked.site.id,
  unit,
  arrivedAfterMs,
  arrivedMs,
  leftMs: null,
  leftByMs: null,
});

/** A clock that was set back may make a visit seem to end before it began. */
const toVisit = (presence: Presence, leftByMs: number | null): SiteVisit => {
  const leftMs = Math.max(presence.arrivedMs, presence.insideMs);
  return { ...toOpenVisit(presence), leftMs, leftByMs: leftByMs && Math.max(leftMs, leftByMs) };
};

/** A visit that goes on from its recording: its unit was there, or is about to leave, by its newest positions. */
const toRestored = (
  { unit, arrivedAfterMs, arrivedMs, fixes = [] }: RestoredVisit,
  tracked: TrackedSite,
): Presence => {
  const { shape, marginM } = tracked.site;
  const inside = fixes.findLast((fix) => signedDistanceM(shape, fix) <= 0);
  const within = fixes.findLastIndex((fix) => signedDistanceM(shape, fix) <= marginM);
  return {
    unit,
    row: -1,
    tracked,
    isVisit: true,
    wasThere: false,
    arrivedAfterMs,
    arrivedMs,
    insideMs: Math.max(arrivedMs, inside?.fixAtMs ?? arrivedMs),
    isInside: true,
    dueMs: Infinity,
    beyondMs: fixes[within + 1]?.fixAtMs ?? null,
  };
};

const isSameShape = (a: Site, b: Site): boolean =>
  a.marginM === b.marginM && JSON.stringify(a.shape) === JSON.stringify(b.shape);

const NO_PRESENCES: readonly Presence[] = [];

/** A copy of an array that is longer, by half and to a multiple of four, or the array itself where it is long enough. */
export const withLength = <T extends Int32Array | Uint8Array>(array: T, length: number): T => {
  if (array.length >= length) return array;
  const longer = new (array.constructor as new (length: number) => T)((length + (length >> 1) + 3) & ~3);
  longer.set(array);
  return longer;
};

/** Finds when units arrive at sites and leave them, poll by poll. Pure: times come with the rows. State is by unit. */
export class SiteTracker {
  #sites = new Map<number, TrackedSite>();
  #list: TrackedSite[] = [];
  #index = new SiteIndex([]);
  #isConfigured = false;
  /** Sites that are new or have another shape since the last poll: a fix before it says nothing of them. */
  readonly #changed = new Set<number>();
  /** Presences by row. */
  #presences: (Presence[] | undefined)[] = [];
  #siteIds = new Int32Array(0);
  /** The newest trusted fix, Unix seconds; 0: none. */
  #lastFixS = new Int32Array(0);
  readonly #arriving = new Set<Presence>();
  readonly #visits = new Set<Presence>();
  #open: OpenVisits | null = null;
  /** Open visits from before a restart, of units that are in no row yet. */
  #unseen = new Map<string, Presence[]>();
  #unseenSinceMs: number | null = null;
  #lastFixMs = new Map<string, number>();

  /** Sets the sites of the fleet. Open visits go on where their site does; those at other sites are forgotten. */
  configure(sites: readonly Site[]): void {
    const before = this.#sites;
    this.#list = sites.map((site, index) => ({ site, areaM2: areaM2(site.shape), index }));
    this.#sites = new Map(this.#list.map((tracked) => [tracked.site.id, tracked]));
    this.#index = new SiteIndex(sites);
    this.#open = null;
    for (const { site } of this.#isConfigured ? this.#list : []) {
      const old = before.get(site.id);
      if (!old || !isSameShape(old.site, site)) this.#changed.add(site.id);
    }
    this.#isConfigured = true;
    for (const presence of [...this.#arriving, ...this.#visits, ...[...this.#unseen.values()].flat()]) {
      const tracked = this.#sites.get(presence.tracked.site.id);
      if (tracked) presence.tracked = tracked;
      else this.#remove(presence);
    }
  }

  /** Continues with recorded visits; one that was found before without them is announced with the next poll. */
  restore(visits: readonly RestoredVisit[]): void {
    const found = new Set(this.#visits);
    for (const visit of visits) {
      const tracked = this.#sites.get(visit.siteId);
      if (!tracked) continue;
      const { unit, arrivedAfterMs, arrivedMs } = visit;
      const held = this.presencesOfUnit(unit).find((presence) => presence.tracked === tracked);
      if (held) {
        found.delete(held);
        this.#remove(held);
      }
      // The same object, because rules may hold it.
      const known = { isVisit: true, arrivedAfterMs, arrivedMs };
      this.#add(held ? Object.assign(held, known) : toRestored(visit, tracked));
    }
    for (const presence of found) {
      this.#remove(presence);
      this.#add(Object.assign(presence, { isVisit: false, isInside: true, dueMs: -Infinity }));
    }
  }

  /** Leaves the rows, which were these: the next poll finds the units by their keys. */
  detach({ identities }: FleetRows): void {
    this.#lastFixMs = new Map();
    identities.forEach((identity, row) => {
      if (identity && this.#lastFixS[row]! > 0)
        this.#lastFixMs.set(identity.key, this.#lastFixS[row]! * 1000);
    });
    const presences = [...this.#arriving, ...this.#visits];
    this.#presences = [];
    this.#siteIds = new Int32Array(0);
    this.#lastFixS = new Int32Array(0);
    this.#open = null;
    this.#unseen = new Map();
    this.#unseenSinceMs = null;
    for (const presence of presences) {
      presence.row = -1;
      this.#add(presence);
    }
  }

  /** Visits that a poll changed whose answer was applied. Writes the column `siteId` of its rows. */
  observe(step: PollStep): SiteEvent[] {
    const events: SiteEvent[] = [];
    this.#followRows(step, events);
    this.#look(step, events);
    for (const presence of this.#arriving) {
      if (presence.row < 0) continue;
      // The clock may have been set back.
      const atMostMs = presence.isInside ? LAST_FIX_MS : AT_EDGE_MS;
      presence.dueMs = Math.min(presence.dueMs, step.seenMs + atMostMs);
      if (step.seenMs < presence.dueMs) continue;
      if (presence.isInside) this.#arrive(presence, events);
      else this.#remove(presence);
    }
    this.#changed.clear();
    const { rows, columns } = step.rows;
    columns.siteId.set(this.#siteIds.subarray(0, rows));
    return events;
  }

  /** The visits and coming arrivals of the unit in a row. */
  presencesOf(row: number): readonly Presence[] {
    return this.#presences[row] ?? NO_PRESENCES;
  }

  /** The visits and coming arrivals of a unit that is in no row yet. */
  presencesOfUnit(unit: string): readonly Presence[] {
    return this.#unseen.get(unit) ?? NO_PRESENCES;
  }

  /** The rows whose units may have arrived at a site. */
  *arrivingRows(): Iterable<number> {
    for (const { row } of this.#arriving) if (row >= 0) yield row;
  }

  /** The open visits of units that are in a row. */
  listOpen(): OpenVisits {
    if (this.#open !== null) return this.#open;
    const presences: Presence[] = [];
    for (const presence of this.#visits) if (presence.row >= 0) presences.push(presence);
    const count = presences.length;
    const [rows, sites, arrivedMs] = [new Int32Array(count), new Int32Array(count), new Float64Array(count)];
    for (let i = 0; i < count; i++) {
      rows[i] = presences[i]!.row;
      sites[i] = presences[i]!.tracked.index;
      arrivedMs[i] = presences[i]!.arrivedMs;
    }
    this.#open = { count, rows, sites, arrivedMs, presences };
    return this.#open;
  }

  /** Moves the state of units to their new rows; the visits of units that are gone end. */
  #followRows(
    { rows, moved, movedFrom, gone, vanished, renamed, seenMs }: PollStep,
    events: SiteEvent[],
  ): void {
    for (const [from, to] of renamed) {
      this.#unseen.set(to, [...this.presencesOfUnit(to), ...this.presencesOfUnit(from)]);
      this.#unseen.delete(from);
      this.#lastFixMs.set(to, this.#lastFixMs.get(to) ?? this.#lastFixMs.get(from) ?? 0);
    }
    this.#siteIds = withLength(this.#siteIds, rows.rows);
    this.#lastFixS = withLength(this.#lastFixS, rows.rows);
    for (const row of gone)
      for (const presence of this.presencesOf(row)) this.#end(presence, 'ended', null, events);
    for (const key of vanished) {
      this.#lastFixMs.delete(key);
      for (const presence of [...this.presencesOfUnit(key)]) this.#end(presence, 'ended', null, events);
    }
    const taken = movedFrom.map((from) => ({ presences: this.#presences[from], fixS: this.#lastFixS[from] }));
    moved.forEach((row, i) => {
      const key = rows.identities[row]?.key;
      const { presences, fixS } = taken[i]!;
      const restored = this.#unseen.get(key ?? '');
      this.#presences[row] = presences ?? restored;
      if (key !== undefined) this.#unseen.delete(key);
      for (const presence of this.presencesOf(row)) Object.assign(presence, { row, unit: key });
      this.#lastFixS[row] = fixS ?? Math.floor((this.#lastFixMs.get(key ?? '') ?? 0) / 1000);
      if (key !== undefined) this.#lastFixMs.delete(key);
      this.#setSite(row);
    });
    if (moved.length > 0) this.#open = null;
    this.#unseenSinceMs ??= seenMs;
    if (seenMs - this.#unseenSinceMs < UNSEEN_MS) return;
    this.#lastFixMs = new Map();
    for (const presence of [...this.#unseen.values()].flat()) this.#end(presence, 'ended', null, events);
  }

  /** Looks at the rows whose position or fix changed, and after a change of sites at all. */
  #look({ rows: { rows, columns, identities }, before, seenMs }: PollStep, events: SiteEvent[]): void {
    const { latE5, lngE5, fixAtS, flags } = columns;
    const was = this.#changed.size > 0 ? null : (before?.columns ?? null);
    for (let row = 0; row < rows; row++) {
      if (
        was !== null &&
        was.fixAtS[row] === fixAtS[row] &&
        was.latE5[row] === latE5[row] &&
        was.lngE5[row] === lngE5[row]
      )
        continue;
      if (latE5[row] === NO_POSITION || fixAtS[row] === 0 || flags[row]! & UNTRUSTED_FLAGS) continue;
      const heldMs = this.#lastFixS[row]! * 1000;
      const fixMs = fixAtS[row]! * 1000;
      if (fixMs < heldMs && heldMs <= seenMs + FUTURE_MS) continue;
      const at = { lat: latE5[row]! * DEGREES_PER_E5, lng: lngE5[row]! * DEGREES_PER_E5 };
      const isAtNone = columns.coarseM[row] === 0 && this.presencesOf(row).length === 0;
      if (isAtNone && !this.#index.mayBeNear(at.lat, at.lng)) {
        this.#lastFixS[row] = fixAtS[row]!;
        continue;
      }
      const unit = identities[row]?.key ?? '';
      const fix = { unit, row, fixMs, heldMs, at, coarseM: columns.coarseM[row]! };
      if (this.#judge(fix, seenMs, events)) this.#lastFixS[row] = fixAtS[row]!;
    }
  }

  /** Judges a fix by the sites near it; false where the position is too coarse for one of them. */
  #judge(fix: RowFix, seenMs: number, events: SiteEvent[]): boolean {
    const { row, at, coarseM } = fix;
    let isSure = true;
    const held = this.presencesOf(row);
    for (const presence of held) {
      const distanceM = signedDistanceM(presence.tracked.site.shape, at);
      if (coarseM > Math.abs(distanceM)) isSure = false;
      else if (presence.isVisit) this.#judgeVisit(presence, distanceM, fix, events);
      else this.#judgeArrival(presence, distanceM, fix, seenMs, events);
    }
    for (const index of this.#index.near(at, coarseM)) {
      const tracked = this.#list[index]!;
      if (held.some((presence) => presence.tracked === tracked)) continue;
      const distanceM = signedDistanceM(tracked.site.shape, at);
      if (coarseM > Math.abs(distanceM)) isSure = false;
      else if (distanceM <= 0) this.#approach(tracked, fix, seenMs);
    }
    return isSure;
  }

  /** The first fix inside. */
  #approach(tracked: TrackedSite, { row, fixMs, heldMs, unit }: RowFix, seenMs: number): void {
    const wasThere = this.#changed.has(tracked.site.id);
    const isAfter = heldMs > 0 && heldMs < fixMs && !wasThere;
    this.#add({
      unit,
      row,
      tracked,
      isVisit: false,
      wasThere,
      arrivedAfterMs: isAfter ? heldMs : null,
      arrivedMs: fixMs,
      insideMs: fixMs,
      isInside: true,
      dueMs: seenMs + LAST_FIX_MS,
      beyondMs: null,
    });
  }

  #judgeArrival(
    presence: Presence,
    distanceM: number,
    { fixMs }: RowFix,
    seenMs: number,
    events: SiteEvent[],
  ): void {
    if (distanceM > presence.tracked.site.marginM) return this.#remove(presence);
    if (distanceM > 0) {
      // Between edge and margin it may come or go.
      if (presence.isInside) presence.dueMs += AT_EDGE_MS - LAST_FIX_MS;
      presence.isInside = false;
    } else if (fixMs !== presence.insideMs) {
      // Fixes from before the clock was set back are no begin.
      presence.arrivedMs = Math.min(presence.arrivedMs, fixMs);
      presence.insideMs = fixMs;
      presence.isInside = true;
      presence.dueMs = seenMs + LAST_FIX_MS;
      if (fixMs - presence.arrivedMs >= SETTLE_MS) this.#arrive(presence, events);
    }
  }

  #judgeVisit(presence: Presence, distanceM: number, { fixMs }: RowFix, events: SiteEvent[]): void {
    const { site } = presence.tracked;
    if (distanceM <= site.marginM) {
      if (distanceM <= 0) presence.insideMs = fixMs;
      presence.beyondMs = null;
      return;
    }
    if (this.#changed.has(site.id)) return this.#end(presence, 'ended', null, events);
    presence.beyondMs = Math.min(presence.beyondMs ?? fixMs, fixMs);
    const isFar = distanceM > Math.max(FAR_M, FAR_MARGINS * site.marginM);
    if (isFar || fixMs - presence.beyondMs >= SETTLE_MS)
      this.#end(presence, 'left', presence.beyondMs, events);
  }

  #arrive(presence: Presence, events: SiteEvent[]): void {
    this.#arriving.delete(presence);
    presence.isVisit = true;
    this.#visits.add(presence);
    this.#setSite(presence.row);
    events.push({ kind: 'arrived', presence, visit: toOpenVisit(presence) });
  }

  #end(presence: Presence, kind: 'left' | 'ended', leftByMs: number | null, events: SiteEvent[]): void {
    this.#remove(presence);
    if (presence.isVisit) events.push({ kind, presence, visit: toVisit(presence, leftByMs) });
  }

  #add(presence: Presence): void {
    const { row, unit } = presence;
    (presence.isVisit ? this.#visits : this.#arriving).add(presence);
    if (row >= 0) this.#presences[row] = [...this.presencesOf(row), presence];
    else this.#unseen.set(unit, [...this.presencesOfUnit(unit), presence]);
  }

  #remove(presence: Presence): void {
    const { row, unit } = presence;
    const others = (of: readonly Presence[]): Presence[] => of.filter((each) => each !== presence);
    this.#arriving.delete(presence);
    this.#visits.delete(presence);
    if (row < 0) this.#unseen.set(unit, others(this.presencesOfUnit(unit)));
    else {
      this.#presences[row] = others(this.presencesOf(row));
      this.#setSite(row);
    }
  }

  /** The site of a row is the smallest that its unit visits. */
  #setSite(row: number): void {
    this.#open = null;
    let smallest: TrackedSite | null = null;
    for (const { isVisit, tracked } of this.presencesOf(row))
      if (isVisit && (smallest === null || tracked.areaM2 < smallest.areaM2)) smallest = tracked;
    this.#siteIds[row] = smallest?.site.id ?? 0;
  }
}
