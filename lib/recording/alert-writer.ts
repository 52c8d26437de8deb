import 'server-only';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool, PoolClient } from 'pg';
import type { Executor } from '@/lib/database/database';
import { toGroups } from '@/lib/base/maps';
import type { Renamed } from '@/lib/rules/poll-step';
import type { AlertChange, HeldAlert } from '@/lib/rules/engine/rule-state';

/** One change of a fleet's rules or alerts at a time: with a hash of the USDOT number. */
export const RULES_LOCK = 0x52554c45;

export interface AlertChanged {
  alertId: number;
  event: 'opened' | 'closed';
}

export interface AlertOutbox {
  /** Adds the messages about changed alerts in the transaction that changes them. */
  add: (tx: Executor, changes: readonly AlertChanged[]) => Promise<void>;
}

/** Two servers that find one alert open it within this time of each other. */
const SAME_MS = 120_000;

/** A rule that was removed or switched off meanwhile opens none, nor one that another server has opened already. */
const OPEN_ALERTS = `
  INSERT INTO linehaul.alerts (usdot, rule_id, rule_name, owner_id, severity, unit, opened_ms, facts)
  SELECT $1, r.id, r.name, r.owner_id, r.severity, n.unit, n."atMs", n.facts
  FROM jsonb_to_recordset($2::jsonb) AS n ("ruleId" int, unit text, "atMs" int8, facts jsonb)
  JOIN linehaul.alert_rules r ON r.id = n."ruleId" AND r.usdot = $1 AND r.is_enabled
  WHERE NOT EXISTS (
    SELECT FROM linehaul.alerts a WHERE a.rule_id = r.id AND a.unit = n.unit AND (
      a.opened_ms > n."atMs" - r.cool_down_min * 60000::int8 AND a.opened_ms <= n."atMs"
      OR abs(a.opened_ms - n."atMs") < ${SAME_MS} AND a.facts->'siteId' = n.facts->'siteId'))
    AND NOT EXISTS (SELECT FROM linehaul.alert_known_cases k WHERE k.rule_id = r.id AND k.unit = n.unit)
  ON CONFLICT DO NOTHING RETURNING id::float8 AS id`;

const CLOSE_ALERTS = `
  UPDATE linehaul.alerts a SET closed_ms = greatest(n."atMs", a.opened_ms)
  FROM jsonb_to_recordset($2::jsonb) AS n ("ruleId" int, unit text, "atMs" int8)
  WHERE a.usdot = $1 AND a.rule_id = n."ruleId" AND a.unit = n.unit AND a.closed_ms IS NULL
  RETURNING a.id::float8 AS id`;

/** Cases that open no alert until they have ended. */
const ADD_KNOWN = `
  INSERT INTO linehaul.alert_known_cases (rule_id, unit, known_ms, site_id, since_ms)
  SELECT r.id, n.unit, n."atMs", n."siteId", n."sinceMs"
  FROM jsonb_to_recordset($2::jsonb) AS n ("ruleId" int, unit text, "atMs" int8, "siteId" int, "sinceMs" int8)
  JOIN linehaul.alert_rules r ON r.id = n."ruleId" AND r.usdot = $1 AND r.is_enabled
  ON CONFLICT DO NOTHING`;
const END_KNOWN = `
  DELETE FROM linehaul.alert_known_cases k USING linehaul.alert_rules r,
    jsonb_to_recordset($2::jsonb) AS n ("ruleId" int, unit text)
  WHERE r.usdot = $1 AND r.id = n."ruleId" AND k.rule_id = r.id AND k.unit = n.unit`;
/** A rule that was saved again meanwhile has other cases to note. */
const NOTE_KNOWN = `
  UPDATE linehaul.alert_rules r SET known_from_ms = n."atMs"
  FROM jsonb_to_recordset($2::jsonb) AS n ("ruleId" int, "atMs" int8)
  WHERE r.usdot = $1 AND r.id = n."ruleId" AND r.new_from_ms = n."atMs"`;

/**
 * Opens and closes alerts in a transaction of the recording, with the messages about them; false where some that were to open
 * did not. A repeat changes nothing.
 */
