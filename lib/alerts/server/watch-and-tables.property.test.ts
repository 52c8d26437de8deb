import fc from 'fast-check';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { HistoryRepository } from '@/lib/recording/history-repository';
import { FleetWatch, type Watched } from '@/lib/rules/fleet-watch';
import type { AlertCondition, AlertRuleInput } from '@/lib/rules/alert-rule';
import type { StartParts } from '@/lib/feeds/feed/feed';
import { changeSite } from '@/lib/sites/server/sites';
import type { LatLng } from '@/lib/geo/units';
import type { Viewer } from '@/lib/base/viewer';
import { insertSite, setUpAlerts } from '@/testing/alerts/alerts';
import { clockOf } from '@/testing/clock';
import { openPool } from '@/testing/history/recording';
import { IS_LONG } from '@/testing/long';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { fixedAt, siteOf } from '@/testing/sites/watched-units';
import { createTestFleet } from '@/testing/view/fleet';
import { changeAlerts } from './alerts';
import { FleetWatches } from './fleet-watches';
import { addRule, changeRule } from './rules';

const USDOT = '9000001';
const UNITS = ['A', 'B'];
const MINUTES = 50;
/** A case is judged to be over, or an arrival to be one, within so many polls. */
const SETTLED = 8;
const CONDITIONS: AlertCondition[] = [
  { kind: 'flagged', flags: ['wrongCarrier'] },
  { kind: 'flagged', flags: ['wrongCarrier', 'duplicateVin'] },
];
const RULE: AlertRuleInput = {
  ...{ name: 'Flagged', condition: CONDITIONS[0]!, units: { type: 'all' }, schedule: null },
  ...{ severity: 'warning', coolDownMin: 0, isEnabled: true, isOwn: false },
};
const held = setUpAlerts();
let ann: Viewer;
beforeAll(async () => {
  ann = await held.addUser('ann', 'manager', null);
});
beforeEach(() => held.clear());

type Act = 'restart' | 'save' | 'new only' | 'other condition' | 'close' | 'move site' | 'away' | 'back';
const ACTS: Act[] = ['restart', 'save', 'new only', 'other condition', 'close', 'move site', 'away', 'back'];

/** The server that watches a fleet: what it finds is written once the database is there. */
class Server {
  #watch: FleetWatch | null = null;
  #pending: (Watched & { seenMs: number })[] = [];
  #isRefused = false;
  isAway = false;
  readonly #pool = openPool(held.database.databaseUrl);
  readonly #history = new HistoryRepository(this.#pool);
  readonly #watches = new FleetWatches({
    open: () => held.app.database.open(),
    recording: {
      settle: async () => {
        if (this.isAway) throw new Error('The database is away.');
        await this.#write();
      },
      readLastMinutes: async () => null,
    },
    reload: () => undefined,
    clock: clockOf(
      () => held.nowMs,
      () => () => undefined,
    ),
    log: { warn: () => undefined },
  });

  restart(): void {
    this.#watch = null;
  }

  get isWatching(): boolean {
    return this.#watch !== null && !this.isAway;
  }

  async #reload(parts: StartParts): Promise<void> {
    const start = await this.#watches.read(USDOT, parts);
    if (start === null) return;
    (this.#watch ??= new FleetWatch()).start(start);
    [held.reloaded.length, this.#isRefused] = [0, false];
  }

  async poll(min: number, flagged: readonly boolean[], isAtSite: boolean): Promise<void> {
    if (this.#watch === null) await this.#reload('all');
    else if (held.reloaded.length > 0 || this.#isRefused) await this.#reload('watch-again');
    const rows = createTestFleet(
      UNITS.map((key, i) =>
        fixedAt(key, {
          ...{ min, northM: isAtSite ? 10_000 : 30_000 + min },
          flags: flagged[i] ? ['wrongCarrier'] : [],
        }),
      ),
    );
    const found = this.#watch?.observe(rows, { seenMs: held.nowMs, failure: null });
    if (found) this.#pending.push({ ...found, seenMs: held.nowMs });
    if (!this.isAway) await this.#write();
  }

  async #write(): Promise<void> {
    for (const { seenMs, ...found } of this.#pending.splice(0)) {
      const entry = { usdot: USDOT, seenMs, changes: null, coverage: [], statusCounts: null, ...found };
      if (!(await this.#history.write(entry))) this.#isRefused = true;
    }
  }

  close = (): Promise<void> => this.#pool.end();
}

const act = async (what: Act, server: Server, ids: { ruleId: number; siteId: number }): Promise<void> => {
  const context = held.by(ann);
  const save = (change: Parameters<typeof changeRule>[3]) =>
    changeRule(context, USDOT, String(ids.ruleId), change);
  if (what === 'restart') server.restart();
  if (what === 'away' || what === 'back') server.isAway = what === 'away';
  if (what === 'save') await save({ ...RULE, isNewOnly: false });
  if (what === 'new only') await save({ isNewOnly: true });
  if (what === 'other condition') await save({ condition: CONDITIONS[1]! });
  if (what === 'move site')
    await changeSite({ ...context, history: null }, USDOT, ids.siteId, { marginM: 50 + (held.nowMs % 90) });
  if (what !== 'close') return;
  const open = await held.database.query('select id::int from linehaul.alerts where closed_ms is null');
  const alertIds = open.map(({ id }) => id as number);
  const close = { alertIds, isAcknowledged: false, isClosed: true, note: '' };
  if (alertIds.length > 0) await changeAlerts({ ...context, messages: null }, USDOT, close);
};

/** How often a unit has an open alert or a case that opens none, is at the site, and when its last alert opened. */
const readTables = async (unit: string) => {
  const [row] = await held.database.query(
    `select (select count(*)::int from linehaul.alerts where unit = $1 and closed_ms is null)
         + (select count(*)::int from linehaul.alert_known_cases where unit = $1) as cases,
       (select count(*)::int from linehaul.site_visits where unit = $1 and left_ms is null) as visits,
       (select max(opened_ms)::float8 from linehaul.alerts where unit = $1) as "openedMs"`,
    [unit],
  );
  return row as { cases: number; visits: number; openedMs: number | null };
};

/** Minutes on and off, by turns. */
const turnsArbitrary = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 14 })), {
    minLength: 2,
    maxLength: 4,
  })
  .map((turns) => turns.flatMap(([on, off]) => [...Array(on).fill(true), ...Array(off).fill(false)]));
