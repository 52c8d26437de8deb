import { flag, list, nullable, number, object, pair, text } from '@/lib/wire/shape';
import type { Shape } from '@/lib/wire/shape';
import type { Alert, AlertFacts, AlertRule } from './schema';

/*
 * The answers of our own server, without zod, which every page of a fleet would load with its list of alerts. What a
 * property of few values is, is checked as text: their names are in schema.ts.
 */

const one = <T extends string>(): Shape<T> => text as unknown as Shape<T>;
const tagged = <T extends { kind: string } | { type: string }>(tag: 'kind' | 'type'): Shape<T> =>
  object({ [tag]: text }) as unknown as Shape<T>;

const factsAnswer: Shape<AlertFacts> = object({
  condition: tagged<AlertFacts['condition']>('kind'),
  unitName: nullable(text),
  fixAtMs: nullable(number),
  lat: nullable(number),
  lng: nullable(number),
  status: nullable(one<NonNullable<AlertFacts['status']>>()),
  reason: nullable(one<NonNullable<AlertFacts['reason']>>()),
  speedMph: nullable(number),
  sinceMs: nullable(number),
  siteId: nullable(number),
  siteName: nullable(text),
  betweenMs: nullable(pair(number)),
  flags: list(one<AlertFacts['flags'][number]>()),
});

export const alertAnswer: Shape<Alert> = object({
  id: number,
  ruleId: nullable(number),
  ruleName: text,
  severity: one<Alert['severity']>(),
  unit: text,
  openedMs: number,
  closedMs: nullable(number),
  facts: factsAnswer,
  acknowledgedBy: nullable(text),
  acknowledgedMs: nullable(number),
  note: nullable(text),
});

export interface AlertPage {
  /** Newest first. */
  alerts: Alert[];
  /** Whether there are older ones. */
  hasMore: boolean;
  /** Alerts since the viewer marked them as read, up to MAX_UNREAD. */
  unread: number;
  /** False where this server records no fleets, and so evaluates no rules. */
  isRecorded: boolean;
}

/** GET /api/fleets/:usdot/alerts */
export const alertPageAnswer: Shape<AlertPage> = object({
  alerts: list(alertAnswer),
  hasMore: flag,
  unread: number,
  isRecorded: flag,
});

export const ruleAnswer: Shape<AlertRule> = object({
  id: number,
  name: text,
  condition: tagged<AlertRule['condition']>('kind'),
  units: tagged<AlertRule['units']>('type'),
  schedule: nullable(object({ timeZone: text })) as unknown as Shape<AlertRule['schedule']>,
  severity: one<AlertRule['severity']>(),
  coolDownMin: number,
  isEnabled: flag,
  isOwn: flag,
  madeBy: text,
});

/** GET /api/fleets/:usdot/alert-rules: those of the fleet and the viewer's own, by name. */
export const rulesAnswer = object({ rules: list(ruleAnswer) });