export const writeAlerts = async (
  client: PoolClient,
  usdot: string,
  changes: readonly AlertChange[],
  outbox: AlertOutbox | null,
): Promise<boolean> => {
  const changed: AlertChanged[] = [];
  const run = async (text: string, kind: AlertChange['kind'], group: AlertChange[]) => {
    const ofKind = group.filter((each) => each.kind === kind);
    if (ofKind.length === 0) return [];
    return (await client.query<{ id: number }>(text, [usdot, JSON.stringify(ofKind)])).rows;
  };
  const write = async (text: string, event: AlertChanged['event'], group: AlertChange[]): Promise<void> => {
    changed.push(...(await run(text, event, group)).map(({ id }) => ({ alertId: id, event })));
  };
  // What another server opened and closed meanwhile is seen after its transaction, and a rule is not switched off beside it.
  await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [RULES_LOCK, usdot]);
  for (const group of toGroups(changes, ({ ruleId, unit }) => `${ruleId} ${unit}`)) {
    await write(CLOSE_ALERTS, 'closed', group);
    await run(END_KNOWN, 'closed', group);
    await write(OPEN_ALERTS, 'opened', group);
    await run(ADD_KNOWN, 'known', group);
    await run(NOTE_KNOWN, 'noted', group);
  }
  if (changed.length > 0) await outbox?.add(drizzle({ client }), changed);
  const opened = changed.filter(({ event }) => event === 'opened');
  return opened.length === changes.filter(({ kind }) => kind === 'opened').length;
};

/** The open alerts of a unit that has another key now go on under that, unless that has one of the rule. */
export const renameAlerts = async (client: PoolClient, usdot: string, [from, to]: Renamed): Promise<void> => {
  await client.query(
    `UPDATE linehaul.alerts a SET unit = $3 WHERE usdot = $1 AND unit = $2 AND closed_ms IS NULL AND NOT EXISTS (
       SELECT FROM linehaul.alerts o WHERE o.rule_id = a.rule_id AND o.unit = $3 AND o.closed_ms IS NULL)`,
    [usdot, from, to],
  );
  await client.query(
    `UPDATE linehaul.alert_known_cases k SET unit = $3 FROM linehaul.alert_rules r
     WHERE r.usdot = $1 AND k.rule_id = r.id AND k.unit = $2 AND NOT EXISTS (
       SELECT FROM linehaul.alert_known_cases o WHERE o.rule_id = k.rule_id AND o.unit = $3)`,
    [usdot, from, to],
  );
};

/**
 * The alerts of a fleet's enabled rules that were open at a moment (Unix ms) or later, or cooled down, by when they opened,
 * and after them the cases that open none.
 */
export const readHeldAlerts = async (pool: Pool, usdot: string, fromMs: number): Promise<HeldAlert[]> => {
  const { rows } = await pool.query<HeldAlert>(
    `SELECT a.rule_id AS "ruleId", a.unit, a.opened_ms::float8 AS "openedMs", a.closed_ms::float8 AS "closedMs",
       (a.facts->>'siteId')::int AS "siteId", (a.facts->>'sinceMs')::float8 AS "sinceMs",
       (a.facts#>>'{load,id}') || ':' || (a.facts#>>'{load,stop}') AS "loadKey", false AS "isKnown"
     FROM linehaul.alert_rules r JOIN linehaul.alerts a ON a.rule_id = r.id
     WHERE r.usdot = $1 AND r.is_enabled
       AND (a.closed_ms IS NULL OR a.closed_ms > $2 OR a.opened_ms > $2 - r.cool_down_min * 60000::int8)
     UNION ALL
     SELECT k.rule_id, k.unit, k.known_ms::float8, NULL, k.site_id, k.since_ms::float8, NULL, true
     FROM linehaul.alert_rules r JOIN linehaul.alert_known_cases k ON k.rule_id = r.id
     WHERE r.usdot = $1 AND r.is_enabled
     ORDER BY "isKnown", "openedMs"`,
    [usdot, fromMs],
  );
  return rows;
};
