import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { expect, it, vi } from 'vitest';
import { LearnedFiles } from '@/lib/archive/learned-files';
import { Arrivals } from '@/lib/arrivals/arrivals';
import { RESTED } from '@/lib/arrivals/duty';
import { learnFixes, toHours, type HoursJob, type LearnJob } from '@/lib/arrivals/learn';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import type { Job } from '@/lib/jobs/jobs';
import { upsertSites } from '@/lib/sites/server/site-repository';
import { changesOf, setUpRecording, type RecordedFix } from '@/testing/history/recording';
import { siteOf } from '@/testing/sites/watched-units';
import { createLearning } from './learning';
import { createReadArrivals } from './read-arrivals';

const USDOT = '1234567';
/** Noon, UTC. */
const NOW = 20_700 * DAY_MS + 12 * HOUR_MS;
const DEGREES_PER_KM = 1 / 111.19508;
const held = setUpRecording();

/** A drive of 60 km south to the site at 60 km/h, with a fix each minute. */
const driveTo = (arrivedMs: number): RecordedFix[] =>
  Array.from({ length: 61 }, (_, minute) => ({
    unit: 'TRUCK',
    fixMs: arrivedMs - (60 - minute) * MINUTE_MS,
    lat: 35 + (60 - minute) * DEGREES_PER_KM,
    lng: -101,
  }));

/** Days on which a truck arrives at a site, of which the last two are not archived yet. */
const record = async (days: number): Promise<string> => {
  const { id: _, ...input } = siteOf(0, 0);
  const [site] = await upsertSites(drizzle({ client: held.pool }), USDOT, [input], {
    madeBy: 'a',
    nowMs: NOW,
  });
  for (let day = days; day > 0; day -= 1) {
    const arrivedMs = NOW - day * DAY_MS;
    await held.write({
      usdot: USDOT,
      seenMs: arrivedMs + MINUTE_MS,
      changes: changesOf(arrivedMs + MINUTE_MS, driveTo(arrivedMs)),
      coverage: [
        { fromMs: NOW - days * DAY_MS - HOUR_MS, toMs: arrivedMs, state: 'answered', problem: null },
      ],
      visits: [
        {
          ...{ siteId: site!.id, unit: 'TRUCK', arrivedAfterMs: arrivedMs - MINUTE_MS, arrivedMs },
          ...{ leftMs: arrivedMs + HOUR_MS, leftByMs: arrivedMs + HOUR_MS + MINUTE_MS },
        },
      ],
    });
    if (day === 2) await held.archive(arrivedMs + 6 * HOUR_MS);
  }
  return String(site!.id);
};

const setUp = () => {
  const files = new LearnedFiles(held.folder, held.scratch);
  const onLearned = vi.fn<(usdot: string) => void>();
  const [kind] = createLearning({
    database: () => ({ pool: held.pool, orm: drizzle({ client: held.pool }) }),
    reader: () => held.reader,
    threads: () => ({ run: async (job: LearnJob) => learnFixes(job) }) as never,
    files: () => files,
    onLearned,
    clock: { nowMs: () => NOW, monotonicMs: () => 0 },
    log: { warn: (fields) => expect(fields).toBeNull() },
    afterStartMs: 0,
  }).kinds;
  const learn = async (): Promise<void> => {
    while ((await kind!.run({ id: 'a', data: {} } as Job, new AbortController().signal)) === 1000);
  };
  const read = async () => {
    const throughMs = await files.readThroughMs(USDOT);
    const learned = throughMs === null ? null : await files.read(USDOT, throughMs);
    return learned && { throughMs, arrivals: Arrivals.unpack(learned) };
  };
  return { files, onLearned, learn, read };
};

it('learns the ways to sites from the recording once, and again where the file is damaged', async () => {
  const stop = await record(5);
  const { learn, read, onLearned } = setUp();
  await learn();
  expect(onLearned.mock.calls).toEqual([[USDOT]]);
  const found = await read();
  expect(found!.throughMs).toBe(NOW - HOUR_MS);
  const fix = { lat: 35 + 30 * DEGREES_PER_KM, lng: -101, fixAtMs: NOW, isStanding: false };
  const { by, distM, expectedMs } = found!.arrivals.estimate(fix, { lat: 35, lng: -101, key: stop }, RESTED);
  expect(by).toBe('usual');
  expect(distM / 1000).toBeCloseTo(30, 0);
  expect(expectedMs / MINUTE_MS).toBeCloseTo(30, 0);
  const size = found!.arrivals.roads.size;
  expect(size).toBeGreaterThan(100);

  // There is nothing new.
  await learn();
  expect(onLearned).toHaveBeenCalledTimes(1);

  const folder = join(held.folder, 'learned', `usdot=${USDOT}`);
  const [name] = await readdir(folder);
  const bytes = await readFile(join(folder, name!));
  bytes[Math.floor(bytes.length / 2)]! ^= 1;
  await writeFile(join(folder, name!), bytes);
  expect(await read()).toBeNull();
  await learn();
  expect((await read())!.arrivals.roads.size).toBe(size);
});

it('learns nothing of a fleet whose recording was removed, and deletes its file', async () => {
  await record(2);
  const { learn, files } = setUp();
  await learn();
  expect(await files.list()).toEqual([USDOT]);
  await held.history.remove(USDOT);
  await learn();
  expect(await files.list()).toEqual([]);
});

it('is given to a feed with the hours of its trucks, and not again while it is not newer', async () => {
  await record(2);
  const { learn, files } = setUp();
  await learn();
  const read = createReadArrivals({
    history: {
      reader: held.reader,
      reports: { threads: { run: async (job: HoursJob) => toHours(job) } as never },
      archive: { learned: files },
    },
    database: { open: async () => ({ pool: held.pool, orm: drizzle({ client: held.pool }) }) },
    clock: { nowMs: () => NOW - 4 * HOUR_MS },
    log: { warn: (fields) => expect(fields).toBeNull() },
  });
  const found = await read(USDOT, { throughMs: null, hasGrades: false, units: ['TRUCK', 'OTHER'] });
  const { throughMs, packed } = found!.learned!;
  expect(Arrivals.unpack(packed).roads.size).toBeGreaterThan(100);
  expect([...found!.hours.keys()]).toEqual(['TRUCK']);
  // Each ten minutes one position is read.
  expect(found!.hours.get('TRUCK')!.duty.sinceRestMs / MINUTE_MS).toBeCloseTo(51, -1);
  const again = await read(USDOT, { throughMs, hasGrades: true, units: [] });
  expect(again).toEqual({ learned: null, grades: [], hours: new Map() });
});
