import 'server-only';
import { LRUCache } from 'lru-cache';
import { AppError, isAppError } from '@/lib/base/http/problems';
import { formatCount, formatWhole } from '@/lib/view/format';
import { nameAmong } from '@/lib/view/unit-name';
import { addDays, dayOf, dayRange, daysWithin } from '@/lib/trips/days';
import type { ReportLine, UnitDay } from '../reports';
import type { RecordedTable } from '@/lib/archive/archive-reader';
import { quote } from '@/lib/archive/duck-db';
import { requireFew } from '@/lib/past/server/query-limit';
import { UNITS_A_LINE } from './kept-days';
import { ReportThreads, mapSome, toSlices } from './report-threads';
import {
  MOST_REPORT_FIXES,
  TAIL_MS,
  UnitFigures,
  toReadRange,
  type ReplayedDay,
  type UnitFiguresOptions,
} from './unit-figures';
import { type TimeRange, DAY_MS } from '@/lib/base/time';

/** The most days of units in one report, which a browser holds: a quarter of 3,300 units, a month of 10,000. */
const MOST_UNIT_DAYS = 310_000;
/** Days before today that are made ready, for fleets and zones that were asked for in this time. */
const READY_DAYS = 2;
/** A report on at most so many chosen units reads their trails alone. */
const FEW_UNITS = 20;
const ASKED_MS = 7 * DAY_MS;

interface FleetDays extends TimeRange {
  usdot: string;
  zone: string;
  /** The keys of the units that it is about; absent or null: all. */
  chosen?: ReadonlySet<string> | null;
}

/** The days of all units, from their fixes. */
const replayTable = async (
  threads: ReportThreads,
  { duck, from }: RecordedTable,
  day: ReplayedDay,
  signal: AbortSignal,
): Promise<UnitDay[]> => {
  const counts = await duck.readRows<[unit: string, fixes: number]>(
    `SELECT unit, count(*)::DOUBLE FROM ${from} GROUP BY unit ORDER BY unit`,
  );
  const slices = await mapSome(toSlices(counts), async (slice) => {
    if (signal.aborted) return [];
    const [first, last] = [slice[0]![0], slice.at(-1)![0]];
    const columns = await duck.readNumbers(
      `SELECT (fix_s * 1000 + fix_rest_ms)::DOUBLE, lat_e5::DOUBLE, lng_e5::DOUBLE, is_by_receipt::INTEGER::DOUBLE
       FROM ${from} WHERE unit BETWEEN ${quote(first)} AND ${quote(last)}
       ORDER BY unit, fix_s, fix_rest_ms, seen_s`,
    );
    return threads.run({
      units: slice.map(([unit]) => unit),
      counts: slice.map(([, fixes]) => fixes),
      columns,
      ...day,
    });
  });
  return slices.flat();
};

/** Reports on each unit's days, replayed by the rules of a vehicle's day in threads of their own. Days that are over are kept. */
export class FleetReports {
  readonly #options: UnitFiguresOptions;
  readonly #days: UnitFigures<UnitDay>;
  readonly threads = new ReportThreads();
  readonly #asked = new LRUCache<string, Pick<FleetDays, 'usdot' | 'zone'>>({ max: 50, ttl: ASKED_MS });
  readonly #closing = new AbortController();

