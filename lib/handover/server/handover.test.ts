import { expect, it } from 'vitest';
import type { AlertFacts } from '@/lib/alerts/schema';
import { FleetTracker } from '@/lib/live/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/live/settings';
import { setUpRecording } from '@/testing/history/recording';
import { identityOf, unitAt } from '@/testing/live/tracked-units';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { toHandoverSections } from '../text';
import { readHandover, toHandoverStart } from './handover';

const USDOT = '9000001';
const held = setUpRecording();
const atMs = (minute: number): number => START_MS + minute * MINUTE_MS;

/** Records a fleet of which one unit leaves, one comes back, and one gets another truck number. */
const record = async (): Promise<void> => {
  const tracker = new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, USDOT);
  for (let minute = 0; minute <= 50; minute++) {
    const units = [unitAt('DRIVES', minute, minute * 1000)];
    if (minute < 20) units.push(unitAt('LEAVES', minute, minute * 900));
    if (minute < 5 || minute > 40) units.push(unitAt('RETURNS', minute, minute * 900));
    const truckNumber = minute < 30 ? '116' : '117';
    units.push(unitAt('RENAMED', minute, 0, { identity: identityOf('RENAMED', { truckNumber }) }));
    tracker.observe(units, new Set(['LEAVES']), atMs(minute));
    const coverage = [{ fromMs: atMs(0), toMs: atMs(minute), state: 'answered' as const, problem: null }];
    await held.write({
      usdot: USDOT,
      seenMs: atMs(minute),
      changes: tracker.takeChanges(tracker.copyRows()),
      coverage,
    });
  }
};

const FACTS: AlertFacts = {
  condition: { kind: 'late' },
  unitName: '7',
  fixAtMs: atMs(20),
  lat: null,
  lng: null,
  status: 'late',
  reason: 'overdue',
  speedMph: null,
  sinceMs: null,
  siteId: null,
  siteName: null,
  betweenMs: null,
  flags: [],
};

/** A visit over the begin, one within the range and one before it; alerts of all, of the reader and of another user. */
const store = async (): Promise<void> => {
  const { pool } = held;
  await pool.query(
    `INSERT INTO linehaul.sites (usdot, name, kind, color, margin_m, shape, made_by, created_at, updated_at)
     VALUES ($1, 'Yard Dallas', 'yard', '#123456', 75, '{}', 'test', now(), now())`,
    [USDOT],
  );
  const visits = [
    ['DRIVES', atMs(1), null, atMs(12), atMs(13)],
    ['RENAMED', atMs(25), atMs(15), null, null],
    ['LEAVES', atMs(2), null, atMs(4), atMs(5)],
  ];
  for (const [unit, ...times] of visits)
    await pool.query(
      `INSERT INTO linehaul.site_visits (usdot, site_id, unit, arrived_ms, arrived_after_ms, left_ms, left_by_ms)
       SELECT $1, id, $2, $3, $4, $5, $6 FROM linehaul.sites`,
      [USDOT, unit, ...times],
    );
  await pool.query(
    `INSERT INTO linehaul.users (id, name, email) VALUES ('me', 'Me', 'me@carrier.test'), ('other', 'Other', 'o@carrier.test')`,
  );
  for (const owner of [null, 'me', 'other'])
    await pool.query(
      `INSERT INTO linehaul.alerts (usdot, rule_name, owner_id, severity, unit, opened_ms, facts)
       VALUES ($1, $2, $3, 'warning', 'DRIVES', $4, $5)`,
      [USDOT, `rule of ${owner ?? 'all'}`, owner, atMs(20), JSON.stringify(FACTS)],
    );
  await pool.query(
    `INSERT INTO linehaul.unit_notes (usdot, unit, text, author, created_ms) VALUES ($1, 'DRIVES', 'brakes', 'Kim', $2)`,
    [USDOT, atMs(30)],
  );
};

it('says what changed since a moment, and of own alerts only those of the reader', async () => {
  await record();
  await store();
  const { reader, pool } = held;
  const history = { reader, reports: { readRange: async () => [] } } as never;
  const range = { fromMs: atMs(10), toMs: atMs(50) };
  const handover = await readHandover({ history, pool }, { id: 'me' }, USDOT, range);
  expect(handover.isCompared).toBe(true);
  expect(handover.silent.map(({ key }) => key)).toEqual(['LEAVES']);
  expect(handover.reporting.map(({ key }) => key)).toEqual(['RETURNS']);
  expect(handover.renamed).toMatchObject([
    { key: 'RENAMED', atMs: atMs(30), changes: [{ field: 'truckNumber', before: '116', after: '117' }] },
  ]);
  expect(handover.visits.map(({ unit, siteName }) => [unit, siteName])).toEqual([
    ['DRIVES', 'Yard Dallas'],
    ['RENAMED', 'Yard Dallas'],
  ]);
  expect(handover.alerts.map(({ ruleName }) => ruleName)).toEqual(['rule of all', 'rule of me']);
  expect(handover.notes).toMatchObject([{ key: 'DRIVES', text: 'brakes', author: 'Kim' }]);

  const minuteOf = (ms: number): string => `:${(ms - START_MS) / MINUTE_MS}`;
  const sections = toHandoverSections(
    { ...handover, visitedMs: null },
    { moment: minuteOf, place: () => 'Amarillo, TX' },
  );
  const textsOf = (title: string): string[] | undefined =>
    sections.find((section) => section.title === title)?.lines.map(({ text }) => text);
  expect(textsOf('Arrived')).toEqual(['arrived at Yard Dallas between :15 and :25']);
  expect(textsOf('Departed')).toEqual(['left Yard Dallas at :13, after 11 min']);
  expect(textsOf('Became silent')).toEqual(['vanished while moving: last fix at :19, Amarillo, TX']);
  expect(textsOf('Changed identity')).toEqual(['truck number 116 → 117 at :30']);
});

it('a moment that was not recorded cannot be compared, and what is stored is listed all the same', async () => {
  await store();
  const { reader, pool } = held;
  const history = { reader, reports: { readRange: async () => [] } } as never;
  const handover = await readHandover({ history, pool }, { id: null }, USDOT, {
    fromMs: atMs(10),
    toMs: atMs(50),
  });
  expect(handover).toMatchObject({ isCompared: false, silent: [], flagged: [] });
  expect(handover.alerts).toHaveLength(1);
});

it('begins three days ago at the earliest, and never in the future', () => {
  expect(toHandoverStart(0, atMs(0))).toBe(atMs(0) - 72 * 3_600_000);
  expect(toHandoverStart(atMs(-5), atMs(0))).toBe(atMs(-5));
  expect(() => toHandoverStart(atMs(1), atMs(0))).toThrow('not come yet');
});
