import { afterEach, expect, it } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import { JOBS_PART, openDatabase, type Database } from '@/lib/database/database';
import { setUpAlerts } from '@/testing/alerts/alerts';
import { Jobs, toJobId, type Job, type JobKind } from './jobs';

const held = setUpAlerts();
const QUEUE = 'work';
const silent = { warn: (_fields: object, _message: string): void => undefined, debug: () => undefined };

const opened: Jobs[] = [];
afterEach(async () => {
  for (const jobs of opened.splice(0)) await jobs.close();
});

const openPool = async (): Promise<Database> => openDatabase(held.database.databaseUrl, JOBS_PART, silent);

/** One process, which finishes each job after `run`. */
const start = (run: (job: Job) => Promise<void>, { open = openPool, log = silent, slots = 4 } = {}) => {
  let orm: Database['orm'] | undefined;
  const kind: JobKind = {
    name: QUEUE,
    slots,
    pollMs: 10,
    run: async (job) => {
      await run(job);
      await jobs.finish(orm!, QUEUE, job.id);
    },
  };
  const jobs = new Jobs({
    open,
    onOpened: async (database) => void (orm = database.orm),
    clock: systemClock,
    maintainEveryS: 1,
    log,
  });
  jobs.add({ kinds: [kind] });
  opened.push(jobs);
  jobs.start();
  return jobs;
};
const insert = async (jobs: Jobs, ids: string[], delayMs = 0) => {
  const { orm } = await held.app.database.open();
  await jobs.insert(
    orm,
    QUEUE,
    ids.map((text) => ({ id: toJobId(text), data: { text }, delayMs })),
  );
};
const countJobs = async () =>
  (
    await held.database.query('select count(*)::int as count from linehaul_jobs.job where name = $1', [QUEUE])
  )[0]!.count;
const names = (count: number, prefix: string) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

it('jobs of two processes on one database are each run once, and leave nothing behind', async () => {
  const ran: string[] = [];
  const run = async ({ data }: Job) => void ran.push(data.text as string);
  const [one, two] = [start(run), start(run)];
  const ids = names(200, 'a');
  await Promise.all([insert(one, ids.slice(0, 100)), insert(two, ids.slice(100))]);
  await expect.poll(() => ran.length, { timeout: 10_000 }).toBe(200);
  await expect.poll(countJobs).toBe(0);
  expect([...ran].sort()).toEqual([...ids].sort());
});

it('a job that is made before the database answers is run once it does', async () => {
  let isAway = true;
  const warned: string[] = [];
  const ran: unknown[] = [];
  const jobs = start(async ({ data }) => void ran.push(data.text), {
    open: async () => {
      if (isAway) throw new Error('connect ECONNREFUSED');
      return openPool();
    },
    log: { ...silent, warn: (_fields, message) => void warned.push(message) },
  });
  await insert(jobs, ['early']);
  await expect.poll(() => warned).toEqual(['Jobs cannot be run now.']);
  isAway = false;
  jobs.start();
  await expect.poll(() => ran).toEqual(['early']);
});

it('a job that is put off or finished before the database answers counts as it is last', async () => {
  const ran: string[] = [];
  let isAway = true;
  const jobs = start(async ({ data }) => void ran.push(String(data.text)), {
    open: () => (isAway ? Promise.reject(new Error('away')) : openPool()),
  });
  const { orm } = await held.app.database.open();
  await insert(jobs, ['put off', 'finished'], 3_600_000);
  await jobs.again(orm, QUEUE, { id: toJobId('put off'), data: { text: 'put off' } }, 0);
  await jobs.finish(orm, QUEUE, toJobId('finished'));
  isAway = false;
  jobs.start();
  await expect.poll(() => ran, { timeout: 10_000 }).toEqual(['put off']);
  await expect.poll(countJobs).toBe(0);
});

it('a job that throws is run again, and one that is put off starts later', async () => {
  const ran: string[] = [];
  const jobs = start(async ({ data }) => {
    ran.push(data.text as string);
    if (ran.length === 1) throw new Error('once');
  });
  await expect.poll(async () => countJobs().catch(() => null)).toBe(0);
  await insert(jobs, ['thrown']);
  await insert(jobs, ['late'], 3_600_000);
  await expect.poll(() => ran).toEqual(['thrown']);
  // pg-boss waits some seconds.
  const hurry = () =>
    held.database.query(
      `update linehaul_jobs.job set start_after = now() - interval '1 s' where state = 'retry'`,
    );
  await expect.poll(async () => (await hurry(), ran)).toEqual(['thrown', 'thrown']);
  await expect.poll(countJobs).toBe(1);
  await held.database.query('update linehaul_jobs.job set start_after = now()');
  await expect.poll(() => ran.at(-1)).toBe('late');
});

