import { z } from '@/lib/base/zod';
import { isVisible, personNameSchema } from '../auth/schema';
import { weeklyHoursSchema } from '../sites/schema';
import { FLAGS, REASONS, STATUSES } from '@/lib/motion/status';
import { SEVERITIES } from './preferences';
import type { AlertPreferences, Severity } from './preferences';

export type { AlertPreferences, Severity };

export const DELIVERY_CHANNELS = ['email', 'webhook', 'push'] as const;
export type DeliveryChannel = (typeof DELIVERY_CHANNELS)[number];
export const DELIVERY_STATES = ['pending', 'sent', 'failed'] as const;

/** Most rules of a fleet, and most own rules of a user in it. */
export const MAX_RULES = 200;
export const MAX_OWN_RULES = 20;
/** A rule that lists as many units as it may. */
export const MAX_RULE_BYTES = 2 * 1024 * 1024;
const MAX_LISTED = 10_000;
const MONTH_MIN = 31 * 24 * 60;

const FOR_MIN_FAULT = 'Give from one minute to 31 days.';
const forMinSchema = z.number(FOR_MIN_FAULT).int().min(1, FOR_MIN_FAULT).max(MONTH_MIN, FOR_MIN_FAULT);
const SPEED_FAULT = 'Give 10 to 120 mph.';
const CHOOSE_ONE = 'Choose at least one.';
/** Sites of a condition; null: any site of the fleet. */
const siteIdsSchema = z.array(z.number().int()).min(1, CHOOSE_ONE).max(1000).nullable();

/** When a rule fires. Conditions that last close their alert when they end; those that happen close at once. */
export const alertConditionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('arrives'), siteIds: siteIdsSchema }),
  z.strictObject({ kind: z.literal('leaves'), siteIds: siteIdsSchema }),
  z.strictObject({ kind: z.literal('stays'), siteIds: siteIdsSchema, forMin: forMinSchema }),
  /** At a site of the kind `noGo`. */
  z.strictObject({ kind: z.literal('entersNoGo') }),
  /** No fix for so long. */
  z.strictObject({ kind: z.literal('silent'), forMin: forMinSchema }),
  z.strictObject({ kind: z.literal('vanishes') }),
  z.strictObject({ kind: z.literal('late') }),
  /** Stopped for so long at no site. */
  z.strictObject({ kind: z.literal('standsOutside'), forMin: forMinSchema }),
  /** Moving outside these hours. */
  z.strictObject({ kind: z.literal('movesOutsideHours'), hours: weeklyHoursSchema }),
  /** Faster than this, derived over at least two fixes. */
  z.strictObject({
    kind: z.literal('exceeds'),
    speedMph: z.number(SPEED_FAULT).int().min(10, SPEED_FAULT).max(120, SPEED_FAULT),
  }),
  z.strictObject({ kind: z.literal('flagged'), flags: z.array(z.enum(FLAGS)).min(1, CHOOSE_ONE) }),
  /** A fix after the unit was silent. */
  z.strictObject({ kind: z.literal('reportsAgain') }),
  /** The provider gave no usable answer for so long. */
  z.strictObject({ kind: z.literal('feedFails'), forMin: forMinSchema }),
]);
export type AlertCondition = z.infer<typeof alertConditionSchema>;
export type ConditionKind = AlertCondition['kind'];

/** The units that a rule applies to. */
export const unitScopeSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('all') }),
  /** By key. */
  z.strictObject({
    type: z.literal('units'),
    units: z.array(z.string().min(1).max(140)).min(1, CHOOSE_ONE).max(MAX_LISTED),
  }),
  z.strictObject({ type: z.literal('statuses'), statuses: z.array(z.enum(STATUSES)).min(1, CHOOSE_ONE) }),
  z.strictObject({
    type: z.literal('makes'),
    makes: z.array(z.string().min(1).max(100)).min(1, CHOOSE_ONE).max(100),
  }),
  z.strictObject({
    type: z.literal('tags'),
    tags: z.array(z.string().min(1).max(40)).min(1, CHOOSE_ONE).max(100),
  }),
]);
export type UnitScope = z.infer<typeof unitScopeSchema>;

/** POST /api/fleets/:usdot/alert-rules. */
export const alertRuleInputSchema = z.strictObject({
  name: personNameSchema,
  condition: alertConditionSchema,
  units: unitScopeSchema,
  /** When it fires; null: always. */
  schedule: weeklyHoursSchema.nullable(),
  severity: z.enum(SEVERITIES),
  /** No second alert of a unit within this time after the last one was opened. */
  coolDownMin: z
    .number('Give a number of minutes.')
    .int()
    .min(0)
    .max(MONTH_MIN, 'A cool-down has at most 31 days.'),
  isEnabled: z.boolean(),
  /** Only for its maker, instead of for all who see the fleet. */
  isOwn: z.boolean(),
});
export type AlertRuleInput = z.infer<typeof alertRuleInputSchema>;

/** PATCH /api/fleets/:usdot/alert-rules/:id: what is left out stays as it is. */
export const alertRuleChangeSchema = alertRuleInputSchema.omit({ isOwn: true }).partial();
export type AlertRuleChange = z.infer<typeof alertRuleChangeSchema>;