const CASE = {
  flagged: fc.tuple(turnsArbitrary, turnsArbitrary),
  isAtSite: turnsArbitrary,
  acts: fc.array(fc.tuple(fc.nat(MINUTES - 1), fc.constantFrom(...ACTS)), { minLength: 4, maxLength: 20 }),
  coolDownMin: fc.constantFrom(0, 5, 15),
};

it('whatever is saved, closed, restarted or not read, each case has one alert and each stay one visit, which end', async () => {
  const property = fc.asyncProperty(fc.record(CASE), async ({ flagged, isAtSite, acts, coolDownMin }) => {
    await held.clear();
    await held.database.query('truncate linehaul.site_visits');
    held.nowMs = START_MS - MINUTE_MS;
    const siteId = await insertSite(held, USDOT, 'Yard', siteOf(1, 10_000).shape as LatLng);
    const { id: ruleId } = await addRule(held.by(ann), USDOT, { ...RULE, coolDownMin });
    const server = new Server();
    /** For how many polls each unit has been flagged, and the units at the site; below 0: has not been. */
    const lasted = [0, 0, 0];
    for (let min = 0; min < MINUTES + SETTLED; min++) {
      const isOver = min >= MINUTES;
      held.nowMs = START_MS + (min - 0.5) * MINUTE_MS;
      const here = acts.filter(([at]) => at === min).map(([, what]) => what);
      if (isOver) here.push('back');
      for (const what of here) await act(what, server, { ruleId, siteId });
      held.nowMs = START_MS + min * MINUTE_MS;
      const now = [...flagged, isAtSite].map((each) => !isOver && (each[min] ?? false));
      const wasWatching = server.isWatching;
      await server.poll(min, now, now[2]!);
      now.forEach((is, i) => {
        const isSame = wasWatching && is === lasted[i]! > 0;
        lasted[i] = (isSame ? lasted[i]! : 0) + (is ? 1 : -1);
      });
      if (here.includes('move site')) lasted[2] = 0;
      if (!server.isWatching) continue;
      for (const [i, unit] of UNITS.entries()) {
        const { cases, visits, openedMs } = await readTables(unit);
        const cooledForMin = (held.nowMs - (openedMs ?? -Infinity)) / MINUTE_MS - coolDownMin;
        expect(Math.max(cases, visits), `${unit} at ${min}`).toBeLessThanOrEqual(1);
        if (lasted[i]! > 2 && cooledForMin > 1) expect(cases, `case of ${unit} at ${min}`).toBe(1);
        if (lasted[i]! < -SETTLED) expect(cases, `no case of ${unit} at ${min}`).toBe(0);
        if (lasted[2]! > SETTLED) expect(visits, `visit of ${unit} at ${min}`).toBe(1);
        if (lasted[2]! < -SETTLED) expect(visits, `no visit of ${unit} at ${min}`).toBe(0);
      }
    }
    await server.close();
    for (const unit of UNITS) expect(await readTables(unit)).toMatchObject({ cases: 0, visits: 0 });
  });
  await fc.assert(property, { numRuns: IS_LONG ? 100 : 2 });
}, 600_000);
