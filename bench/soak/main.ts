/**
 * `npm run soak`: 15 minutes of a provider that fails at random, watched by fifty browsers. With --smoke
 * a small fleet for some seconds; its memory is not judged, and no result is kept. Ends with 1 where a target is
 * missed.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FAULT_NAMES } from '@/testing/tracking/faults';
import { startApplication, startProgram, type RunningApplication } from '../server/processes';
import { atMost, publishReport, toMarkdown, toSection, type Figure, type Section } from '../support/report';
import { median } from '../support/statistics';
import { compareWithTruth, type Truth } from './compare';
import { FULL_PLAN, POLL_MS, SMOKE_PLAN, VARIABLES } from './plan';
import { startViewers, type Viewers } from './viewers';

const isSmoke = process.argv.includes('--smoke');
const plan = isSmoke ? SMOKE_PLAN : FULL_PLAN;
const MB = 1e6;
const SAMPLE_EVERY_MS = 1000;
const RECOVERS_WITHIN_MS = 60_000;
/** Log lines of a process that has lost a thread or a promise. */
const BROKEN = /Unhandled rejection|unhandledRejection|uncaughtException|The thread that polls has ended/;

interface Report {
  asked: Record<string, number>;
  refusals: number;
  elsewhere: number;
}

/** The rules of a figure that counts what must not be. */
const none = (what: string, count: number): Figure => atMost(what, count, 0, 'times', 0);

const watchMemory = async (application: RunningApplication, forMs: number): Promise<number[]> => {
  const samples: number[] = [];
  for (const untilMs = Date.now() + forMs; Date.now() < untilMs; await sleep(SAMPLE_EVERY_MS)) {
    samples.push(application.readLoop().rssBytes / MB);
  }
  return samples;
};

/** Waits until every viewer has what is true; gives how long that took, ms, and what was right at last. */
const untilRight = async ({ readings }: Viewers, readTruth: () => Promise<Truth[]>) => {
  const startedAtMs = Date.now();
  for (;;) {
    const verdict = compareWithTruth(readings, await readTruth());
    const isWell = readings.every(({ fleet }) => fleet?.feed.problem === null);
    const tookMs = Date.now() - startedAtMs;
    const isRight = isWell && verdict.right === plan.units && verdict.unknownUnits === 0;
    if (isRight || tookMs > RECOVERS_WITHIN_MS) return { ...verdict, tookMs, isWell };
    await sleep(250);
  }
};

const toFaultSection = ({ asked, refusals }: Report): Section => ({
  title: 'Answers of the provider',
  columns: ['answer', 'times'],
  rows: [
    ...Object.entries(asked)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([behavior, times]) => [behavior, String(times)]),
    ['connections refused for a while', String(refusals)],
  ],
});

const soak = async (folder: string): Promise<Section[]> => {
  const provider = await startProgram('../soak/provider.ts', [plan.units]);
  const command = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${provider.url}${path}`)).json()) as T;
  const { variables, secrets } = await command<{ variables: Record<string, string>; secrets: string[] }>(
    '/provider',
  );
  const log = join(folder, 'application.log');
  const application = await startApplication(variables.TRACKING_BASE_URL!, {
    variables: { ...variables, ...VARIABLES },
    imports: [fileURLToPath(new URL('print-rejections.mjs', import.meta.url))],
    log,
  });
  const viewers = startViewers(application, plan.viewers, secrets);
  try {
    await command('/misbehave');
    await watchMemory(application, plan.warmUpMs);
    const memory = await watchMemory(application, plan.faultyMs - plan.warmUpMs);
    await command('/heal');
    await command('/freeze');
    const { tookMs, right, unknownUnits, example } = await untilRight(viewers, () =>
      command<Truth[]>('/truth'),
    );
    const report = await command<Report>('/report');
    const hasEnded = application.hasEnded();
    await viewers.stop();

    const samples = Math.max(1, Math.floor(plan.sampleMs / SAMPLE_EVERY_MS));
    const [early, late] = [median(memory.slice(0, samples)), median(memory.slice(-samples))];
    const logText = readFileSync(log, 'utf8');
    const unserved = FAULT_NAMES.filter((fault) => !report.asked[fault]);
    const flat = atMost('memory at the end, by that after the warm-up', late / early, 1.1, 'times', 2);
    return [
      toSection(
        `${plan.units.toLocaleString('en-US')} units, ${plan.viewers} browsers, ${(plan.faultyMs / 60_000).toFixed(1)} min of faults`,
        [
          {
            what: 'units whose last place and time are the truth, in every browser',
            measured: `${right} of ${plan.units}`,
            target: `${plan.units}`,
            isMet: right === plan.units,
          },
          none('units of no known truck', unknownUnits),
          atMost('until all is right once the provider is', tookMs / 1000, RECOVERS_WITHIN_MS / 1000, 's'),
          none('the process ended', hasEnded ? 1 : 0),
          none(
            'unhandled rejections, and threads that ended',
            logText.split('\n').filter((line) => BROKEN.test(line)).length,
          ),
          { what: 'polls by browsers', measured: String(viewers.polls()), target: '', isMet: null },
          none('… that our server did not answer', viewers.failures.length),
          none('secrets in what browsers received', viewers.leaks.length),
          none('… in the log', secrets.filter((secret) => logText.includes(secret)).length),
          none('requests to the host that redirects name', report.elsewhere),
          isSmoke ? { ...flat, target: '', isMet: null } : flat,
          {
            what: 'memory',
            measured: `${early.toFixed(0)} MB, then ${late.toFixed(0)} MB`,
            target: '',
            isMet: null,
          },
          {
            what: 'faults that came',
            measured: `${FAULT_NAMES.length - unserved.length} of ${FAULT_NAMES.length} kinds`,
            target: isSmoke ? '' : 'all of them',
            isMet: isSmoke ? null : unserved.length === 0,
          },
        ],
        [
          `Kinds of problem that the screens showed: ${[...viewers.problems].sort().join(', ')}.`,
          ...(example === null ? [] : [`A difference: ${example}.`]),
        ],
      ),
      toFaultSection(report),
    ];
  } finally {
    await viewers.stop();
    for (const running of [application, provider]) await running.stop();
  }
};

const folder = mkdtempSync(join(tmpdir(), 'linehaul-soak-'));
try {
  const sections = await soak(folder);
  const about =
    `One process of the production build that polls a provider every ${POLL_MS / 1000} s, on one machine with it and the browsers. ` +
    'The provider’s units move; each answer is good or one of its faults, in an order of chance that its seed decides.';
  publishReport('soak', toMarkdown('Soak', about, sections, Date.now()), { isKept: !isSmoke });
  if (sections.some(({ rows }) => rows.some((cells) => cells.at(-1) === '**missed**'))) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
