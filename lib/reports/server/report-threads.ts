import 'server-only';
import { ThreadPool } from '@/lib/base/process/thread-pool';
import type { HoursJob, LearnJob } from '@/lib/arrivals/learn';
import type { TruckHours } from '@/lib/arrivals/duty';
import type { UnitDay } from '../reports';
import type { ReportJob } from './unit-days';
import type { UnitQuality } from '../quality/unit-quality';
import type { QualityJob } from './quality-days';
import type { WatchJob, WatchedPast } from './watch-replay';

/** Work of a thread: a report, the quality of its data, a rule's past, or what a fleet learns. */
export type ThreadJob = ReportJob | QualityJob | WatchJob | LearnJob | HoursJob;

/** As many as DuckDB has. */
export const REPORT_THREADS = 2;
const SOURCE = `import './lib/reports/server/report-thread.ts';`;

/** Threads that replay the past of units. Their version changes with the rules that they replay by. */
export class ReportThreads extends ThreadPool {
  constructor() {
    super({ source: SOURCE, threads: REPORT_THREADS });
  }

  /** @throws if the thread fails */
  run(job: QualityJob): Promise<UnitQuality[]>;
  run(job: ReportJob): Promise<UnitDay[]>;
  run(job: WatchJob): Promise<WatchedPast>;
  run(job: LearnJob): Promise<ArrayBuffer | null>;
  run(job: HoursJob): Promise<TruckHours[]>;
  run(job: ThreadJob): Promise<unknown> {
    const buffers = job.columns.map(({ buffer }) => buffer);
    if ('learned' in job && job.learned !== null) buffers.push(job.learned);
    return this.runJob(job, buffers);
  }
}

const LEAST_SLICE = 50_000;
const MOST_SLICE = 400_000;

/** Units in their order, with about as many rows in each slice. */
export const toSlices = (units: readonly [unit: string, rows: number][]): [string, number][][] => {
  const total = units.reduce((sum, [, rows]) => sum + rows, 0);
  const most = Math.min(MOST_SLICE, Math.max(LEAST_SLICE, total / (2 * REPORT_THREADS)));
  const slices: [string, number][][] = [];
  let left = 0;
  for (const unit of units) {
    if (left <= 0) {
      slices.push([]);
      left = most;
    }
    slices.at(-1)!.push(unit);
    left -= unit[1];
  }
  return slices;
};

/** The results of `run` in the order of the items, with a few of them at work at a time. */
export const mapSome = async <T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) results[i] = await run(items[i]!);
  };
  // One more than threads, so that rows are read while all threads are busy.
  await Promise.all(Array.from({ length: REPORT_THREADS + 1 }, work));
  return results;
};
