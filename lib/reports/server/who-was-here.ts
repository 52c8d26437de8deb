import 'server-only';
import { rowIdSchema, z } from '@/lib/base/zod';
import { AppError } from '@/lib/base/http/problems';
import { UNNAMED } from '@/lib/wire/fleet';
import { METERS_PER_DEGREE, type Bounds } from '@/lib/geo/geodesy';
import { formatWhole } from '@/lib/view/format';
import { boundsOf, parseArea, type Region } from '../who/area';
import type { VisitsAnswer } from '../who/schema';
import { MOST_LINE_MS, REACH_AT_ONCE_M, REACH_MPS, toBoxes, toVisits, type PlacedFix } from '../who/visits';
import { LEAD_MS } from '@/lib/past/schema';
import { NO_UNITS, type UnitRows } from '@/lib/fleet/recorded-units';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import { CHOSEN, RANGE, withRange } from '@/lib/past/server/queries';
import { requireFew } from '@/lib/past/server/query-limit';
import type { TimeRange } from '@/lib/base/time';

/** About three days of a fleet of 100,000 units. */
export const MOST_ROWS = 250_000_000;
/** A search is given up after this long, sooner than a browser gives up. */
const MOST_MS = 15_000;
const MOST_NEAR = 1_000_000;
export const MOST_VISITS = 10_000;

const areaSchema = z
  .string()
  .max(100)
  .transform((text, context) => {
    const area = parseArea(text);
    if (area !== null) return area;
    context.addIssue({
      code: 'custom',
      message:
        'Give the area as circle:lat,lng,meters or as rectangle:south,west,north,east, with the west left of the east.',
    });
    return z.NEVER;
  });

/** The query of an address that asks who was in an area. */
export const visitsQuerySchema = withRange(
  z
    .strictObject({
      ...RANGE,
      area: areaSchema.optional(),
      /** Id of a site, in place of an area. */
      site: z.coerce.number().pipe(rowIdSchema).optional(),
      ...CHOSEN,
    })
    .refine(({ area, site }) => (area === undefined) !== (site === undefined), 'Give an area or a site.'),
);

const toE5 = (degrees: number): number => Math.round(degrees * 1e5);

/** Whether a position is within bounds, which may go on beyond 180°. */
export const isWithin = ([south, west, north, east]: Bounds, lat: string, lng: string): string => {
  const turns = [0, ...(west < -180 ? [-360] : []), ...(east > 180 ? [360] : [])];
  const ranges = turns.map((turn) => `${lng} BETWEEN ${toE5(west - turn)} AND ${toE5(east - turn)}`);
  return `(${lat} BETWEEN ${toE5(south)} AND ${toE5(north)} AND (${ranges.join(' OR ')}))`;
};

/** Whether the box of the line between a fix and the one before or after it meets bounds. */
const meetsBox = ([south, west, north, east]: Bounds, other: string): string =>
  `(abs(fix_s - ${other}_fix_s) <= ${MOST_LINE_MS / 1000}
    AND least(lat_e5, ${other}_lat_e5) <= ${toE5(north)} AND greatest(lat_e5, ${other}_lat_e5) >= ${toE5(south)}
    AND least(lng_e5, ${other}_lng_e5) <= ${toE5(east)} AND greatest(lng_e5, ${other}_lng_e5) >= ${toE5(west)})`;

const METERS_PER_E5 = METERS_PER_DEGREE / 1e5;

/** Whether a fix is within reach of the one before or after it; null where that is too long before or after. */
const isInReach = (other: string): string =>
  `CASE WHEN abs(fix_s - ${other}_fix_s) <= ${MOST_LINE_MS / 1000} THEN
     sqrt((lat_e5 - ${other}_lat_e5) ** 2
       + ((lng_e5 - ${other}_lng_e5) * cos(radians((lat_e5 + ${other}_lat_e5) / 2e5))) ** 2) * ${METERS_PER_E5}::DOUBLE
       <= abs(fix_s - ${other}_fix_s) * ${REACH_MPS}::DOUBLE + ${REACH_AT_ONCE_M} END`;

const NEIGHBORS = { before: 'lag', after: 'lead' };
const NAMES = Object.keys(NEIGHBORS);
const NEIGHBOR_COLUMNS = Object.entries(NEIGHBORS)
  .flatMap(([name, of]) =>
    ['fix_s', 'lat_e5', 'lng_e5'].map((column) => `${of}(${column}) OVER w AS ${name}_${column}`),
  )
  .join(', ');
const BY_UNIT = 'WINDOW w AS (PARTITION BY unit ORDER BY fix_s)';

/** A table's fixes, one of each second, without late ones that the unit cannot have come from or to. */
export const toPossibleFixes = (from: string): string => {
  const [before, after] = NAMES.map(isInReach);
  return `SELECT unit, fix_s, lat_e5, lng_e5, is_late FROM (
      SELECT unit, fix_s, lat_e5, lng_e5, speed_kph IS NULL AS is_late, ${NEIGHBOR_COLUMNS} FROM ${from} ${BY_UNIT}
    )
    WHERE before_fix_s IS DISTINCT FROM fix_s AND (NOT is_late OR (
      coalesce(${before}, true) AND coalesce(${after}, true) AND coalesce(${before}, ${after}) IS NOT NULL))`;
};

