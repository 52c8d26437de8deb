import 'server-only';
import { and, count, eq, inArray, isNull } from 'drizzle-orm';
import { AppError, isAppError, toAnswer } from '@/lib/base/http/problems';
import type { RecordAction } from '@/lib/audit/audit';
import type { Executor } from '@/lib/database/database';
import type { LatLng } from '@/lib/geo/units';
import { sites } from '@/lib/sites/server/tables';
import { StopsError, mergeStops, type KeptStop } from '../import-stops';
import type { StoredStop } from '../load';
import type { ImportedLoad } from '../schema';
import {
  changeLoads,
  insertLoad,
  readStops,
  toPosition,
  toSitePosition,
  updateLoad,
  type GivenLoad,
  type LoadContext,
} from './loads';
import { loadTrucks, loads } from './tables';

/** What became of a load of an import, or would. */
export interface ImportResult {
  reference: string;
  kind: 'added' | 'changed' | 'unchanged' | 'refused';
  /** Why it is refused. */
  message: string | null;
  /** Its stops as they are then; absent: it is refused. */
  stops?: Pick<StoredStop, 'name' | 'timeZone' | 'appointment'>[];
  /** How many loads under way its truck has then. */
  ofTruck?: number;
}

/** Ends the transaction of a preview, or of an import with a fault. */
class UndoneError extends Error {}

/** A load as it is stored. */
type HeldLoad = typeof loads.$inferSelect;

/** The load of a fleet with a reference; null: there is none. */
export const findLoad = async (tx: Executor, usdot: string, reference: string): Promise<HeldLoad | null> => {
  const [load] = await tx
    .select()
    .from(loads)
    .where(and(eq(loads.usdot, usdot), eq(loads.reference, reference)));
  return load ?? null;
};

/** The truck that has a load; null: none. */
const readHolder = async (tx: Executor, loadId: number): Promise<string | null> => {
  const [truck] = await tx
    .select({ unit: loadTrucks.unit })
    .from(loadTrucks)
    .where(and(eq(loadTrucks.loadId, loadId), isNull(loadTrucks.toMs)));
  return truck?.unit ?? null;
};

/** What may be given of a load whose other parts stay as they are stored. */
export interface LoadParts extends Partial<Omit<GivenLoad, 'reference' | 'stops'>> {
  reference: string;
  /** Its stops by those that are stored; undefined: they stay. */
  toStops: (held: readonly StoredStop[]) => readonly KeptStop[] | undefined;
}

/** Makes a load by its reference, or changes what is given of it, in a transaction of changeLoads. @throws AppError 'load-not-understood', StopsError, and as insertLoad and updateLoad do */
export const putLoad = async (
  tx: Executor,
  record: RecordAction,
  context: LoadContext,
  usdot: string,
  { toStops, ...parts }: LoadParts,
): Promise<{ id: number; kind: 'added' | 'changed' | 'unchanged' }> => {
  const held = await findLoad(tx, usdot, parts.reference);
  const heldStops = held === null ? [] : await readStops(tx, held.id);
  const { po = '', bol = '', customer = '', note = '', tags = [] } = held ?? {};
  const unit = held === null ? null : await readHolder(tx, held.id);
  const stops = toStops(heldStops) ?? heldStops;
  if (stops.length === 0) throw new StopsError('The load has no stop.');
  const input = { ...{ po, bol, customer, note, tags, unit }, ...parts, stops };
  if (held === null) return { ...(await insertLoad(tx, record, context, usdot, input)), kind: 'added' };
  const isChanged = await updateLoad(tx, record, context, usdot, held.id, input);
  return { id: held.id, kind: isChanged ? 'changed' : 'unchanged' };
};

/** The zones of sites that loads name, and of positions. */
const readZones = async (tx: Executor, usdot: string, given: readonly ImportedLoad[]) => {
  const stops = given.flatMap((load) => [...(load.stops ?? []), load.pickup, load.delivery]);
  const ids = [...new Set(stops.flatMap((stop) => stop?.siteId ?? []))];
  const rows = await tx
    .select({ id: sites.id, shape: sites.shape })
    .from(sites)
    .where(and(eq(sites.usdot, usdot), inArray(sites.id, ids)));
  const zones = new Map(rows.map(({ id, shape }) => [id, toSitePosition(shape).timeZone]));
  // A site that is none is refused later.
  return (at: number | LatLng): string =>
    typeof at === 'number' ? (zones.get(at) ?? 'UTC') : toPosition(at).timeZone;
};

/** How many loads under way each of some trucks has. */
const countOfTrucks = async (tx: Executor, usdot: string, given: readonly ImportedLoad[]) => {
  const units = [...new Set(given.flatMap(({ unit }) => unit ?? []))];
  const rows = await tx
    .select({ unit: loadTrucks.unit, loads: count() })
    .from(loadTrucks)
    .innerJoin(loads, eq(loads.id, loadTrucks.loadId))
    .where(
      and(
        ...[eq(loads.usdot, usdot), isNull(loads.endedMs), isNull(loadTrucks.toMs)],
        inArray(loadTrucks.unit, units),
      ),
    )
    .groupBy(loadTrucks.unit);
  return new Map(rows.map((row) => [row.unit, row.loads]));
};

/** Imports loads by their references, all or none; a preview does the same and undoes it. */
export const importLoads = async (
  context: LoadContext,
  usdot: string,
  { loads: given, isPreview }: { loads: readonly ImportedLoad[]; isPreview: boolean },
): Promise<{ results: ImportResult[] }> => {
  const results: ImportResult[] = [];
  const run = changeLoads(context, 'load.change', usdot, async (tx, record) => {
    const references = new Set<string>();
    const zoneOf = await readZones(tx, usdot, given);
    for (const load of given) {
      const { reference } = load;
      results.push(
        references.has(reference)
          ? toRefusal(reference, new AppError('load-reference-taken'))
          : await put(load),
      );
      references.add(reference);
    }
    const ofTrucks = await countOfTrucks(tx, usdot, given);
    given.forEach(({ unit }, at) => {
      if (unit) results[at]!.ofTruck = ofTrucks.get(unit) ?? 0;
    });
    if (isPreview || results.some(({ kind }) => kind === 'refused')) throw new UndoneError();

    async function put(load: ImportedLoad): Promise<ImportResult> {
      const { reference } = load;
      try {
        const { id, kind } = await putLoad(tx, record, context, usdot, toParts(load, zoneOf));
        const stops = await readStops(tx, id);
        return {
          ...{ reference, kind, message: null },
          stops: stops.map(({ name, timeZone, appointment }) => ({ name, timeZone, appointment })),
        };
      } catch (error) {
        if (!isAppError(error) && !(error instanceof StopsError)) throw error;
        return toRefusal(reference, error);
      }
    }
  });
  await run.catch((error: unknown) => {
    if (!(error instanceof UndoneError)) throw error;
  });
  return { results };
};

const toRefusal = (reference: string, error: AppError | StopsError): ImportResult => {
  if (error instanceof StopsError) return { reference, kind: 'refused', message: error.message };
  const { title, detail } = toAnswer(error).problem;
  return { reference, kind: 'refused', message: detail ?? title };
};

/** Without parts that are undefined: these stay as they are stored. */
const toParts = (
  { reference, stops, pickup, delivery, ...parts }: ImportedLoad,
  zoneOf: Awaited<ReturnType<typeof readZones>>,
): LoadParts => ({
  ...{ reference, toStops: (held) => mergeStops(held, { stops, pickup, delivery }, zoneOf) },
  ...Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)),
});
