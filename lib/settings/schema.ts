import { THRESHOLD_BOUNDS } from '@/lib/motion/settings';
import { z } from '@/lib/base/zod';
import { FLAGS, type Flag } from '@/lib/motion/status';
type ThresholdNumber = keyof typeof THRESHOLD_BOUNDS;

const BOUNDS_TEXT: Record<ThresholdNumber, string> = {
  enterMs: 'Give a time of at most 24 hours.',
  leaveMs: 'Give a time from one second to 90 days.',
  enterAnswers: 'Give a number from 1 to 20.',
  leaveAnswers: 'Give a number from 1 to 20.',
};

const numberOf = (name: ThresholdNumber) => {
  const [least, most] = THRESHOLD_BOUNDS[name];
  return z.custom<number>(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    BOUNDS_TEXT[name],
  );
};

const TIMES = { enterMs: numberOf('enterMs'), leaveMs: numberOf('leaveMs') };

/** When a flag is raised and when it is cleared. */
const thresholdSchema = z.strictObject(TIMES);
/** A change of names is an event: both of its times count from the change, so it clears only after it is raised. */
const eventThresholdSchema = thresholdSchema.refine(({ enterMs, leaveMs }) => leaveMs > enterMs, {
  path: ['leaveMs'],
  message: 'Both times count from the change: give more than until it is raised.',
});
/** Carrier answers are cached for a day, so this flag also counts answers. */
const answersThresholdSchema = z.strictObject({
  ...TIMES,
  enterAnswers: numberOf('enterAnswers'),
  leaveAnswers: numberOf('leaveAnswers'),
});
export type Threshold = z.infer<typeof thresholdSchema> & Partial<z.infer<typeof answersThresholdSchema>>;

const ofEachFlag = <T>(make: (flag: Flag) => T): Record<Flag, T> =>
  Object.fromEntries(FLAGS.map((flag) => [flag, make(flag)])) as Record<Flag, T>;

/** The complete threshold of each flag, as a manager may set it. */
export const THRESHOLD_SCHEMAS: Readonly<Record<Flag, z.ZodType<Threshold>>> = {
  ...ofEachFlag(() => thresholdSchema),
  identityChange: eventThresholdSchema,
  wrongCarrier: answersThresholdSchema,
};

/** PATCH /api/settings: the changed settings; null restores the preset. */
export const settingsChangeSchema = z
  .strictObject({
    isSecondFactorRequired: z.boolean().optional(),
    flags: z.strictObject(ofEachFlag((flag) => THRESHOLD_SCHEMAS[flag].nullable().optional())).optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'Nothing is to be changed.');
export type SettingsChange = z.infer<typeof settingsChangeSchema>;

/** The start settings that managers see, never a secret. Durations are in the unit of the name. */
export const START_SETTINGS = [
  'TRACKING_BASE_URL',
  'POLL_INTERVAL_MS',
  'CARRIER_LOOKUPS_PER_MIN',
  'TRACKING_TIMEOUT_MS',
  'ACTIVE_WINDOW_MIN',
  'FIX_RETENTION_DAYS',
  'ACCOUNTS',
  'PUBLIC_URL',
  'OIDC_ISSUER',
  'SMTP_URL',
  'MAP_TILES_URL',
  'MAP_PMTILES',
  'TRUSTED_PROXIES',
  'CLIENT_REQUESTS_PER_S',
  'METRICS_TOKEN',
  'LOG_LEVEL',
] as const;
export type StartSetting = (typeof START_SETTINGS)[number];

const startValueSchema = z.union([z.string(), z.number(), z.boolean()]).nullable();
export type StartValue = z.infer<typeof startValueSchema>;

/** Who made the last change, by e-mail address or name, and when. */
const changedSchema = z.object({ by: z.string(), atMs: z.number() }).nullable();

const shownThresholdSchema = z.object({
  enterMs: z.number(),
  leaveMs: z.number(),
  enterAnswers: z.number().optional(),
  leaveAnswers: z.number().optional(),
});

const flagSettingSchema = z.object({
  flag: z.enum(FLAGS),
  threshold: shownThresholdSchema,
  /** The value if it is not set anywhere. */
  preset: shownThresholdSchema,
  /** The environment sets it, so managers cannot change it. */
  isFixed: z.boolean(),
});
export type FlagSetting = z.infer<typeof flagSettingSchema>;

/** GET /api/settings. */
export const settingsAnswerSchema = z.object({
  nowMs: z.number(),
  /** Whether the viewer may change them: they apply to every fleet, so the viewer's scope must be all fleets. */
  mayChange: z.boolean(),
  secondFactor: z.object({ isRequired: z.boolean(), isFixed: z.boolean(), changed: changedSchema }),
  flags: z.array(flagSettingSchema),
  flagsChanged: changedSchema,
  start: z.array(z.object({ name: z.enum(START_SETTINGS), value: startValueSchema })),
});
export type SettingsAnswer = z.infer<typeof settingsAnswerSchema>;
