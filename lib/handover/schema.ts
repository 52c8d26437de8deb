import { isVisible, timeZoneSchema, z } from '@/lib/base/zod';
import { tagSchema } from '@/lib/tags/tag';
import { alertSchema } from '@/lib/rules/alert-rule';
import { siteVisitSchema } from '@/lib/rules/site';
import { FLAGS, REASONS } from '@/lib/motion/status';

/** What can happen to a load. */
export const LOAD_CHANGES = [
  ...(['given', 'taken', 'arrived', 'pickedUp', 'delivered', 'left', 'passed', 'late', 'closed'] as const),
] as const;
export type LoadChangeKind = (typeof LOAD_CHANGES)[number];

export const MAX_HANDOVER_HOURS = 72;
/** Who drove for longer is listed. */
export const LONG_DRIVING_HOURS = 8;

const unitSchema = z.object({ key: z.string(), name: z.string() });

/** GET /api/fleets/:usdot/handover?since=: units at `fromMs` and `toMs`, and what happened in between. Unix ms. */
export const handoverSchema = z.object({
  fromMs: z.number(),
  toMs: z.number(),
  /** The end of this reader's last handover; null: there was none. */
  visitedMs: z.number().nullable(),
  /** Nothing was recorded at `fromMs`: units cannot be compared. */
  isCompared: z.boolean(),
  /** Silent now, and not at the beginning. */
  silent: z.array(
    unitSchema.extend({
      reason: z.enum(REASONS),
      fixAtMs: z.number().nullable(),
      lat: z.number().nullable(),
      lng: z.number().nullable(),
    }),
  ),
  /** Silent at the beginning, and not now. */
  reporting: z.array(unitSchema.extend({ fixAtMs: z.number().nullable() })),
  /** Flags that a unit has now and did not have at the beginning. */
  flagged: z.array(unitSchema.extend({ flags: z.array(z.enum(FLAGS)) })),
  /** Names that changed, each as it was and as it is. */
  renamed: z.array(
    unitSchema.extend({
      atMs: z.number(),
      changes: z.array(
        z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
      ),
    }),
  ),
  /** Visits that began or ended, with the names of unit and site. */
  visits: z.array(
    siteVisitSchema.extend({
      ...{ name: z.string(), siteName: z.string(), isLearnedLater: z.boolean() },
      /** How long it was away between arrival and departure, ms. */
      awayMs: z.number(),
    }),
  ),
  /** Units that drove for longer than LONG_DRIVING_HOURS; null: that takes too long to find. */
  drivers: z.array(unitSchema.extend({ movingMs: z.number(), drivenM: z.number() })).nullable(),
  alerts: z.array(alertSchema),
  /** Loads that changed, with what happened to each in the order of time. */
  loads: z.array(
    z.object({
      id: z.number(),
      reference: z.string(),
      customer: z.string(),
      /** How it is now, in words: "at risk by up to 20 min". */
      verdict: z.string(),
      isLate: z.boolean(),
      changes: z.array(unitSchema.extend({ kind: z.enum(LOAD_CHANGES), atMs: z.number(), stop: z.string() })),
    }),
  ),
  notes: z.array(
    unitSchema.extend({ id: z.number(), text: z.string(), author: z.string(), createdMs: z.number() }),
  ),
});
export type Handover = z.infer<typeof handoverSchema>;

export const REPORT_KINDS = ['activity', 'miles', 'visits', 'facilities', 'quality'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];
/** What a user can get by mail on a schedule. */
export const MAIL_KINDS = ['handover', ...REPORT_KINDS] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** The query of /api/fleets/:usdot/handover/mail. */
export const mailQuerySchema = z.strictObject({ kind: z.enum(MAIL_KINDS).default('handover') });

/** The most days of a report in a mail. */
export const MAX_REPORT_DAYS = 31;

/** PUT /api/fleets/:usdot/handover/mail: when the viewer gets a handover or a report by mail. */
export const scheduledMailSchema = z.strictObject({
  /** Minutes after midnight in the time zone. */
  atMin: z
    .number()
    .int()
    .min(0)
    .max(24 * 60 - 1),
  timeZone: timeZoneSchema,
  /** ISO weekdays, 1 is Monday. */
  weekdays: z
    .array(z.number().int().min(1).max(7))
    .min(1, 'Choose a weekday.')
    .refine((days) => new Set(days).size === days.length, 'A weekday is there twice.'),
  /** Hours that a handover reaches back from the time of day; whole days before it of a report. */
  hours: z
    .number()
    .int()
    .min(1)
    .max(MAX_REPORT_DAYS * 24),
  /** The key of the truck that a report is about; null: all. */
  unit: z.string().min(1).max(140).refine(isVisible, 'No truck has such a name.').nullable().default(null),
  /** The tag of the trucks that a report is about; null: any. */
  tag: tagSchema.nullable().default(null),
});
export type ScheduledMailInput = z.infer<typeof scheduledMailSchema>;

/** GET /api/fleets/:usdot/handover/mail. */
export const mailAnswerSchema = z.object({
  /** Null: no mail is sent. */
  mail: scheduledMailSchema.nullable(),
  /** The viewer's address; null: the server sends no e-mail. */
  email: z.string().nullable(),
});
export type MailAnswer = z.infer<typeof mailAnswerSchema>;