export const alertRuleSchema = alertRuleInputSchema.extend({ id: z.number().int(), madeBy: z.string() });
export type AlertRule = z.infer<typeof alertRuleSchema>;

/** What was known when an alert was opened; null where it does not matter for its kind. */
export const alertFactsSchema = z.object({
  condition: alertConditionSchema,
  /** Name of the unit at that time. */
  unitName: z.string().nullable(),
  /** Time of the fix that showed it, Unix ms. */
  fixAtMs: z.number().nullable(),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  status: z.enum(STATUSES).nullable(),
  reason: z.enum(REASONS).nullable(),
  speedMph: z.number().nullable(),
  /** Since when it holds, Unix ms. */
  sinceMs: z.number().nullable(),
  /** The site, by the name that it had. */
  siteId: z.number().int().nullable(),
  siteName: z.string().nullable(),
  /** The unit came or went between these two, Unix ms. */
  betweenMs: z.tuple([z.number(), z.number()]).nullable(),
  flags: z.array(z.enum(FLAGS)),
});
export type AlertFacts = z.infer<typeof alertFactsSchema>;

export const alertSchema = z.object({
  id: z.number().int(),
  ruleId: z.number().int().nullable(),
  ruleName: z.string(),
  severity: z.enum(SEVERITIES),
  /** Key of the unit; empty: the feed of the fleet. */
  unit: z.string(),
  openedMs: z.number(),
  closedMs: z.number().nullable(),
  facts: alertFactsSchema,
  acknowledgedBy: z.string().nullable(),
  acknowledgedMs: z.number().nullable(),
  note: z.string().nullable(),
});
export type Alert = z.infer<typeof alertSchema>;

/** Alerts of one page of the list. */
export const ALERTS_A_PAGE = 50;
/** Unread alerts are counted up to this. */
export const MAX_UNREAD = 100;
const MAX_NOTE_CHARACTERS = 500;

/** The query of GET /api/fleets/:usdot/alerts. */
export const alertsQuerySchema = z.strictObject({
  /** The page begins after the alert with this id. */
  before: z.coerce.number().int().min(1).optional(),
  /** Those that have not closed. */
  open: z.literal('true').optional(),
});

/** POST /api/fleets/:usdot/alerts/read: the newest alert that was seen. */
export const readAlertsSchema = z.strictObject({ lastAlertId: z.number().int().min(0) });

/** POST /api/fleets/:usdot/alerts/:id/acknowledge. */
export const acknowledgeSchema = z.strictObject({
  note: z
    .string()
    .transform((note) => note.trim().replace(/\s+/g, ' '))
    .pipe(
      z
        .string()
        .max(MAX_NOTE_CHARACTERS, `A note has at most ${MAX_NOTE_CHARACTERS} characters.`)
        .refine(isVisible, 'A note has no invisible characters.'),
    ),
});

/** PUT /api/alert-preferences. */
export const alertPreferencesSchema: z.ZodType<AlertPreferences> = z.strictObject({
  email: z.enum(['off', 'each', 'digest']),
  push: z.boolean(),
  sound: z.boolean(),
  desktop: z.boolean(),
  minSeverity: z.enum(SEVERITIES),
  quietHours: weeklyHoursSchema.nullable(),
});

/** Of a fleet. */
export const MAX_WEBHOOKS = 20;
/** Of a webhook, in its log. */
export const MAX_DELIVERIES = 100;
/** Of a user. */
export const MAX_PUSH_SUBSCRIPTIONS = 20;
const MAX_URL_CHARACTERS = 2000;

const isWebUrl = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password, hash } = new URL(url);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === '';
};

/** POST /api/fleets/:usdot/webhooks. */
export const webhookInputSchema = z.strictObject({
  name: personNameSchema,
  url: z
    .string()
    .trim()
    .max(MAX_URL_CHARACTERS, `An address has at most ${MAX_URL_CHARACTERS} characters.`)
    .refine(isWebUrl, 'Enter an address like https://hooks.example.com/linehaul, without a password or a #.'),
  minSeverity: z.enum(SEVERITIES),
  isEnabled: z.boolean(),
});
export type WebhookInput = z.infer<typeof webhookInputSchema>;

/** PATCH /api/fleets/:usdot/webhooks/:id: what is left out stays as it is. */
export const webhookChangeSchema = webhookInputSchema.partial();
export type WebhookChange = z.infer<typeof webhookChangeSchema>;

/** POST /api/push-subscriptions: what a browser's PushSubscription is as JSON, without its expiration time. */
export const pushSubscriptionSchema = z.strictObject({
  endpoint: z.string().max(MAX_URL_CHARACTERS).refine(isWebUrl, 'That is no address of a push service.'),
  keys: z.strictObject({
    p256dh: z.string().regex(/^[\w-]{87}=?$/, 'That is no key of a browser.'),
    auth: z.string().regex(/^[\w-]{22}(==)?$/, 'That is no secret of a browser.'),
  }),
});
export type PushSubscriptionInput = z.infer<typeof pushSubscriptionSchema>;

/** DELETE /api/push-subscriptions. */
export const endedSubscriptionSchema = z.strictObject({ endpoint: z.string().max(MAX_URL_CHARACTERS) });
