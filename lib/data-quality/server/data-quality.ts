import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import { getOrMake } from '@/lib/base/maps';
import type { TimeRange } from '@/lib/base/time';
import { quote, type DuckDb } from '@/lib/archive/duck-db';
import type { RecordedTable } from '@/lib/archive/archive-reader';
import { FLAGS } from '@/lib/motion/status';
import { toPeriod, type ReportPeriod } from '@/lib/reports/periods';
import { noQuality, type UnitQuality } from '@/lib/reports/quality/unit-quality';
import { mapSome, toSlices, type ReportThreads } from '@/lib/reports/server/report-threads';
import {
  UnitFigures,
  toReadRange,
  type ReplayedDay,
  type UnitFiguresOptions,
} from '@/lib/reports/server/unit-figures';
import { dayOf, dayRange, daysWithin } from '@/lib/trips/days';
import { formatWhole } from '@/lib/view/format';
import { nameAmong } from '@/lib/view/unit-name';
import { toDeviceType } from '../device-type';
import { type QualityGroup, type QualityLine, type QualityRow } from '../quality';
import { addQuality, createSum, toQualityRow, type QualitySum } from '../sums';

/** More rows are more than a page shows. */
const MOST_ROWS = 20_000;

const isOf = (units: readonly string[]): string =>
  `unit BETWEEN ${quote(units[0]!)} AND ${quote(units.at(-1)!)}`;

/** The fixes of units as QualityJob has them, each with the state that its unit had when it came. */
const readColumns = (
  duck: DuckDb,
  { fixes, states }: { fixes: string; states: string | null },
  units: readonly string[],
  untilMs: number,
): Promise<Float64Array<ArrayBuffer>[]> =>
  duck.readNumbers(
    `SELECT (fix_s * 1000 + fix_rest_ms)::DOUBLE, lat_e5::DOUBLE, lng_e5::DOUBLE, is_by_receipt::INTEGER::DOUBLE,
       seen_s::DOUBLE, (speed_kph IS NULL)::INTEGER::DOUBLE, ${
         states === null
           ? '-1::DOUBLE, 0::DOUBLE'
           : `(CASE WHEN seen_s * 1000 < ${untilMs} THEN coalesce(state.flags, -1) ELSE -1 END)::DOUBLE,
              coalesce(state.coarse_m, 0)::DOUBLE`
       }
     FROM (SELECT *, seen_s * 1000 + 999 AS seen_by_ms FROM ${fixes} WHERE ${isOf(units)}) AS fix
     ${
       states === null
         ? ''
         : `ASOF LEFT JOIN (SELECT unit, seen_ms, flags, coarse_m FROM ${states} WHERE ${isOf(units)}) AS state
              ON fix.unit = state.unit AND fix.seen_by_ms >= state.seen_ms`
     }
     ORDER BY fix.unit, fix_s, fix_rest_ms, seen_s`,
  );

/** How often each flag of units was raised in a range, by the units' keys. */
const readRaised = async (
  duck: DuckDb,
  states: string,
  { fromMs, toMs }: TimeRange,
): Promise<Map<string, number[]>> => {
  const counts = FLAGS.map(
    (_, bit) => `count(*) FILTER ((flags >> ${bit}) & 1 = 1 AND (before >> ${bit}) & 1 = 0)::DOUBLE`,
  );
  const rows = await duck.readRows<[unit: string, ...raised: number[]]>(
    `SELECT unit, ${counts.join(', ')} FROM (
       SELECT unit, seen_ms, coalesce(flags, 0) AS flags,
         lag(coalesce(flags, 0)) OVER (PARTITION BY unit ORDER BY seen_ms) AS before FROM ${states})
     WHERE before IS NOT NULL AND seen_ms >= ${fromMs} AND seen_ms < ${toMs} GROUP BY unit`,
  );
  return new Map(rows.map(([unit, ...raised]) => [unit, raised]));
};

/** The figures of each unit for a day: of those with fixes, and of those that had a flag raised without any. */
const replayDay = async (
  threads: ReportThreads,
  { duck, from }: RecordedTable,
  states: string | null,
  day: ReplayedDay,
  signal: AbortSignal,
): Promise<UnitQuality[]> => {
  const counts = await duck.readRows<[unit: string, fixes: number]>(
    `SELECT unit, count(*)::DOUBLE FROM ${from} GROUP BY unit ORDER BY unit`,
  );
  const untilMs = toReadRange(day).toMs;
  const slices = await mapSome(toSlices(counts), async (slice) => {
    if (signal.aborted) return [];
    const units = slice.map(([unit]) => unit);
    const columns = await readColumns(duck, { fixes: from, states }, units, untilMs);
    return threads.run({
      ...{ kind: 'quality', units, columns },
      counts: slice.map(([, fixes]) => fixes),
      ...day,
    });
  });
  const figures = new Map(slices.flat().map((unit) => [unit.key, unit]));
  if (states !== null)
    for (const [unit, raised] of await readRaised(duck, states, day))
      if (figures.has(unit) || raised.some((times) => times > 0))
        Object.assign(
          getOrMake(figures, unit, () => noQuality(unit)),
          { raised },
        );
  return [...figures.values()].filter(
    ({ fixes, raised, missedM }) => fixes > 0 || missedM > 0 || raised.some((times) => times > 0),
  );
};