/** Fixes that tell of visits: unit, Unix s, position, whether late, and place in the unit's trail about the area. */
const toQuery = (area: Region, table: string): string => {
  const { reach, ...boxes } = toBoxes(area);
  const isAcross = reach[1] < -180 || reach[3] > 180;
  // Near the 180th meridian longitudes are counted on to its other side.
  const toEastward = ([south, west, north, east]: Bounds): Bounds =>
    isAcross && west < 0 ? [south, west + 360, north, east + 360] : [south, west, north, east];
  const [bounds, near] = [toEastward(boundsOf(area)), toEastward(boxes.near)];
  const from = isAcross
    ? `(SELECT * REPLACE (CASE WHEN lng_e5 < 0 THEN lng_e5 + 36000000 ELSE lng_e5 END AS lng_e5) FROM ${table})`
    : table;
  const known = toPossibleFixes(from);
  return `SELECT unit, fix_s::INTEGER, lat_e5, lng_e5, is_late::INTEGER, place::INTEGER FROM (
      SELECT *, row_number() OVER w AS place, ${NEIGHBOR_COLUMNS} FROM (${known}) ${BY_UNIT}
    )
    WHERE ${isWithin(near, 'lat_e5', 'lng_e5')}
      OR ${NAMES.map((name) => isWithin(near, `${name}_lat_e5`, `${name}_lng_e5`)).join(' OR ')}
      OR ${NAMES.map((name) => meetsBox(bounds, name)).join(' OR ')}
    ORDER BY unit, fix_s LIMIT ${MOST_NEAR + 1}`;
};

const WIDTH = 5;

/** The fixes of rows as `toQuery` has them, from one index until before another one. */
const toFixes = function* ({ values }: UnitRows, from: number, until: number): Iterable<PlacedFix> {
  for (let i = from; i < until; i++) {
    const [fixS, latE5, lngE5, isLate, index] = values.subarray(i * WIDTH, (i + 1) * WIDTH);
    yield { atMs: fixS! * 1000, lat: latE5! / 1e5, lng: lngE5! / 1e5, isLate: isLate === 1, index: index! };
  }
};

/** The visits of the units, and these. @throws AppError 'range-too-long' */
const toUnitVisits = (
  rows: UnitRows,
  area: Region,
  range: TimeRange,
  chosen: ReadonlySet<string> | null,
): Pick<VisitsAnswer, 'visits'> & { keys: string[] } => {
  const visits: VisitsAnswer['visits'] = [];
  const keys: string[] = [];
  for (let i = 0, next: number; i < rows.units.length; i = next) {
    const key = rows.units[i]!;
    for (next = i + 1; rows.units[next] === key;) next++;
    if (chosen !== null && !chosen.has(key)) continue;
    const found = toVisits(toFixes(rows, i, next), area, range);
    if (found.length === 0) continue;
    for (const visit of found) visits.push({ unit: keys.length, ...visit });
    keys.push(key);
    if (visits.length > MOST_VISITS) refuse(MOST_VISITS, 'visits');
  }
  return { visits, keys };
};

const refuse = (many: number, what: string): never => {
  throw new AppError('range-too-long', {
    detail: `The range has more than ${formatWhole(many)} ${what}. Choose a shorter range or a smaller area.`,
  });
};

/** Which units were inside an area, in a range of time; to the second. `chosen`: of these. @throws AppError 'range-too-long' */
export const readVisits = async (
  reader: Pick<HistoryReader, 'countFixes' | 'readFixes' | 'readNames' | 'readCoverage'>,
  usdot: string,
  area: Region,
  range: TimeRange,
  nowMs: number,
  chosen: ReadonlySet<string> | null = null,
): Promise<VisitsAnswer> => {
  const { fromMs, toMs } = range;
  const about = { fromMs: fromMs - LEAD_MS, toMs: toMs + LEAD_MS };
  await requireFew(reader, usdot, [about], MOST_ROWS);
  const condition = isWithin(toBoxes(area).reach, 'lat_e5', 'lng_e5');
  const timeout = AbortSignal.timeout(MOST_MS);
  const querying = reader.readFixes(usdot, { ...about, condition }, ({ duck, from }) =>
    duck.readUnits(toQuery(area, from), timeout),
  );
  const found = await querying.catch((error: unknown) => {
    if (!timeout.aborted) throw error;
    throw new AppError('range-too-long', {
      detail: 'The search takes too long. Choose a shorter range or a smaller area.',
    });
  });
  const rows = found ?? NO_UNITS;
  if (rows.units.length > MOST_NEAR) refuse(MOST_NEAR, 'fixes in the area');
  const { visits, keys } = toUnitVisits(rows, area, range, chosen);
  const identities = await reader.readNames(usdot, keys);
  return {
    nowMs,
    units: keys.map((key) => identities.get(key) ?? { ...UNNAMED, key }),
    visits,
    coverage: await reader.readCoverage(usdot, fromMs, toMs),
  };
};
