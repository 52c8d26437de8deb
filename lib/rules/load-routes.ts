import { toCell } from '@/lib/arrivals/cells';
import type { RoadFix, Way } from '@/lib/arrivals/drives';
import { MINUTE_MS } from '@/lib/base/time';
import type { LatLng } from '@/lib/geo/units';

/** The way of a load's truck from a fix to its next stop, which a routing engine is asked for. */
export interface RouteQuery {
  loadId: number;
  cell: number;
  from: LatLng;
  to: LatLng;
}

/** A fix from which the way to a stop is asked for. */
export interface AskedFrom<Fix extends RoadFix> {
  unit: string;
  position: number;
  fix: Fix;
  to: LatLng;
}

interface Asked<Fix extends RoadFix> extends AskedFrom<Fix> {
  /** When the first question without an answer was asked, Unix ms. */
  sinceMs: number;
}

/** An answer for a fix that was so long before the newest one says nothing any more. */
const OLDEST_MS = 10 * MINUTE_MS;
/** After this time without an answer, the window stands on what else is known. */
const LONGEST_WAIT_MS = 2 * MINUTE_MS;
/** Ways that are asked for in one message. */
const MOST_ASKED = 100;

/**
 * What a routing engine is asked for loads, and what it answered. An answer is of the fix that it was asked for: the
 * estimate is made from that. Without answers it changes nothing.
 */
export class LoadRoutes<Fix extends RoadFix> {
  readonly #queued = new Map<number, Asked<Fix>>();
  readonly #asked = new Map<number, Asked<Fix>>();
  readonly #found = new Map<number, AskedFrom<Fix> & { way: Way }>();
  /** Loads whose last question had no way as its answer. */
  readonly #without = new Set<number>();

  /** Wants the way from a fix, unless that from an earlier one is under way. */
  ask(loadId: number, from: AskedFrom<Fix>, nowMs: number): void {
    const asked = this.#asked.get(loadId);
    if (asked && nowMs - asked.sinceMs <= LONGEST_WAIT_MS) return;
    this.#queued.set(loadId, { ...from, sinceMs: this.#queued.get(loadId)?.sinceMs ?? nowMs });
  }

  /** Whether an answer may still come that makes another estimate needless. */
  awaits(loadId: number, nowMs: number): boolean {
    const asked = this.#asked.get(loadId) ?? this.#queued.get(loadId);
    return asked !== undefined && nowMs - asked.sinceMs <= LONGEST_WAIT_MS && !this.#without.has(loadId);
  }

  /** Takes the questions that wait longest. */
  take(): RouteQuery[] {
    return [...this.#queued].slice(0, MOST_ASKED).map(([loadId, asked]) => {
      this.#queued.delete(loadId);
      this.#asked.set(loadId, asked);
      const { lat, lng } = asked.fix;
      return { loadId, cell: toCell(asked.fix), from: { lat, lng }, to: asked.to };
    });
  }

  /** Takes the answers to some questions, in their order: null or nothing for one without a way. Returns the loads with one. */
  answer(queries: readonly RouteQuery[], ways: readonly (Way | null)[]): number[] {
    return queries.flatMap(({ loadId }, i) => {
      const asked = this.#asked.get(loadId);
      const way = ways[i] ?? null;
      this.#asked.delete(loadId);
      if (way === null) this.#without.add(loadId);
      if (asked === undefined || way === null) return [];
      this.#without.delete(loadId);
      this.#found.set(loadId, { ...asked, way });
      return [loadId];
    });
  }

  /** The answer that no estimate stands on yet, if it is of the truck and the stop that the load has now. `fix`: the newest one. */
  found(
    loadId: number,
    { unit, position, to, fix }: AskedFrom<RoadFix>,
  ): (AskedFrom<Fix> & { way: Way }) | null {
    const found = this.#found.get(loadId);
    if (found === undefined) return null;
    const isSame = found.unit === unit && found.position === position;
    const isThere = found.to.lat === to.lat && found.to.lng === to.lng;
    if (isSame && isThere && fix.fixAtMs - found.fix.fixAtMs <= OLDEST_MS) return found;
    this.#found.delete(loadId);
    return null;
  }

  /** An estimate stands on the answer now. */
  use(loadId: number): void {
    this.#found.delete(loadId);
  }

  /** Forgets the loads that are not under way any more. */
  keepOnly(loads: ReadonlyMap<number, unknown>): void {
    for (const known of [this.#queued, this.#asked, this.#found, this.#without])
      for (const loadId of known.keys()) if (!loads.has(loadId)) known.delete(loadId);
  }
}
