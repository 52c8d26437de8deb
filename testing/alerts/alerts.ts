import { afterAll, beforeAll } from 'vitest';
import type { RuleContext } from '@/lib/alerts/server/rules';
import { DEFAULT_PREFERENCES, type AlertPreferences } from '@/lib/alerts/preferences';
import type { Severity } from '@/lib/rules/severity';
import type { AlertFacts } from '@/lib/rules/alert-rule';
import type { SignIn } from '@/server/sign-in';
import type { Role, Viewer } from '@/lib/base/viewer';
import type { LatLng } from '@/lib/geo/units';
import { createTestSignIn, insertViewer } from '@/testing/auth/sign-in';
import { clockOf } from '@/testing/clock';
import { createTestDatabase, type TestDatabase } from '@/testing/database';

export interface HeldAlerts {
  database: TestDatabase;
  app: SignIn;
  /** The time of the clock. */
  nowMs: number;
  /** The fleets whose evaluation was reloaded, in their order. */
  reloaded: string[];
  by: (viewer: Viewer) => RuleContext & { history: null };
  addUser: (name: string, role: Role, usdots: string[] | null) => Promise<Viewer>;
  /** Actor, action and details of each record since the last `clear`. */
  readAudit: () => Promise<unknown[][]>;
  /** Removes all but users and the audit log. */
  clear: () => Promise<void>;
}

/** A database of a test file, with accounts and requests of its users. */
export const setUpAlerts = (): HeldAlerts => {
  let auditFrom = 0;
  const held: HeldAlerts = {
    database: null as never,
    app: null as never,
    nowMs: Date.UTC(2026, 10, 24, 16, 0),
    reloaded: [],
    by: (viewer: Viewer) => ({
      viewer,
      client: { address: '203.0.113.7' },
      ...held.app,
      clock: clockOf(() => held.nowMs),
      history: null,
      watch: { reload: (usdot: string) => void held.reloaded.push(usdot) },
    }),
    addUser: async (name, role, usdots) => {
      const viewer: Viewer = {
        kind: 'user',
        id: name,
        name,
        email: `${name}@carrier.test`,
        role,
        usdots,
        tags: null,
      };
      await insertViewer(held.database, viewer);
      return viewer;
    },
    readAudit: async () =>
      (
        await held.database.query(
          'select actor, action, details from linehaul.audit_log where id > $1 order by id',
          [auditFrom],
        )
      ).map(({ actor, action, details }) => [actor, action, details]),
    clear: async () => {
      await held.database.query(
        `truncate linehaul.sites, linehaul.alert_rules, linehaul.alerts, linehaul.alert_reads,
          linehaul.alert_preferences, linehaul.push_subscriptions, linehaul.webhooks cascade`,
      );
      const [row] = await held.database.query(
        'select coalesce(max(id), 0)::int as id from linehaul.audit_log',
      );
      auditFrom = row!.id as number;
      held.reloaded.length = 0;
    },
  };
  beforeAll(async () => {
    held.database = await createTestDatabase();
    held.app = createTestSignIn(held.database.databaseUrl).app;
  });
  afterAll(async () => {
    await held.app.close();
    await held.database.drop();
  });
  return held;
};

/** Inserts a row so many times; returns the newest id. */
const insert = async (
  { database }: HeldAlerts,
  table: string,
  row: Record<string, unknown>,
  times = 1,
): Promise<number> => {
  const names = Object.keys(row);
  const [inserted] = await database.query(
    `with inserted as (
       insert into linehaul.${table} (${names.join()})
       select given.* from json_populate_record(null::linehaul.${table}, $1) row,
         lateral (select ${names.map((name) => `row.${name}`).join()}) given, generate_series(1, $2)
       returning id)
     select max(id)::int as id from inserted`,
    [JSON.stringify(row), times],
  );
  return inserted!.id as number;
};

