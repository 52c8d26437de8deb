import 'server-only';
import type { Pool } from 'pg';
import { AppError } from '@/lib/base/http/problems';
import {
  listOwnVehicles,
  requireVehicles,
  type OwnVehicle,
  type VehicleSource,
} from '@/lib/devices/server/devices';
import { parseVin } from '@/lib/identity/vin';
import type { UnitIdentity } from '@/lib/wire/fleet';

/** Where the trucks of a fleet are known by name. */
export interface TruckSource extends VehicleSource {
  database: { open: () => Promise<{ pool: Pool }> };
  /** @throws errors of the provider */
  readRoster: (usdot: string) => Promise<{ vins: readonly string[] }>;
}

type Named = Pick<UnitIdentity, 'key' | 'vin' | 'truckNumber'>;

/** The newest recorded names of the units that have a VIN or a number, or a key. */
const FIND = `
  SELECT unit AS key, identity->>'vin' AS vin, identity->>'truckNumber' AS "truckNumber" FROM (
    SELECT DISTINCT ON (unit) unit, identity FROM linehaul.unit_identities WHERE usdot = $1 ORDER BY unit, seen_ms DESC
  ) named
  WHERE identity->>'vin' = $2 OR lower(btrim(identity->>'truckNumber')) = lower($3) OR unit = $4`;

const findNamed = async (
  { database }: Pick<TruckSource, 'database'>,
  usdot: string,
  {
    vin = null,
    number = null,
    key = null,
  }: { vin?: string | null; number?: string | null; key?: string | null },
): Promise<Named[]> =>
  (await (await database.open()).pool.query<Named>(FIND, [usdot, vin, number, key])).rows;

/** The VINs of a fleet's roster; none where it cannot be read. */
const readVins = async ({ readRoster }: TruckSource, usdot: string): Promise<ReadonlySet<string>> => {
  const { vins } = await readRoster(usdot).catch(() => ({ vins: [] }));
  return new Set(vins);
};

const toRefusal = (detail: string): AppError =>
  new AppError('load-not-understood', { detail, faults: [{ field: 'truck', message: detail }] });

const toUnfound = (found: number, text: string): AppError =>
  toRefusal(
    found === 0
      ? `The fleet has no truck ${text}.`
      : `More than one truck has the number ${text}. Give its VIN.`,
  );

/** The key of an own truck, which may not have reported yet. @throws AppError 'load-not-understood' */
const findOwn = (own: readonly OwnVehicle[], vin: string | null, text: string): string => {
  if (vin !== null && own.some((each) => each.vin === vin)) return vin;
  const number = text.trim().toLowerCase();
  const found = own.filter(({ truckNumber }) => truckNumber?.trim().toLowerCase() === number);
  if (found.length === 1) return found[0]!.vin;
  throw toUnfound(found.length, text);
};

/** The key of a truck by its VIN or its number. @throws AppError 'load-not-understood' */
export const findTruck = async (source: TruckSource, usdot: string, text: string): Promise<string> => {
  const vin = parseVin(text);
  const own = await listOwnVehicles(source, usdot);
  if (own !== null) return findOwn(own, vin, text);
  const named = await findNamed(source, usdot, { vin, number: text.trim() });
  const ofVin = named.find((each) => vin !== null && each.vin === vin);
  if (ofVin) return ofVin.key;
  if (named.length === 1) return named[0]!.key;
  const roster = await readVins(source, usdot);
  if (vin !== null && roster.has(vin)) return vin;
  // A number that went from one truck to another is of the one that the fleet still has.
  const present = named.filter((each) => each.vin !== null && roster.has(each.vin));
  if (present.length === 1) return present[0]!.key;
  throw toUnfound(named.length, text);
};

/** The names of a truck by its key. */
export const nameTruck = async (
  source: VehicleSource & Pick<TruckSource, 'database'>,
  usdot: string,
  key: string,
): Promise<{ vin: string | null; number: string | null }> => {
  const [named] = await findNamed(source, usdot, { key });
  if (named) return { vin: named.vin, number: named.truckNumber };
  const own = (await listOwnVehicles(source, usdot))?.find(({ vin }) => vin === key);
  return { vin: parseVin(key), number: own?.truckNumber ?? null };
};

/** Requires that an own carrier has a truck that a load is to get, and not that it still has the one that the load has. @throws AppError 'unknown-unit' */
export const requireTruck = async (
  context: Parameters<typeof requireVehicles>[0] & Pick<TruckSource, 'database'>,
  usdot: string,
  unit: string | null,
  loadId: number | null = null,
): Promise<void> => {
  if (unit === null) return;
  const { pool } = await context.database.open();
  const held = await pool.query(
    'SELECT 1 FROM linehaul.load_trucks WHERE load_id = $1 AND unit = $2 AND to_ms IS NULL',
    [...[loadId, unit]],
  );
  if (held.rowCount === 0) await requireVehicles(context, usdot, [unit]);
};