it('a job whose process ended in its middle is run by another one', async () => {
  let release: () => void = () => undefined;
  const stuck = new Promise<void>((resolve) => (release = resolve));
  const ran: string[] = [];
  const first = start(
    async () => {
      ran.push('first');
      await stuck;
      throw new Error('The process ended.');
    },
    { slots: 1 },
  );
  await expect.poll(async () => countJobs().catch(() => null)).toBe(0);
  await insert(first, ['crashed']);
  await expect.poll(() => ran).toEqual(['first']);
  start(async () => void ran.push('second'));
  // As after 45 s.
  await held.database.query(`update linehaul_jobs.job set started_on = started_on - interval '1 minute'`);
  await expect.poll(() => ran, { timeout: 15_000 }).toEqual(['first', 'second']);
  release();
});

it('slow jobs hold up no others while there is a slot', async () => {
  const releases: (() => void)[] = [];
  const ran: string[] = [];
  const jobs = start(async ({ data }) => {
    if ((data.text as string).startsWith('slow'))
      await new Promise<void>((resolve) => releases.push(resolve));
    ran.push(data.text as string);
  });
  await expect.poll(async () => countJobs().catch(() => null)).toBe(0);
  await insert(jobs, names(3, 'slow'));
  await expect.poll(() => releases.length).toBe(3);
  await insert(jobs, names(30, 'fast'));
  await expect.poll(() => ran.length).toBe(30);
  for (const release of releases) release();
  await expect.poll(countJobs).toBe(0);
});

/** As PostgreSQL's clock an hour back: what it has noted is an hour later than it is now. */
const setDatabaseClockBack = async () => {
  const { query } = held.database;
  await query(`update linehaul_jobs.job set created_on = created_on + interval '1 hour',
    started_on = started_on + interval '1 hour', start_after = start_after + interval '1 hour'`);
  await query(`update linehaul_jobs.version set maintained_on = now() + interval '1 hour'`);
};

// Each time of a job is PostgreSQL's: a process gives only how long a job waits.
it("a job is run in time after PostgreSQL's clock was set back an hour", async () => {
  let isWell = false;
  const ran: string[] = [];
  const [one] = [1, 2].map(() =>
    start(async ({ data }) => {
      const name = data.text as string;
      if (isWell) ran.push(name);
      else if (name === 'stuck') await new Promise(() => undefined);
      else throw new Error('It fails until the clock is set back.');
    }),
  ) as [Jobs];
  await expect.poll(async () => countJobs().catch(() => null)).toBe(0);
  await insert(one, ['fails', 'stuck']);
  await insert(one, ['waits'], 20_000);
  const readStates = async () =>
    (await held.database.query('select state from linehaul_jobs.job order by state')).map(
      ({ state }) => state,
    );
  await expect.poll(readStates).toEqual(['created', 'retry', 'active']);
  isWell = true;
  await setDatabaseClockBack();
  // The seconds that each would have waited without that: 5, 45 and 20.
  const readWaits = () =>
    held.database.query(
      `select array_agg(ceil(extract(epoch from case state when 'active' then started_on + expire_in else start_after end
         - now()))::int order by state) as s from linehaul_jobs.job`,
    );
  const upTo = (s: number) => expect.toSatisfy((value: number) => value > s - 5 && value <= s) as number;
  await expect.poll(readWaits).toEqual([{ s: [upTo(20), upTo(5), upTo(45)] }]);
  // As that much later.
  await held.database.query(`update linehaul_jobs.job set created_on = created_on - interval '46 s',
    started_on = started_on - interval '46 s', start_after = start_after - interval '46 s'`);
  await held.database.query(`update linehaul_jobs.job set start_after = now() where state = 'retry'`);
  await expect.poll(() => [...ran].sort(), { timeout: 15_000 }).toEqual(['fails', 'stuck', 'waits']);
});
