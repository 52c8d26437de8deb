import { alertRuleInputSchema } from '@/lib/rules/alert-rule';
import { z, isVisible, personNameSchema } from '@/lib/base/zod';
import { weeklyHoursSchema } from '@/lib/rules/site';
import { SEVERITIES } from '@/lib/rules/severity';

export type DeliveryChannel = 'email' | 'webhook' | 'push';
export type DeliveryState = 'pending' | 'sent' | 'failed';

/** Most rules of a fleet, and most own rules of a user in it. */
export const MAX_RULES = 200;
export const MAX_OWN_RULES = 20;
/** A rule that lists as many units as it may. */
export const MAX_RULE_BYTES = 2 * 1024 * 1024;

/** PATCH /api/fleets/:usdot/alert-rules/:id: what is left out stays as it is. */
export const alertRuleChangeSchema = alertRuleInputSchema.omit({ isOwn: true }).partial();
export type AlertRuleChange = z.infer<typeof alertRuleChangeSchema>;

export const ALERTS_A_PAGE = 50;
/** Unread alerts are counted up to this. */
export const MAX_UNREAD = 100;
const MAX_NOTE_CHARACTERS = 500;
/** The notes of an alert together. */
export const MAX_NOTES_CHARACTERS = 4 * MAX_NOTE_CHARACTERS;

/** The query of GET /api/fleets/:usdot/alerts. */
export const alertsQuerySchema = z.strictObject({
  /** The page begins after the alert with this id. */
  before: z.coerce.number().int().min(1).optional(),
  /** Only alerts that have not closed. */
  open: z.literal('true').optional(),
  /** Only unacknowledged open alerts, the most severe first, in one page. */
  waiting: z.literal('true').optional(),
});

/** POST /api/fleets/:usdot/alerts/read: the newest alert that was seen. */
export const readAlertsSchema = z.strictObject({ lastAlertId: z.number().int().min(0) });

const noteSchema = z
  .string()
  .transform((note) => note.trim().replace(/\s+/g, ' '))
  .pipe(
    z
      .string()
      .max(MAX_NOTE_CHARACTERS, `A note has at most ${MAX_NOTE_CHARACTERS} characters.`)
      .refine(isVisible, 'A note has no invisible characters.'),
  );

/** POST /api/fleets/:usdot/alerts/:id/acknowledge. */
export const acknowledgeSchema = z.strictObject({ note: noteSchema });

/** Alerts that are changed together at most. */
export const MAX_CHANGED_ALERTS = 1000;

/** POST /api/fleets/:usdot/alerts/change: what is done with alerts together; a note is added to the one before. */
export const alertsChangeSchema = z.strictObject({
  alertIds: z.array(z.number().int().min(1)).min(1, 'Choose an alert.').max(MAX_CHANGED_ALERTS),
  isAcknowledged: z.boolean(),
  isClosed: z.boolean(),
  /** Alerts that the viewer acknowledged wait again. */
  isReleased: z.boolean().optional(),
  note: noteSchema,
});
export type AlertsChange = z.infer<typeof alertsChangeSchema>;

/** PUT /api/alert-preferences. */
export const alertPreferencesSchema = z.strictObject({
  email: z.enum(['off', 'each', 'digest']),
  push: z.boolean(),
  sound: z.boolean(),
  desktop: z.boolean(),
  minSeverity: z.enum(SEVERITIES),
  quietHours: weeklyHoursSchema.nullable(),
});

/** The most webhooks of a fleet. */
export const MAX_WEBHOOKS = 20;
/** The most messages in the log of a webhook. */
export const MAX_DELIVERIES = 100;
/** The most browsers of a user that get messages. */
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
  /** Messages name the people to call about a truck; left out: they do not. */
  includesContacts: z.boolean().optional(),
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
