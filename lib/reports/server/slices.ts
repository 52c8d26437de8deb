import 'server-only';
import { REPORT_THREADS } from './report-threads';

/** Rows that a thread gets at once. */
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
