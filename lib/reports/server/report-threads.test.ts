import { afterAll, expect, it } from 'vitest';
import { ReportThreads } from './report-threads';
import type { ReportJob } from './unit-days';

const EMPTY: ReportJob = { units: [], counts: [], columns: [], coverage: [], fromMs: 0, toMs: 1, nowMs: 2 };
/** One unit, whose fixes are missing. */
const BROKEN: ReportJob = { ...EMPTY, units: ['A'], counts: [1] };

const threads = new ReportThreads();
afterAll(() => threads.close());

it('a job that waits for a thread is done after the jobs before it ended their threads', async () => {
  const jobs = [BROKEN, BROKEN, EMPTY].map((job) => threads.run(job));
  const ended = await Promise.allSettled(jobs);
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});
