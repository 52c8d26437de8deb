/**
 * `npm run truth`: the recorded days of LINEHAUL_TRACES, and days made of them, through the whole path on a simulated
 * clock that runs more than twenty times as fast as the real one; counts what the screen shows that is not so. With
 * --smoke a small made-up day alone, and no result is kept or judged. Ends with 1 where a target is missed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STATUSES } from '@/lib/motion/status';
import { parseRecording, type ReplayFix } from '@/service/command/replay/recording';
import { startBenchPostgres } from '../ingest/database';
import {
  atLeast,
  atMost,
  publishReport,
  toMarkdown,
  toSection,
  type Figure,
  type Section,
} from '../support/report';
import { replay, type ReplayResult } from './path';
import {
  toMixedDay,
  toParked,
  toRecording,
  withDecimals,
  withEvery,
  withWander,
  type Recording,
} from './recording';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';

const isSmoke = process.argv.includes('--smoke');
const MADE_UP_DAY_MS = Date.UTC(2026, 2, 10, 14);
const LEAST_PACE = 20;

interface Plan {
  recording: Recording;
  pollMs: number;
  /** Its positions are off, so that where a vehicle was cannot be known to 50 m. */
  isOff?: true;
}

const readFixes = (file: string): ReplayFix[] => parseRecording(readFileSync(file, 'utf8')).fixes;

/** The recordings at hand, and the three kinds of days that go wrong most: seldom, rounded, wandering. */
const toRecordedPlans = (folder: string): Plan[] => {
  const plans: Plan[] = [];
  const [buses, truck] = ['austin-buses-2017-03-21.csv', 'us-truck-2016-02.csv'].map((file) =>
    join(folder, file),
  ) as [string, string];
  if (existsSync(buses)) {
    const austin = toRecording('Buses in Austin, as recorded', readFixes(buses));
    plans.push(
      { recording: austin, pollMs: 10_000 },
      {
        recording: withEvery(austin, 'The same buses, reports each ten minutes', 10 * MINUTE_MS),
        pollMs: 30_000,
      },
      { recording: withDecimals(austin, 'The same buses, two decimals', 2), pollMs: 30_000, isOff: true },
      { recording: withWander(austin, 'The same buses, off by up to 90 m', 90), pollMs: 30_000, isOff: true },
    );
  }
  if (existsSync(truck)) {
    plans.push({
      recording: toRecording('One truck through four states', readFixes(truck)),
      pollMs: MINUTE_MS,
    });
  }
  return plans;
};

const toMadeUpPlans = (): Plan[] => {
  const mixed = toMixedDay('A made-up day of six trucks', MADE_UP_DAY_MS);
  const parked = toParked('', { trucks: 50, forMs: 4 * HOUR_MS, everyMs: MINUTE_MS, fromMs: MADE_UP_DAY_MS });
  if (isSmoke) return [{ recording: mixed, pollMs: 30_000 }];
  return [
    { recording: mixed, pollMs: 10_000 },
    { recording: withWander(parked, 'Fifty parked trucks, off by up to 90 m', 90), pollMs: 30_000 },
    {
      recording: withDecimals(withWander(parked, '', 30), 'Fifty parked trucks, two decimals', 2),
      pollMs: 30_000,
    },
  ];
};

const none = (what: string, count: number): Figure => atMost(what, count, 0, 'unit-minutes', 0);
const STOOD = 'moving now, and in fact within 50 m for five minutes';
const information = (what: string, measured: string): Figure => ({ what, measured, target: '', isMet: null });
const share = (part: number, whole: number): string =>
  `${part.toLocaleString('en-US')} of ${whole.toLocaleString('en-US')}${whole === 0 ? '' : ` (${((100 * part) / whole).toFixed(1)} %)`}`;

const toReplaySection = ({ recording, pollMs, isOff }: Plan, result: ReplayResult): Section => {
  const { figures, units, reports, withoutPosition, simulatedMs, tookMs, failures } = result;
  const shown = STATUSES.map((status) => `${status} ${figures.shown[status].toLocaleString('en-US')}`);
  const flags = [...figures.flags].map(([flag, flagged]) => `${flag} ${flagged.size}`);
  const days = Math.max(1, Math.round(simulatedMs / (24 * HOUR_MS)));
  const summary = `${units} ${units === 1 ? 'unit' : 'units'}, ${reports.toLocaleString('en-US')} reports in ${(simulatedMs / HOUR_MS).toFixed(1)} h`;
  return toSection(
    recording.name,
    [
      none('moving below 3 km/h', figures.movingTooSlow),
      none('moving within 50 m in the last five minutes of fixes', figures.movingInPlace),
      none('resting on a fix older than the unit’s rhythm, without its time', figures.oldUndated),
      none('faster than 200 km/h', figures.tooFast),
      isOff
        ? information(STOOD, share(figures.movingButStood, figures.stood))
        : none(STOOD, figures.movingButStood),
      information(
        'stopped now, and in fact over a kilometer in five minutes',
        share(figures.stoppedButDrove, figures.drove),
      ),
      information('unit-minutes by status', shown.join(', ')),
      information(
        'changes of status, for each unit and hour',
        (figures.changes / units / (simulatedMs / HOUR_MS)).toFixed(2),
      ),
      information(
        `units with a flag, by kind, in ${days} ${days === 1 ? 'day' : 'days'}`,
        flags.join(', ') || 'none',
      ),
      information(
        'notices of the feed',
        failures.map((failure) => failure.split(':')[0]).join(', ') || 'none',
      ),
      information('reports without a position', String(withoutPosition)),
      atLeast('pace of the simulated clock', simulatedMs / tookMs, LEAST_PACE, 'times', 0),
    ],
    [`${summary}, a poll each ${pollMs / 1000} s.`],
  );
};

const folder = process.env.LINEHAUL_TRACES;
if (!folder && !isSmoke) console.log('LINEHAUL_TRACES names no folder of recordings: made-up days alone.\n');
const plans = [...(folder && !isSmoke ? toRecordedPlans(folder) : []), ...toMadeUpPlans()];
const postgres = await startBenchPostgres();
const sections: Section[] = [];
try {
  for (const [i, plan] of plans.entries()) {
    const databaseUrl = await postgres.createDatabase(`truth_${i}`);
    sections.push(toReplaySection(plan, await replay(plan.recording, { databaseUrl, pollMs: plan.pollMs })));
    console.error(`${plan.recording.name}: replayed.`);
  }
} finally {
  await postgres.stop();
}
const about =
  'What the screen shows, minute by minute, while recorded days are replayed: device reports over HTTP to ingest, the ' +
  'service, the provider’s HTTP contract, the tracking client, the feed, the live answer as bytes, the browser’s ' +
  'reader. One clock for all of it goes from poll to poll. A fix is older than its unit’s rhythm at twice the median ' +
  'of its last five intervals, not before two minutes and at the latest at fifteen; without a rhythm, at five.';
publishReport('truth', toMarkdown('Truth', about, sections, Date.now()), { isKept: !isSmoke });
if (!isSmoke && sections.some(({ rows }) => rows.some((cells) => cells.includes('**missed**'))))
  process.exitCode = 1;
