import { join } from 'node:path';
import pg from 'pg';
import { sendAsPage } from '@/e2e/support/session';
import type { AlertRuleInput } from '@/lib/rules/alert-rule';
import { systemClock } from '@/lib/base/clock';
import { openArchive } from '@/lib/archive/archive';
import { DEMO_SEED } from '@/service/demo/seed';
import { recordPastAt } from '@/server/service/demo-past';
import type { FaultyProvider } from '@/testing/tracking/faulty-provider';
import { startApplication, type RunningApplication } from '../server/processes';
import { plan } from './plan';

const HOURS_A_DAY = 24;

/** Records the last days of the demo's fleet, and archives them as the application would have done meanwhile. */
const preparePast = async (databaseUrl: string, dataFolder: string): Promise<void> => {
  const past = {
    units: plan.recordedUnits,
    seed: DEMO_SEED,
    hours: Math.round(plan.recordedDays * HOURS_A_DAY),
  };
  await recordPastAt(databaseUrl, past, new AbortController().signal);
  const archive = openArchive({
    open: async () => new pg.Pool({ connectionString: databaseUrl }),
    folder: join(dataFolder, 'history'),
    keptDays: 400,
    memoryMb: 512,
    clock: systemClock,
    log: { warn: (fields, message) => console.error(message, fields) },
  });
  await archive.archiver.run();
  const [problem] = archive.readProblems();
  await archive.close();
  if (problem !== undefined) throw new Error(problem.text);
};

/** The built application with a provider's fleet, and another one that has a recorded past. */
export const openFixture = ({ variables }: FaultyProvider): Promise<RunningApplication> =>
  startApplication(variables.TRACKING_BASE_URL, {
    variables: { ...variables, POLL_INTERVAL_MS: String(plan.pollMs), PRIVATE_ADDRESSES: 'allow' },
    isDurable: true,
    prepare: preparePast,
  });

/** A rule of speed for all units, without a cool-down. */
export const createRule = (speedMph: number): AlertRuleInput => ({
  name: 'Too fast',
  condition: { kind: 'exceeds', speedMph },
  units: { type: 'all' },
  schedule: null,
  severity: 'warning',
  coolDownMin: 0,
  isEnabled: true,
  isOwn: false,
});

/** What a path of a fleet answers to a POST. @throws unless it is a success */
export const post = async (
  { url, cookie }: RunningApplication,
  usdot: string,
  path: string,
  body: unknown,
): Promise<unknown> => {
  const response = await sendAsPage(url, `/api/fleets/${usdot}/${path}`, body, cookie);
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path} was answered ${response.status}: ${text}`);
  return JSON.parse(text);
};

/** How long each of some calls in a row takes, ms. */
export const timeCalls = async (count: number, call: () => Promise<unknown>): Promise<number[]> => {
  const tookMs: number[] = [];
  for (let i = 0; i < count; i++) {
    const fromMs = performance.now();
    await call();
    tookMs.push(performance.now() - fromMs);
  }
  return tookMs;
};