export const insertSite = (
  held: HeldAlerts,
  usdot: string,
  name: string,
  at: LatLng = { lat: 32.7, lng: -96.8 },
): Promise<number> =>
  insert(held, 'sites', {
    usdot,
    name,
    kind: 'yard',
    color: '#2f7de1',
    margin_m: 75,
    shape: { type: 'circle', lat: at.lat, lng: at.lng, radiusM: 200 },
    made_by: 'ann',
    created_at: new Date(held.nowMs),
    updated_at: new Date(held.nowMs),
  });

export const insertRule = (
  held: HeldAlerts,
  { usdot, ownerId = null, times }: { usdot: string; ownerId?: string | null; times?: number },
): Promise<number> =>
  insert(
    held,
    'alert_rules',
    {
      usdot,
      owner_id: ownerId,
      name: 'Late trucks',
      condition: { kind: 'late' },
      units: { type: 'all' },
      severity: 'warning',
      cool_down_min: 0,
      is_enabled: true,
      made_by: 'ann',
      created_at: new Date(held.nowMs),
      updated_at: new Date(held.nowMs),
    },
    times,
  );

const FACTS: AlertFacts = {
  condition: { kind: 'late' },
  unitName: '116',
  fixAtMs: Date.UTC(2026, 10, 24, 15, 40),
  lat: 32.7,
  lng: -96.8,
  status: 'late',
  reason: 'overdue',
  speedMph: null,
  sinceMs: null,
  siteId: null,
  siteName: null,
  betweenMs: null,
  flags: [],
};

interface InsertedAlert {
  usdot: string;
  ruleId?: number | null;
  ownerId?: string | null;
  unit?: string;
  severity?: string;
  closedMs?: number | null;
  facts?: Partial<AlertFacts>;
  times?: number;
}

/** An alert of a truck that was late. */
export const insertAlert = (
  held: HeldAlerts,
  {
    usdot,
    ruleId,
    ownerId,
    unit = 'VIN1',
    severity = 'warning',
    closedMs = null,
    facts,
    times,
  }: InsertedAlert,
): Promise<number> =>
  insert(
    held,
    'alerts',
    {
      usdot,
      rule_id: ruleId ?? null,
      rule_name: 'Late trucks',
      owner_id: ownerId ?? null,
      severity,
      unit,
      opened_ms: held.nowMs,
      closed_ms: closedMs,
      facts: { ...FACTS, ...facts },
    },
    times,
  );

export const setPreferences = (
  { database }: HeldAlerts,
  userId: string,
  preferences: Partial<AlertPreferences>,
): Promise<unknown> =>
  database.query(
    `insert into linehaul.alert_preferences values ($1, $2)
     on conflict (user_id) do update set preferences = excluded.preferences`,
    [userId, { ...DEFAULT_PREFERENCES, ...preferences }],
  );

interface InsertedWebhook {
  id: string;
  usdot: string;
  url?: string;
  sealedSecret?: string;
  minSeverity?: Severity;
  isEnabled?: boolean;
}

export const insertWebhook = (
  { database, nowMs }: HeldAlerts,
  { id, usdot, url = 'https://hooks.test/', sealedSecret = '', ...rest }: InsertedWebhook,
): Promise<unknown> =>
  database.query(
    `insert into linehaul.webhooks (id, usdot, name, url, sealed_secret, min_severity, is_enabled, made_by, created_at)
     values ($1, $2, $1, $3, $4, $5, $6, 'ann', $7)`,
    [id, usdot, url, sealedSecret, rest.minSeverity ?? 'info', rest.isEnabled ?? true, new Date(nowMs)],
  );

/** A browser of a user; `keys` of its own where it is to decrypt. */
export const subscribe = (
  { database, nowMs }: HeldAlerts,
  userId: string,
  id: string,
  { endpoint = `https://push.test/${id}`, keys = {} }: { endpoint?: string; keys?: object } = {},
): Promise<unknown> =>
  database.query(
    `insert into linehaul.push_subscriptions (id, user_id, endpoint, keys, user_agent, created_at)
     values ($1, $2, $3, $4, 'Phone', $5)`,
    [id, userId, endpoint, keys, new Date(nowMs)],
  );
