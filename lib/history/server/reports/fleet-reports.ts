import 'server-only';
import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/clock';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { nameAmong } from '@/lib/view/unit-name';
import { dayRange, daysWithin } from '../../day/days';
import type { ReportLine, UnitDay } from '../../reports';
import { LEAD_MS } from '../../schema';
import type { CoverageInterval } from '../../schema';
import type { RecordedTable } from '../archive/archive-reader';
import { quote } from '../archive/duck-db';
import type { HistoryReader } from '../history-reader';
import { requireFew } from '../query-limit';
import { ReportThreads } from './report-threads';
import { mapSome, toSlices } from './slices';

/** Whether a silence at the end of a day lasts is known only after it. */
const TAIL_MS = DEFAULT_MOTION_SETTINGS.silentAfterMs;
/** The most fixes that one report reads: a quarter of 400 units, four days of 10,000. */
const MOST_REPORT_FIXES = 40_000_000;
/** Units in one line of an answer. */
const UNITS_A_LINE = 2000;
/** Unit-days that are kept, of days that are over. */
const MOST_KEPT = 100_000;

interface Day {
  fromMs: number;
  toMs: number;
  nowMs: number;
  coverage: CoverageInterval[];
}

/** Reports on each unit's days, replayed by the rules of a vehicle's day in threads of their own. */
export class FleetReports {
  readonly #reader: HistoryReader;
  readonly #clock: Clock;
  readonly threads = new ReportThreads();
  readonly #kept = new LRUCache<string, { mark: string; units: UnitDay[] }>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ units }) => units.length + 1,
  });

  constructor(reader: HistoryReader, clock: Clock) {
    this.#reader = reader;
    this.#clock = clock;
  }

  close(): void {
    this.threads.close();
  }

  /** The days from `fromMs` on, day by day. @throws AppError 'range-too-long' before the first line */
  async *read(
    usdot: string,
    { fromMs, toMs, zone }: { fromMs: number; toMs: number; zone: string },
    signal: AbortSignal,
  ): AsyncGenerator<ReportLine> {
    const nowMs = this.#clock.nowMs();
    const days = fromMs < nowMs ? daysWithin(fromMs, Math.min(toMs, nowMs), zone) : [];
    await requireFew(this.#reader, usdot, { fromMs, toMs }, MOST_REPORT_FIXES);
    yield { share: 0, day: days[0] ?? '', units: [] };
    const names = await this.#reader.readNames(usdot, null);
    for (const [index, day] of days.entries()) {
      const units = await this.#readRange(usdot, dayRange(day, zone), signal);
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

  /** What each unit did in a range, as of a day. @throws AppError 'range-too-long' */
  async readRange(
    usdot: string,
    range: { fromMs: number; toMs: number },
    signal: AbortSignal,
  ): Promise<UnitDay[]> {
    await requireFew(this.#reader, usdot, range, MOST_REPORT_FIXES);
    return this.#readRange(usdot, range, signal);
  }

  async #readRange(
    usdot: string,
    { fromMs, toMs }: { fromMs: number; toMs: number },
    signal: AbortSignal,
  ): Promise<UnitDay[]> {
    const nowMs = this.#clock.nowMs();
    const [readFromMs, readToMs] = [fromMs - LEAD_MS, toMs + TAIL_MS];
    const coverage = await this.#reader.readCoverage(usdot, readFromMs, readToMs);
    const key = `${usdot} ${fromMs} ${toMs}`;
    const units = await this.#reader.readFixes(
      usdot,
      { fromMs: readFromMs, toMs: readToMs },
      async (table) => {
        const mark = `${table.mark} ${JSON.stringify(coverage)}`;
        const kept = this.#kept.get(key);
        if (kept?.mark === mark) return kept.units;
        const replayed = await this.#replay(table, { fromMs, toMs, nowMs, coverage }, signal);
        if (readToMs < nowMs && !signal.aborted) this.#kept.set(key, { mark, units: replayed });
        return replayed;
      },
    );
    return units ?? [];
  }

  async #replay({ duck, from }: RecordedTable, day: Day, signal: AbortSignal): Promise<UnitDay[]> {
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
      return this.threads.run({
        units: slice.map(([unit]) => unit),
        counts: slice.map(([, fixes]) => fixes),
        columns,
        ...day,
      });
    });
    return slices.flat();
  }
}
