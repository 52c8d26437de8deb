import { afterEach, expect, it } from 'vitest';
import { FleetReports } from '@/lib/reports/server/fleet-reports';
import { QueryLimit } from '@/lib/past/server/query-limit';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import { insertSite, setUpAlerts } from '@/testing/alerts/alerts';
import { clockOf } from '@/testing/clock';
import { setUpRecording } from '@/testing/history/recording';
import { identityOf, unitAt } from '@/testing/live/tracked-units';
import { MINUTE_MS, START_MS, fixAt } from '@/testing/motion/fixes';
import type { RuleContext } from './rules';
import { rulePreviewAnswer } from '../answers';
import type { AlertRuleInput } from '@/lib/rules/alert-rule';
import { previewRule } from './rule-preview';
import { DAY_MS } from '@/lib/base/time';

const USDOT = '9000001';
const MINUTES = 90;
const NOW_MS = START_MS + DAY_MS;
const YARD_M = 40_000;

const alerts = setUpAlerts();
const held = setUpRecording();
let reports: FleetReports | undefined;
afterEach(() => {
  reports?.close();
  reports = undefined;
});

/** Yesterday: one truck drives 1 km a minute to the yard, stays there for half an hour, and drives on; another turns back 600 m before it. */
const record = async (): Promise<void> => {
  // Days before were watched, but of what units did nothing is recorded.
  const [fromMs, toMs] = [START_MS - 3 * DAY_MS, START_MS - 2 * DAY_MS];
  const before = [{ fromMs, toMs, state: 'answered' as const, problem: null }];
  await held.write({ usdot: USDOT, seenMs: toMs, changes: null, coverage: before });
  const tracker = new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, USDOT);
  const farM = YARD_M - 600;
  for (let minute = 0; minute < MINUTES; minute++) {
    const seenMs = START_MS + minute * MINUTE_MS;
    const arriving = minute < 40 ? minute : minute < 70 ? 40 : minute - 30;
    const turning = minute < 40 ? Math.min(farM, minute * 1000) : farM - (minute - 40) * 1000;
    const units = [
      unitAt('ARRIVES', minute, arriving * 1000, { identity: identityOf('ARRIVES', { truckNumber: '116' }) }),
      unitAt('NEAR', minute, turning),
    ];
    tracker.observe(units, new Set(), seenMs);
    const coverage = [{ fromMs: START_MS, toMs: seenMs, state: 'answered' as const, problem: null }];
    await held.write({ usdot: USDOT, seenMs, changes: tracker.takeChanges(tracker.copyRows()), coverage });
  }
};

const toRule = (condition: AlertRuleInput['condition']): AlertRuleInput => ({
  name: 'Arrivals',
  condition,
  units: { type: 'all' },
  schedule: null,
  severity: 'info',
  coolDownMin: 0,
  isEnabled: false,
  isOwn: false,
});

const preview = async (
  context: RuleContext,
  condition: AlertRuleInput['condition'],
  nowMs: number = NOW_MS,
) => {
  const clock = clockOf(() => nowMs);
  const log = { warn: () => undefined };
  const { reader, folder, scratch } = held;
  reports ??= new FleetReports({ reader, folder, scratch, clock, log });
  const history = { reader: held.reader, reports, limit: new QueryLimit(clock) };
  const signal = new AbortController().signal;
  return rulePreviewAnswer.parse(
    await previewRule({ ...context, clock, history }, USDOT, toRule(condition), signal),
  );
};

it("shows a truck's arrival of yesterday and not its near miss, from PostgreSQL and from the archive", async () => {
  const ann = await alerts.addUser('ann', 'manager', null);
  const siteId = await insertSite(alerts, USDOT, 'Yard Dallas', fixAt(0, YARD_M));
  await record();
  const recent = await preview(alerts.by(ann), { kind: 'arrives', siteIds: [siteId] });
  expect(recent).toMatchObject({
    ...{ count: 1, fromMs: START_MS, toMs: NOW_MS, recordedMs: (MINUTES - 1) * MINUTE_MS },
    first: [{ unit: 'ARRIVES', facts: { unitName: '116', siteName: 'Yard Dallas' } }],
  });
  const { openedMs, closedMs } = recent.first[0]!;
  expect((openedMs - START_MS) / MINUTE_MS).toBeCloseTo(41, -1);
  expect((closedMs! - START_MS) / MINUTE_MS).toBeCloseTo(73, -1);

  // A week later the last 7 days have nothing of it.
  const later = await preview(alerts.by(ann), { kind: 'arrives', siteIds: [siteId] }, NOW_MS + 7 * DAY_MS);
  expect(later).toMatchObject({ count: 0, fromMs: NOW_MS + 7 * DAY_MS });

  expect(await held.archive(NOW_MS + DAY_MS)).toEqual([]);
  expect(await preview(alerts.by(ann), { kind: 'arrives', siteIds: [siteId] })).toEqual(recent);
  const [removed, off] = [{ kind: 'arrives' as const, siteIds: [siteId + 1] }, alerts.by(ann)];
  await expect(preview(off, removed)).rejects.toMatchObject({ code: 'bad-input' });
  await expect(previewRule(off, USDOT, toRule(removed), new AbortController().signal)).rejects.toMatchObject({
    code: 'recording-off',
  });
});