export interface QualityQuery extends TimeRange {
  zone: string;
  by: QualityGroup;
  each: ReportPeriod;
  /** The keys of the units; null: all. */
  chosen: ReadonlySet<string> | null;
}

/** What a unit is grouped by; one with several tags is in several groups. */
export interface QualityNames {
  /** The provider of the fleet on a day. */
  providerAt: (atMs: number) => string;
  tagsOf: (unit: string) => readonly string[];
}

type Group = Pick<QualityRow, 'key' | 'name'>;

/** The quality of the data that was recorded of fleets, from what was recorded alone. Days that are over are kept. */
export class DataQuality {
  readonly #options: UnitFiguresOptions;
  readonly #days: UnitFigures<UnitQuality>;

  constructor(options: UnitFiguresOptions & { threads: ReportThreads }) {
    this.#options = options;
    const { reader, threads } = options;
    this.#days = new UnitFigures(options, {
      ...{ name: 'data-quality', threads },
      replay: async (usdot, table, day, signal) => {
        const replay = (states: string | null) => replayDay(threads, table, states, day, signal);
        const withStates = await reader.readStates(usdot, toReadRange(day), ({ from }) => replay(from));
        return withStates ?? replay(null);
      },
    });
  }

  /** Deletes days whose recording is gone. Never rejects. */
  async prune(): Promise<void> {
    try {
      await this.#days.prune();
    } catch (error) {
      this.#options.log.warn({ reason: String(error) }, 'Days of data quality were not deleted.');
    }
  }

  /** The rows, in the last line, after lines that say how far it is. @throws AppError 'range-too-long' */
  async *read(
    usdot: string,
    { fromMs, toMs, zone, by, each, chosen }: QualityQuery,
    names: QualityNames,
    signal: AbortSignal,
  ): AsyncGenerator<QualityLine> {
    const nowMs = this.#options.clock.nowMs();
    const days = fromMs < nowMs ? daysWithin(fromMs, Math.min(toMs, nowMs), zone) : [];
    await this.#days.requireFew(
      usdot,
      days.map((day) => dayRange(day, zone)),
    );
    const toGroups = await this.#createGroups(usdot, by, names);
    const sums = new Map<string, { group: Group & Pick<QualityRow, 'period'>; sum: QualitySum }>();
    yield { share: 0, rows: [] };
    for (const [i, day] of days.entries()) {
      const range = dayRange(day, zone);
      const units = await this.#days.readDay(usdot, range, signal);
      if (signal.aborted) return;
      const period = toPeriod(day, each, dayOf(fromMs, zone));
      for (const unit of units)
        for (const group of chosen?.has(unit.key) === false ? [] : toGroups(unit.key, range.toMs - 1)) {
          const { sum } = getOrMake(sums, `${period} ${group.key}`, () => ({
            group: { ...group, period },
            sum: createSum(),
          }));
          addQuality(sum, unit);
        }
      if (sums.size > MOST_ROWS)
        throw new AppError('range-too-long', {
          detail: `There are more than ${formatWhole(MOST_ROWS)} figures. Choose longer periods or fewer trucks.`,
        });
      yield { share: (i + 1) / (days.length + 1), rows: [] };
    }
    const rows = [...sums.values()].map(({ group, sum }) => toQualityRow(group, sum));
    rows.sort(
      (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }) || (a.period < b.period ? -1 : 1),
    );
    yield { share: 1, rows };
  }

  /** The groups of a unit at a moment. */
  async #createGroups(
    usdot: string,
    by: QualityGroup,
    { providerAt, tagsOf }: QualityNames,
  ): Promise<(unit: string, atMs: number) => readonly Group[]> {
    const { reader } = this.#options;
    const toGroup = (key: string): Group => ({ key, name: key });
    if (by === 'provider') return (_unit, atMs) => [toGroup(providerAt(atMs))];
    if (by === 'tag')
      return (unit) => {
        const tags = tagsOf(unit);
        return tags.length === 0 ? [{ key: '', name: 'No tag' }] : tags.map(toGroup);
      };
    if (by === 'truck') {
      const names = await reader.readNames(usdot, null);
      return (unit) => [{ key: unit, name: nameAmong(names, unit) }];
    }
    const devices = await reader.readDeviceIds(usdot);
    return (unit, atMs) => {
      const own = devices.get(unit) ?? [];
      const device = own.findLast(({ fromMs }) => fromMs <= atMs) ?? own[0];
      return [toGroup(toDeviceType(device?.deviceId ?? null))];
    };
  }
}
