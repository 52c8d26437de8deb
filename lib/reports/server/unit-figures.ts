import 'server-only';
import { createHash } from 'node:crypto';
import { createFetchCache } from '@/lib/base/cache';
import type { Clock } from '@/lib/base/clock';
import { MINUTE_MS, type TimeRange } from '@/lib/base/time';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import { LEAD_MS } from '@/lib/past/schema';
import type { CoverageInterval } from '@/lib/trips/coverage';
import type { RecordedTable } from '@/lib/archive/archive-reader';
import type { ScratchFolder } from '@/lib/archive/scratch';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import { requireFew } from '@/lib/past/server/query-limit';
import { KeptDays, type KeptDay } from './kept-days';
import type { ReportThreads } from './report-threads';

/** The most fixes that one report reads: a quarter of 400 units, four days of 10,000. */
export const MOST_REPORT_FIXES = 40_000_000;
/** Whether a silence at the end of a day lasts is known only after it. */
export const TAIL_MS = DEFAULT_MOTION_SETTINGS.silentAfterMs;

/** A range with all that decides its figures. */
export const toReadRange = ({ fromMs, toMs }: TimeRange): TimeRange => ({
  fromMs: fromMs - LEAD_MS,
  toMs: toMs + TAIL_MS,
});

/** The figures of a day that is not over are shared for so long: a page asks for them again with each choice. */
const SHARED_MS = MINUTE_MS;
const MOST_SHARED = 4;

/** A day whose figures are made. */
export interface ReplayedDay extends TimeRange {
  nowMs: number;
  coverage: CoverageInterval[];
}

export interface UnitFiguresOptions {
  reader: HistoryReader;
  /** HISTORY_DIR. */
  folder: string;
  scratch: ScratchFolder;
  clock: Clock;
  log: Record<'warn', (fields: object, message: string) => void>;
}

interface Kind<Figures> {
  /** The folder of the kept days, in HISTORY_DIR. */
  name: string;
  threads: ReportThreads;
  /** The figures of each unit for a day, from the fixes of its read range. */
  replay: (usdot: string, table: RecordedTable, day: ReplayedDay, signal: AbortSignal) => Promise<Figures[]>;
}

/** Figures of each unit of a fleet for a day, made of its recording. Those of days that are over are kept. */
export class UnitFigures<Figures extends { key: string }> {
  readonly #options: UnitFiguresOptions;
  readonly #kind: Kind<Figures>;
  readonly #kept: KeptDays<Figures>;
  readonly #shared: ReturnType<typeof createFetchCache<Figures[]>>;

  constructor(options: UnitFiguresOptions, kind: Kind<Figures>) {
    this.#options = options;
    this.#kind = kind;
    this.#kept = new KeptDays(options.folder, kind.name, options.scratch);
    this.#shared = createFetchCache({ ttlMs: SHARED_MS, max: MOST_SHARED, clock: options.clock });
  }

  /** Whether the figures of a day are kept and still good. */
  async has(usdot: string, range: TimeRange): Promise<boolean> {
    const kept = await this.#findKept(usdot, range);
    return kept !== null && (await this.#kept.has(kept));
  }

  /** Days that are kept count nothing. @throws AppError 'range-too-long' for days with too many fixes */
  async requireFew(usdot: string, days: readonly TimeRange[]): Promise<void> {
    const missing: TimeRange[] = [];
    for (const day of days) if (!(await this.has(usdot, day))) missing.push(day);
    await requireFew(this.#options.reader, usdot, missing, MOST_REPORT_FIXES);
  }

  /** The figures of a day, which are kept once it is over, and are up to a minute old before. */
  async readDay(usdot: string, range: TimeRange, signal: AbortSignal): Promise<Figures[]> {
    const kept = await this.#findKept(usdot, range);
    if (kept === null)
      // No client that leaves ends what others wait for.
      return this.#shared.read(`${usdot} ${range.fromMs} ${range.toMs}`, () =>
        this.replay(usdot, range, new AbortController().signal),
      );
    if (await this.#kept.has(kept)) {
      try {
        return await this.#kept.read(kept);
      } catch (error) {
        this.#options.log.warn({ reason: String(error) }, 'A kept day of a report cannot be read.');
      }
    }
    const units = await this.replay(usdot, range, signal);
    if (units.length === 0 || signal.aborted) return units;
    // Its recording may have changed while it was read.
    if ((await this.#findKept(usdot, range))?.mark === kept.mark)
      await this.#kept
        .write(kept, units)
        .catch((error: unknown) =>
          this.#options.log.warn({ reason: String(error) }, 'A day of a report cannot be kept.'),
        );
    return units;
  }

  /** The figures of a range, made of the recording. */
  async replay(usdot: string, range: TimeRange, signal: AbortSignal): Promise<Figures[]> {
    const { reader, clock } = this.#options;
    const read = toReadRange(range);
    const nowMs = clock.nowMs();
    const coverage = await reader.readCoverage(usdot, read.fromMs, read.toMs);
    const day = { ...range, nowMs, coverage };
    const replayTable = (table: RecordedTable) => this.#kind.replay(usdot, table, day, signal);
    return (await reader.readFixes(usdot, read, replayTable)) ?? [];
  }

  /** Deletes kept days whose recording is gone. */
  prune(): Promise<void> {
    return this.#kept.prune((usdot) => this.#options.reader.readArchivedFromMs(usdot));
  }

  /** The name of a finished day among the kept ones; null: it is not over. */
  async #findKept(usdot: string, range: TimeRange): Promise<KeptDay | null> {
    const { reader, clock } = this.#options;
    const read = toReadRange(range);
    if (read.toMs >= clock.nowMs()) return null;
    const made = [
      await this.#kind.threads.readVersion(),
      await reader.readMark(usdot, read),
      await reader.readCoverage(usdot, read.fromMs, read.toMs),
    ];
    const mark = createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 32);
    return { usdot, ...range, mark };
  }
}
