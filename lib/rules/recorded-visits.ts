import { createColumns } from '@/lib/wire/live';
import { UNNAMED, type FleetRows } from '@/lib/wire/fleet';
import { expand, type Bounds } from '@/lib/geo/geodesy';
import { boundsOf } from './geofence';
import { FAR_M, FAR_MARGINS, LAST_FIX_MS, SiteTracker, type Presence } from './site-tracker';
import type { Site, SiteVisit } from './site';

/** The positions that decide about visits to a site: all others are departures at once. */
export const boundsOfVisits = ({ shape, marginM }: Site): Bounds =>
  expand(boundsOf(shape), Math.max(FAR_M, FAR_MARGINS * marginM));

const WAITS_MS = [LAST_FIX_MS, 2 * LAST_FIX_MS];

/** A visit that had not ended when the recording was read. */
export interface OpenVisit {
  visit: SiteVisit;
  /** The newest fix inside, Unix ms. */
  insideMs: number;
}

const toOpen = ({ tracked, unit, arrivedAfterMs, arrivedMs, insideMs }: Presence): OpenVisit => ({
  visit: { siteId: tracked.site.id, unit, arrivedAfterMs, arrivedMs, leftMs: null, leftByMs: null },
  insideMs,
});

/** The visits of one unit in its recorded fixes, by the code that judges polls: each fix is a poll that shows it. */
export class RecordedVisits {
  /** Visits that have ended. */
  readonly visits: SiteVisit[] = [];
  readonly #tracker = new SiteTracker();
  #rows: FleetRows;
  #before: FleetRows | null = null;
  #newestMs = 0;

  constructor(unit: string, sites: readonly Site[]) {
    this.#tracker.configure(sites);
    this.#rows = { rows: 1, identities: [{ ...UNNAMED, key: unit }], columns: createColumns(1) };
  }

  /** The time of the newest fix, Unix ms; 0: there was none. */
  get newestMs(): number {
    return this.#newestMs;
  }

  /** Whether it is at a site, or may be about to arrive at one. */
  get isPresent(): boolean {
    return this.#tracker.presencesOf(0).length > 0;
  }

  /** Adds a fix, in the order of times: Unix ms, and degrees times 100,000. */
  add(fixMs: number, latE5: number, lngE5: number): void {
    this.#wait(fixMs);
    const columns = createColumns(1);
    [columns.fixAtS[0], columns.latE5[0], columns.lngE5[0]] = [Math.floor(fixMs / 1000), latE5, lngE5];
    this.#rows = { ...this.#rows, columns };
    this.#newestMs = fixMs;
    this.#observe(fixMs);
  }

  /** Visits that go on, as of a time without a newer fix. */
  listOpen(atMs: number): OpenVisit[] {
    this.#wait(atMs);
    return this.#tracker.listOpen().presences.map(toOpen);
  }

  /** One fix inside is an arrival where no other one comes for a while: polls go on without a newer fix. */
  #wait(untilMs: number): void {
    if (this.#before === null) return;
    for (const afterMs of WAITS_MS)
      if (untilMs > this.#newestMs + afterMs) this.#observe(this.#newestMs + afterMs);
  }

  #observe(seenMs: number): void {
    const isFirst = this.#before === null;
    const events = this.#tracker.observe({
      ...{ rows: this.#rows, before: this.#before, seenMs, gone: [], vanished: [], renamed: [] },
      ...{ moved: isFirst ? [0] : [], movedFrom: isFirst ? [-1] : [] },
    });
    this.#before = this.#rows;
    for (const { kind, visit } of events) if (kind !== 'arrived') this.visits.push(visit);
  }
}
