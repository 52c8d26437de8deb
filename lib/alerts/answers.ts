import type { RulePreview, Alert, AlertFacts, AlertRule } from '@/lib/rules/alert-rule';
import {
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  pair,
  text,
  type Shape,
  type ShapeOf,
} from '@/lib/base/shape';
import { SEVERITIES } from '@/lib/rules/severity';
import type { DeliveryState, WebhookInput } from './schema';

/*
 * The answers of our own server, without zod, which every page of a fleet would load with its list of alerts. What a
 * property of few values is, is checked as text: their names are in schema.ts.
 */

const one = <T extends string>(): Shape<T> => text as unknown as Shape<T>;
const tagged = <T extends { kind: string } | { type: string }>(tag: 'kind' | 'type'): Shape<T> =>
  object({ [tag]: text }) as unknown as Shape<T>;

const spanAnswer = object({ fromMs: number, toMs: number });
const loadAnswer: Shape<NonNullable<AlertFacts['load']>> = object({
  id: number,
  reference: text,
  customer: text,
  stop: number,
  stopName: text,
  appointment: nullable(spanAnswer),
  window: nullable(spanAnswer),
  freeEndsMs: nullable(number),
});

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
  load: optional(loadAnswer),
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
  closedBy: nullable(text),
});

/** GET /api/fleets/:usdot/alerts */
export const alertPageAnswer = object({
  /** Newest first. */
  alerts: list(alertAnswer),
  hasMore: flag,
  /** Alerts since the viewer marked them as read, up to MAX_UNREAD. */
  unread: number,
  /** Unacknowledged open alerts, by severity. */
  waiting: object({ info: number, warning: number, critical: number }),
  /** False where this server records no fleets, and so evaluates no rules. */
  isRecorded: flag,
});
export type AlertPage = ShapeOf<typeof alertPageAnswer>;

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
  newFromMs: optional(nullable(number)),
});

/** POST /api/fleets/:usdot/alerts/change: `unchanged`: those that are gone, or that others have changed so already. */
export const alertsChangeAnswer = object({ changed: number, unchanged: number });

/** GET /api/fleets/:usdot/alert-rules: those of the fleet and the viewer's own, by name. */
export const rulesAnswer = object({ rules: list(ruleAnswer) });

/** POST /api/fleets/:usdot/alert-rules/preview: what a rule would have sent. */
export const rulePreviewAnswer: Shape<RulePreview> = object({
  count: number,
  open: number,
  first: list(object({ unit: text, openedMs: number, closedMs: nullable(number), facts: factsAnswer })),
  fromMs: number,
  toMs: number,
  recordedMs: number,
});

const minute = integer(0, 24 * 60);

/** How a user hears of alerts beyond the list; checked whole, because the demo reads them from a browser's storage. */
export const preferencesAnswer = object({
  /** `digest`: one message an hour. */
  email: oneOf(['off', 'each', 'digest'] as const),
  push: flag,
  sound: flag,
  desktop: flag,
  /** Below it nothing but the list shows an alert. */
  minSeverity: oneOf(SEVERITIES),
  /** Nothing but the list shows an alert in these hours, critical ones apart; null: none. */
  quietHours: nullable(
    object({
      timeZone: text,
      days: list(object({ weekdays: list(integer(1, 7)), fromMin: minute, toMin: minute })),
    }),
  ),
});

/** GET /api/alert-preferences: how the viewer hears of alerts. */
export const alertAccountAnswer = object({
  preferences: preferencesAnswer,
  /** The address of the viewer's e-mail; null where this server sends none. */
  email: nullable(text),
  /** The key with which a browser subscribes; null where there is none. */
  pushKey: nullable(text),
  /** The viewer's browsers that get messages. */
  phones: list(object({ id: text, userAgent: text, createdAtMs: number })),
});
export type AlertAccount = ShapeOf<typeof alertAccountAnswer>;

const webhookAnswer = object({
  id: text,
  name: text,
  url: text,
  minSeverity: one<WebhookInput['minSeverity']>(),
  isEnabled: flag,
  includesContacts: flag,
  madeBy: text,
  createdAtMs: number,
  /** Its newest message; null: none so far. */
  last: nullable(object({ state: one<DeliveryState>(), lastError: nullable(text), updatedMs: number })),
});
export type Webhook = ShapeOf<typeof webhookAnswer>;

/** GET /api/fleets/:usdot/webhooks, by name. */
export const webhooksAnswer = object({ webhooks: list(webhookAnswer) });

/** The answer to an added webhook: it returns the secret only once. */
export const madeWebhookAnswer = object({ webhook: webhookAnswer, secret: text });

/** POST /api/fleets/:usdot/webhooks/:id/test: what came of one attempt. */
export const webhookTestAnswer = object({ status: nullable(number), error: nullable(text) });

/** GET /api/fleets/:usdot/webhooks/:id/deliveries, newest first. */
export const deliveriesAnswer = object({
  deliveries: list(
    object({
      id: text,
      event: one<'opened' | 'closed'>(),
      alertId: number,
      ruleName: text,
      unitName: nullable(text),
      severity: one<Alert['severity']>(),
      state: one<DeliveryState>(),
      attempts: number,
      lastError: nullable(text),
      createdMs: number,
      updatedMs: number,
    }),
  ),
});
