import 'server-only';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { withMemory, bundleThread } from '@/lib/base/process/thread';
import { createLazy } from '@/lib/base/lazy';
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
const IDLE_MS = 60_000;
const SOURCE = `import './lib/reports/server/report-thread.ts';`;

/** The code of the threads, bundled once in this process, and a text that changes with it. */
const code = createLazy(async () => {
  const text = await bundleThread(SOURCE);
  return { text, version: createHash('sha256').update(text).digest('base64url') };
});

const startThread = (text: string): Worker => new Worker(text, { eval: true });

/** Threads that replay the past of units. They start when they are needed, and end when they are not for a minute. */
export class ReportThreads {
  readonly #idle: Worker[] = [];
  readonly #waiting: ((worker: Worker) => void)[] = [];
  #count = 0;
  #ending: ReturnType<typeof setTimeout> | undefined;

  /** A text that changes with the code of the threads, and so with the rules that they replay by. */
  async readVersion(): Promise<string> {
    return (await code.open()).version;
  }

  /** @throws if the thread fails */
  run(job: QualityJob): Promise<UnitQuality[]>;
  run(job: ReportJob): Promise<UnitDay[]>;
  run(job: WatchJob): Promise<WatchedPast>;
  run(job: LearnJob): Promise<ArrayBuffer | null>;
  run(job: HoursJob): Promise<TruckHours[]>;
  run(job: ThreadJob): Promise<unknown> {
    return withMemory(() => this.#run(job));
  }

  async #run(job: ThreadJob): Promise<unknown> {
    const { text } = await code.open();
    const worker = await this.#take(text);
    try {
      const buffers = job.columns.map(({ buffer }) => buffer);
      if ('learned' in job && job.learned !== null) buffers.push(job.learned);
      worker.postMessage(job, buffers);
      const [answer] = (await once(worker, 'message')) as [unknown];
      this.#giveBack(worker);
      return answer;
    } catch (error) {
      await worker.terminate();
      const next = this.#waiting.shift();
      if (next === undefined) this.#count--;
      else next(startThread(text));
      throw error;
    }
  }

  close(): void {
    clearTimeout(this.#ending);
    this.#count -= this.#idle.length;
    for (const worker of this.#idle.splice(0)) void worker.terminate();
  }

  async #take(text: string): Promise<Worker> {
    clearTimeout(this.#ending);
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#count === REPORT_THREADS) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#count++;
    return startThread(text);
  }

  #giveBack(worker: Worker): void {
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next(worker);
      return;
    }
    this.#idle.push(worker);
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => this.close(), IDLE_MS).unref();
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
