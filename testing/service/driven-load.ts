import type { Pool } from 'pg';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { loadInputSchema, type LoadInput } from '@/lib/loads/schema';
import type { Store } from '@/service/store/store';
import type { TestDatabase } from '@/testing/database';
import { OWN_CARRIER, toFix, toVin } from './vehicles';

const KM_PER_DEGREE = 111.195;
const BEGIN = { lat: 35, lng: -101 };
const northOf = (km: number) => ({ lat: BEGIN.lat + km / KM_PER_DEGREE, lng: BEGIN.lng });

/** When the truck that has the load stands half way, when the other one takes it on, and the end of the appointment, min. */
export const STANDS_MIN = 80;
export const SWAP_MIN = 143;
export const UNTIL_MIN = 205;
export const LAST_MIN = 240;
const SWAP_KM = 60;
const END_KM = 160;

/** How far north the first truck is, and the second, km. */
const SCRIPTS: readonly ((min: number) => number)[] = [
  (min) => (min < 10 ? (min - 10) * 1.2 : min < 30 ? 0 : Math.min(SWAP_KM, (min - 30) * 1.2)),
  (min) => {
    if (min < SWAP_MIN) return SWAP_KM;
    const km = SWAP_KM + (min - SWAP_MIN) * 2.1;
    const standsMin = 20;
    const thereMin = SWAP_MIN + (END_KM - SWAP_KM) / 2.1;
    return min < thereMin + standsMin ? Math.min(END_KM, km) : END_KM + (min - thereMin - standsMin) * 1.2;
  },
];

/** Where the first truck, and the second, are at a minute. */
export const findTrucks = (min: number) => SCRIPTS.map((script) => northOf(script(min)));

/** Where the load comes from and goes to. */
export const [FROM, TO] = [northOf(0), northOf(END_KM)] as const;

/** The states and verdicts of the load, one after another. */
export const VERDICTS = [
  ...['toPickup onTime', 'atPickup onTime', 'toDelivery atRisk', 'toDelivery late'],
  ...['toDelivery atRisk', 'toDelivery onTime', 'atDelivery onTime', 'delivered none'],
] as const;

/** The fixes of both trucks come in by ingest. */
export const reportTrucks = async (store: Store, startMs: number, min: number): Promise<void> => {
  const fixes = findTrucks(min).map((at, i) => toFix(i + 1, startMs + min * MINUTE_MS, at));
  await store.fixes.record(OWN_CARRIER.usdot, fixes);
};

/** A load from the first place to the last, of one of the trucks. */
export const toDrivenLoad = (startMs: number, truck: 1 | 2): LoadInput =>
  loadInputSchema.parse({
    ...{ reference: '8841', customer: 'Peachtree', unit: toVin(truck) },
    stops: [
      {
        ...{ kind: 'pickup', siteId: null, place: { name: 'Yard', ...FROM } },
        appointment: { fromMs: startMs, toMs: startMs + HOUR_MS },
      },
      {
        ...{ kind: 'delivery', siteId: null, place: { name: 'Peachtree Paper', ...TO } },
        appointment: { fromMs: startMs + HOUR_MS, toMs: startMs + UNTIL_MIN * MINUTE_MS },
      },
    ],
  });

/** A rule of the own fleet without a cool-down. */
export const insertLoadRule = async (
  pool: Pick<Pool, 'query'>,
  condition: { kind: string; forMin?: number },
): Promise<void> => {
  await pool.query(
    `insert into linehaul.alert_rules
       (usdot, name, condition, units, severity, cool_down_min, is_enabled, made_by, created_at, updated_at)
     values ($1, $2, $3, '{"type":"all"}', 'critical', 0, true, 'ann', now(), now())`,
    [OWN_CARRIER.usdot, condition.kind, condition],
  );
};

/** The messages to webhooks about alerts: truck, rule and event of each. */
export const listMessages = async ({ database }: { database: TestDatabase }): Promise<string[]> =>
  (
    await database.query(
      `select right(a.unit, 1) || ' ' || a.rule_name || ' ' || d.event as message
       from linehaul.alert_deliveries d join linehaul.alerts a on a.id = d.alert_id
       where d.channel = 'webhook' order by 1`,
    )
  ).map(({ message }) => String(message));