  constructor(options: UnitFiguresOptions) {
    this.#options = options;
    const { threads } = this;
    this.#days = new UnitFigures(options, {
      ...{ name: 'reports', threads },
      replay: (_usdot, table, day, signal) => replayTable(threads, table, day, signal),
    });
  }

  close(): void {
    this.#closing.abort();
    this.threads.close();
  }

  /** The days from `fromMs` on, day by day. @throws AppError 'range-too-long' before the first line */
  read(usdot: string, range: Omit<FleetDays, 'usdot'>, signal: AbortSignal): AsyncGenerator<ReportLine> {
    const { zone } = range;
    this.#asked.set(`${usdot} ${zone}`, { usdot, zone });
    return this.#read({ ...range, usdot }, signal);
  }

  async *#read(
    { usdot, fromMs, toMs, zone, chosen = null }: FleetDays,
    signal: AbortSignal,
  ): AsyncGenerator<ReportLine> {
    const { reader, clock } = this.#options;
    const nowMs = clock.nowMs();
    const days = fromMs < nowMs ? daysWithin(fromMs, Math.min(toMs, nowMs), zone) : [];
    const isOfFew = chosen !== null && chosen.size <= FEW_UNITS;
    if (!isOfFew)
      await this.#days.requireFew(
        usdot,
        days.map((day) => dayRange(day, zone)),
      );
    const names = await reader.readNames(usdot, null);
    const mostDays = Math.max(1, Math.floor(MOST_UNIT_DAYS / (chosen?.size || names.size)));
    if (days.length > mostDays)
      throw new AppError('range-too-long', {
        detail: `Of a fleet with ${formatWhole(names.size)} units, a report has at most ${formatCount(mostDays, 'day')}. Choose a shorter range.`,
      });
    yield { share: 0, day: days[0] ?? '', units: [] };
    for (const [index, day] of days.entries()) {
      const units = await this.#readChosen({ usdot, ...dayRange(day, zone), chosen }, signal);
      if (signal.aborted) return;
      for (let i = 0; i < units.length; i += UNITS_A_LINE)
        yield {
          share: index / days.length,
          day,
          units: units
            .slice(i, i + UNITS_A_LINE)
            .map((unit) => ({ ...unit, name: nameAmong(names, unit.key) })),
        };
      yield { share: (index + 1) / days.length, day, units: [] };
    }
    if (days.length === 0) yield { share: 1, day: '', units: [] };
  }

  /** The figures of each unit for a range, like those of a day. @throws AppError 'range-too-long' */
  async readRange(usdot: string, range: TimeRange, signal: AbortSignal): Promise<UnitDay[]> {
    await requireFew(this.#options.reader, usdot, [range], MOST_REPORT_FIXES);
    return this.#days.replay(usdot, range, signal);
  }

  /** Makes the newest days of wanted fleets and zones ready, and deletes days whose recording is gone. Never rejects. */
  async keepReady(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#closing;
    try {
      await this.#days.prune();
      for (const { usdot, zone } of [...this.#asked.values()]) {
        const today = dayOf(clock.nowMs() - TAIL_MS, zone);
        const { fromMs } = dayRange(addDays(today, -READY_DAYS), zone);
        const { fromMs: toMs } = dayRange(today, zone);
        try {
          for await (const _ of this.#read({ usdot, zone, fromMs, toMs }, signal));
        } catch (error) {
          if (!isAppError(error, 'range-too-long')) throw error;
        }
      }
    } catch (error) {
      if (!signal.aborted) log.warn({ reason: String(error) }, 'Days of reports were not made ready.');
    }
  }

  /** The day of the chosen units, of few of them without that of the others where it is not kept. */
  async #readChosen(
    {
      usdot,
      chosen,
      ...range
    }: Pick<FleetDays, 'usdot' | 'fromMs' | 'toMs'> & {
      chosen: ReadonlySet<string> | null;
    },
    signal: AbortSignal,
  ): Promise<UnitDay[]> {
    if (chosen !== null && chosen.size <= FEW_UNITS && !(await this.#days.has(usdot, range)))
      return this.#replayTrails(usdot, [...chosen], range);
    const units = await this.#days.readDay(usdot, range, signal);
    return chosen === null ? units : units.filter(({ key }) => chosen.has(key));
  }

  /** The days of some units, from their trails. */
  async #replayTrails(usdot: string, units: readonly string[], range: TimeRange): Promise<UnitDay[]> {
    const { reader, clock } = this.#options;
    const { fromMs, toMs } = toReadRange(range);
    const coverage = await reader.readCoverage(usdot, fromMs, toMs);
    const trails = await Promise.all(
      units.toSorted().map(async (key) => ({ key, fixes: await reader.readTrail(usdot, key, fromMs, toMs) })),
    );
    const recorded = trails.filter(({ fixes }) => fixes.length > 0);
    const fixes = recorded.flatMap((trail) => trail.fixes);
    return this.threads.run({
      units: recorded.map(({ key }) => key),
      counts: recorded.map((trail) => trail.fixes.length),
      columns: [
        Float64Array.from(fixes, ({ fixAtMs }) => fixAtMs),
        Float64Array.from(fixes, ({ lat }) => Math.round(lat * 1e5)),
        Float64Array.from(fixes, ({ lng }) => Math.round(lng * 1e5)),
        Float64Array.from(fixes, ({ isByReceipt }) => (isByReceipt ? 1 : 0)),
      ],
      ...{ ...range, nowMs: clock.nowMs(), coverage },
    });
  }
}
