import 'server-only';
import type { Pool, PoolClient } from 'pg';
import type { LoadChange, LoadWindow, WatchedLoad } from '@/lib/rules/load-watch';
import { addCustomerMails, type CustomerOutbox } from './customer-mail-writer';
import type { Renamed } from '@/lib/rules/poll-step';

/** A load that was removed, got other stops or was ended by hand meanwhile is left as it is. */
const WRITE_STATES = `
  INSERT INTO linehaul.load_states (load_id, seen_ms, state, next, verdict, "window", no_window, shown)
  SELECT l.id, $3, n.state, n.next, n.verdict, n."window", n."noWindow", n.shown
  FROM jsonb_to_recordset($2::jsonb) AS n ("loadId" int8, revision int4, state text, next int2, verdict text, "window" jsonb,
    "noWindow" text, shown jsonb)
  JOIN linehaul.loads l ON l.id = n."loadId" AND l.usdot = $1 AND l.ended_by IS NULL AND l.revision = n.revision
  ON CONFLICT (load_id) DO UPDATE SET seen_ms = EXCLUDED.seen_ms, state = EXCLUDED.state, next = EXCLUDED.next,
    verdict = EXCLUDED.verdict, "window" = EXCLUDED."window", no_window = EXCLUDED.no_window, shown = EXCLUDED.shown`;

const END_LOADS = `
  UPDATE linehaul.loads l SET ended_ms = n."endedMs"
  FROM jsonb_to_recordset($2::jsonb) AS n ("loadId" int8, revision int4, "endedMs" int8)
  WHERE l.id = n."loadId" AND l.usdot = $1 AND l.revision = n.revision AND l.ended_by IS NULL AND n."endedMs" IS NOT NULL`;

/** What is known already is not written twice. */
const ADD_EVENTS = `
  INSERT INTO linehaul.load_events (load_id, at_ms, kind, position, unit, seen_ms)
  SELECT l.id, e."atMs", e.kind, e.position, e.unit, $3
  FROM jsonb_to_recordset($2::jsonb) AS e ("loadId" int8, revision int4, "atMs" int8, kind text, position int2, unit text)
  JOIN linehaul.loads l ON l.id = e."loadId" AND l.usdot = $1 AND l.revision = e.revision
  ON CONFLICT DO NOTHING`;

const ADD_GRADES = `
  INSERT INTO linehaul.arrival_grades (load_id, position, lead_ms, usdot, unit, shown_ms, fix_ms, from_ms, to_ms, by,
    is_standing, stops, expected_ms, dist_m, arrived_ms)
  SELECT l.id, g.position, g."leadMs", $1, g.unit, g."shownMs", g."fixAtMs", g."fromMs", g."toMs", g.by, g."isStanding",
    g.stops, round(g."expectedMs"), g."distM", g."arrivedMs"
  FROM jsonb_to_recordset($2::jsonb) AS g ("loadId" int8, revision int4, position int2, "leadMs" int8, unit text, "shownMs" int8,
    "fixAtMs" int8, "fromMs" int8, "toMs" int8, by text, "isStanding" bool, stops float8, "expectedMs" float8,
    "distM" float8, "arrivedMs" int8)
  JOIN linehaul.loads l ON l.id = g."loadId" AND l.usdot = $1 AND l.revision = g.revision
  ON CONFLICT DO NOTHING`;

/**
 * Stores what a poll found of loads, in a transaction of the recording; a repeat changes nothing. `outbox` null: customers get
 * no mails.
 */
export const writeLoads = async (
  client: PoolClient,
  usdot: string,
  {
    changes,
    seenMs,
    outbox,
  }: { changes: readonly LoadChange[]; seenMs: number; outbox: CustomerOutbox | null },
): Promise<void> => {
  // Of a load that changed twice since the last write, the newest is how it is.
  const newest = [...new Map(changes.map((change) => [change.loadId, change])).values()];
  const run = async (text: string, rows: readonly object[], ...more: number[]): Promise<void> => {
    if (rows.length > 0) await client.query(text, [usdot, JSON.stringify(rows), ...more]);
  };
  const states = newest.map(({ events: _events, grades: _grades, ...state }) => state);
  await run(WRITE_STATES, states, seenMs);
  await run(
    END_LOADS,
    states.filter(({ endedMs }) => endedMs !== null),
  );
  await run(
    ADD_EVENTS,
    changes.flatMap(({ loadId, revision, events }) =>
      events.map((event) => ({ loadId, revision, ...event })),
    ),
    seenMs,
  );
  await run(
    ADD_GRADES,
    changes.flatMap(({ loadId, revision, grades }) =>
      grades.map((grade) => ({ loadId, revision, ...grade })),
    ),
  );
  if (outbox) await addCustomerMails(client, usdot, { changes, seenMs, outbox });
};

