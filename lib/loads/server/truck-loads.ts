import 'server-only';
import type { ActionContext } from '@/lib/audit/audit';
import type { TimeRange } from '@/lib/base/time';
import { readSeenUnits } from '@/lib/access/unit-limit';
import type { Load } from '../load';
import type { PastLoad } from '../past-loads';
import type { TruckLoad } from '../truck-loads';
import { readLoads } from './loads';

/** From when to when a truck had a load: until it was given to another, or ended. */
const READ_LOADS = `
  SELECT l.id::float8 AS id, l.reference, l.customer, t.from_ms::float8 AS "fromMs",
    least(t.to_ms, l.ended_ms)::float8 AS "toMs"
  FROM linehaul.load_trucks t JOIN linehaul.loads l ON l.id = t.load_id
  WHERE l.usdot = $1 AND t.unit = $2 AND t.from_ms < $4
    AND coalesce(least(t.to_ms, l.ended_ms), $4) > $3
  ORDER BY t.from_ms, l.id LIMIT 500`;

/** The loads that a truck had in a range, by when it got them. */
export const readTruckLoads = async (
  { database }: Pick<ActionContext, 'database'>,
  usdot: string,
  unit: string,
  { fromMs, toMs }: TimeRange,
): Promise<{ loads: TruckLoad[] }> => {
  const { pool } = await database.open();
  return { loads: (await pool.query<TruckLoad>(READ_LOADS, [usdot, unit, fromMs, toMs])).rows };
};

/** A load as it was in a range, with the trucks that a viewer sees; null: none of these had it then. */
const toPast = (
  load: Load,
  { fromMs, toMs }: TimeRange,
  seen: ReadonlySet<string> | null,
): PastLoad | null => {
  const trucks = load.trucks.filter(
    ({ unit, ...had }) =>
      had.fromMs < toMs && (had.toMs ?? Infinity) > fromMs && (seen === null || seen.has(unit)),
  );
  if (trucks.length === 0) return null;
  const { id, reference, po, bol, customer, endedMs, stops, judged } = load;
  const events = judged.flatMap(({ visit }, position): PastLoad['events'] =>
    visit === null
      ? []
      : [
          { kind: 'arrived', position, atMs: visit.arrivedMs },
          ...(visit.leftMs === null ? [] : [{ kind: 'left' as const, position, atMs: visit.leftMs }]),
        ],
  );
  return {
    ...{ id, reference, po, bol, customer, endedMs },
    stops: stops.map(({ kind, name, timeZone }) => ({ kind, name, timeZone })),
    trucks: trucks.map(({ madeBy: _madeBy, ...truck }) => truck),
    events: events.filter(({ atMs }) => atMs < toMs),
  };
};

/** The loads that trucks had in a range, of trucks that the viewer sees. */
export const readPastLoads = async (
  { database, clock, viewer }: Pick<ActionContext, 'database' | 'clock' | 'viewer'>,
  usdot: string,
  range: TimeRange,
): Promise<{ loads: PastLoad[] }> => {
  const { pool } = await database.open();
  const seen = await readSeenUnits(database, viewer, usdot);
  const loads = await readLoads(pool, usdot, { endedAfterMs: range.fromMs, nowMs: clock.nowMs() });
  return { loads: loads.flatMap((load) => toPast(load, range, seen) ?? []) };
};
