import type { AlertFacts } from '@/lib/rules/alert-rule';
import { FleetTracker } from '@/lib/fleet/fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '@/lib/fleet/settings';
import { identityOf, unitAt } from '@/testing/live/tracked-units';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import type { setUpRecording } from './recording';

type Held = ReturnType<typeof setUpRecording>;

export const USDOT = '9000001';
const OTHER_USDOT = '9000002';
export const atMs = (minute: number): number => START_MS + minute * MINUTE_MS;

/** Records a fleet of which one unit leaves, one comes back, and one gets another truck number. */
export const recordShift = async (held: Held): Promise<void> => {
  const tracker = new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded: true }, USDOT);
  for (let minute = 0; minute <= 50; minute++) {
    const units = [unitAt('DRIVES', minute, minute * 1000)];
    if (minute < 20) units.push(unitAt('LEAVES', minute, minute * 900));
    if (minute < 5 || minute > 40) units.push(unitAt('RETURNS', minute, minute * 900));
    const truckNumber = minute < 30 ? '116' : '117';
    // Its make becomes known, which is no other identity.
    const make = minute < 35 ? null : 'Volvo';
    units.push(unitAt('RENAMED', minute, 0, { identity: identityOf('RENAMED', { truckNumber, make }) }));
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
  lat: 35.2,
  lng: -101.8,
  status: 'late',
  reason: 'overdue',
  speedMph: null,
  sinceMs: null,
  siteId: null,
  siteName: null,
  betweenMs: null,
  flags: [],
};

/**
 * A visit over the beginning, one within the range and one before it; alerts of all, one of which was taken, of the reader and of
 * another user. Another fleet has one of each within the range.
 */
export const storeShift = async ({ pool }: Held): Promise<void> => {
  await pool.query(
    `INSERT INTO linehaul.sites (usdot, name, kind, color, margin_m, shape, made_by, created_at, updated_at)
     SELECT usdot, 'Yard Dallas', 'yard', '#123456', 75, $2, 'test', now(), now() FROM unnest($1::text[]) usdot`,
    [[USDOT, OTHER_USDOT], { type: 'circle', lat: 32.78, lng: -96.8, radiusM: 300 }],
  );
  await pool.query(
    `INSERT INTO linehaul.site_visits (usdot, site_id, unit, arrived_ms) SELECT usdot, id, 'OTHER', $2 FROM linehaul.sites WHERE usdot = $1`,
    [OTHER_USDOT, atMs(25)],
  );
  await pool.query(
    `INSERT INTO linehaul.alerts (usdot, rule_name, severity, unit, opened_ms, facts) VALUES ($1, 'rule of others', 'info', 'OTHER', $2, $3)`,
    [OTHER_USDOT, atMs(25), JSON.stringify(FACTS)],
  );
  await pool.query(
    `INSERT INTO linehaul.unit_notes (usdot, unit, text, author, created_ms) VALUES ($1, 'OTHER', 'tires', 'Lee', $2)`,
    [OTHER_USDOT, atMs(25)],
  );
  await pool.query(
    `INSERT INTO linehaul.unit_identities (usdot, unit, seen_ms, identity)
     VALUES ($1, 'OTHER', $2, '{"key":"OTHER","truckNumber":"1"}'), ($1, 'OTHER', $3, '{"key":"OTHER","truckNumber":"2"}')`,
    [OTHER_USDOT, atMs(1), atMs(25)],
  );
  const visits = [
    ['DRIVES', atMs(1), null, atMs(12), atMs(13)],
    ['RENAMED', atMs(25), atMs(15), null, null],
    ['LEAVES', atMs(2), null, atMs(4), atMs(5)],
  ];
  for (const [unit, ...times] of visits)
    await pool.query(
      `INSERT INTO linehaul.site_visits (usdot, site_id, unit, arrived_ms, arrived_after_ms, left_ms, left_by_ms)
       SELECT $1, id, $2, $3, $4, $5, $6 FROM linehaul.sites WHERE usdot = $1`,
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
    `UPDATE linehaul.alerts SET acknowledged_by = 'Kim', acknowledged_ms = $1, note = 'Calls the driver' WHERE rule_name = 'rule of all'`,
    [atMs(22)],
  );
  await pool.query(
    `INSERT INTO linehaul.unit_notes (usdot, unit, text, author, created_ms) VALUES ($1, 'DRIVES', 'brakes', 'Kim', $2)`,
    [USDOT, atMs(30)],
  );
};