/** A truck that has another key now keeps its loads. */
export const renameLoads = async (client: PoolClient, usdot: string, [from, to]: Renamed): Promise<void> => {
  await client.query(
    `UPDATE linehaul.load_trucks t SET unit = $3 FROM linehaul.loads l
     WHERE l.id = t.load_id AND l.usdot = $1 AND l.ended_ms IS NULL AND t.unit = $2`,
    [usdot, from, to],
  );
};

/**
 * `v.visits` of a load `l`: of its trucks to its stops, from a day before it was made until it ended. Feeds and pages judge a
 * load by the same visits. $1: the USDOT number.
 */
export const VISITS_OF_LOAD = `LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('siteId', v.site_id, 'unit', v.unit, 'arrivedAfterMs', v.arrived_after_ms,
      'arrivedMs', v.arrived_ms, 'leftMs', v.left_ms, 'leftByMs', v.left_by_ms, 'sure', v.sure) ORDER BY v.arrived_ms) AS visits
    FROM linehaul.site_visits v
    WHERE v.usdot = $1 AND v.site_id IN (SELECT s.site_id FROM linehaul.load_stops s WHERE s.load_id = l.id)
      AND v.unit IN (SELECT t.unit FROM linehaul.load_trucks t WHERE t.load_id = l.id)
      AND (v.left_ms IS NULL OR v.left_ms > extract(epoch FROM l.created_at) * 1000 - 86400000)
      AND (l.ended_ms IS NULL OR v.arrived_ms <= l.ended_ms)
  ) v ON true`;

/** The most specific terms of detention `d` of a stop `s` of a load `l`; nulls: there are none. */
export const TERMS_OF_STOP = `LEFT JOIN LATERAL (
    SELECT d.free_min, d.counted_from FROM linehaul.detention_terms d
    WHERE d.usdot = l.usdot AND (d."of" = 'fleet' OR d.load_id = l.id OR d.site_id = s.site_id
      OR d."of" = 'customer' AND lower(d.customer) = lower(btrim(l.customer)))
    ORDER BY array_position(ARRAY['load', 'site', 'customer', 'fleet'], d."of") LIMIT 1
  ) d ON true`;

/** The free time of a stop `s` by its own minutes, else by those of its terms `d`, as JSON; null: none. */
export const FREE_OF_STOP = `CASE WHEN coalesce(s.free_min, d.free_min) IS NOT NULL THEN json_build_object(
    'freeMin', coalesce(s.free_min, d.free_min), 'countedFrom', coalesce(d.counted_from, 'appointment')) END`;

const READ_WATCHED = `
  SELECT l.id::float8 AS id, l.revision, l.reference, l.customer, s.stops, s.places, s.texts, coalesce(t.trucks, '[]') AS trucks, coalesce(v.visits, '[]') AS visits,
    coalesce(k.shown, '[]') AS shown, c.wrong_ms::float8 AS "wrongCheckMs", NULL AS "endedMs",
    CASE WHEN k.load_id IS NULL THEN NULL
      ELSE json_build_object('state', k.state, 'next', k.next, 'verdict', k.verdict) END AS known
  FROM linehaul.loads l
  JOIN LATERAL (
    SELECT json_agg(json_build_object('siteId', s.site_id, 'kind', s.kind, 'appointment',
        CASE WHEN s.appointment_to_ms IS NULL THEN NULL
          ELSE json_build_object('fromMs', s.appointment_from_ms, 'toMs', s.appointment_to_ms) END) ORDER BY s.position) AS stops,
      json_agg(json_build_object('lat', s.lat, 'lng', s.lng) ORDER BY s.position) AS places,
      json_agg(json_build_object('name', s.name, 'free', ${FREE_OF_STOP}) ORDER BY s.position) AS texts
    FROM linehaul.load_stops s ${TERMS_OF_STOP} WHERE s.load_id = l.id
  ) s ON s.stops IS NOT NULL
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('unit', t.unit, 'fromMs', t.from_ms, 'toMs', t.to_ms) ORDER BY t.from_ms) AS trucks
    FROM linehaul.load_trucks t WHERE t.load_id = l.id
  ) t ON true
  ${VISITS_OF_LOAD}
  LEFT JOIN linehaul.load_states k ON k.load_id = l.id
  LEFT JOIN linehaul.pickup_codes c ON c.load_id = l.id
  WHERE l.usdot = $1 AND l.ended_ms IS NULL ORDER BY l.id`;

/** The loads of a fleet that are under way, with the recorded visits of their trucks. */
export const readWatchedLoads = async (pool: Pick<Pool, 'query'>, usdot: string): Promise<WatchedLoad[]> =>
  (await pool.query<WatchedLoad & { shown: LoadWindow[] }>(READ_WATCHED, [usdot])).rows;
