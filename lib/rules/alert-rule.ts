import { personNameSchema, rowIdSchema, z } from '@/lib/base/zod';
import { weeklyHoursSchema } from './site';
import { FLAGS, STATUSES, REASONS } from '@/lib/motion/status';
import { SEVERITIES } from './severity';

const MAX_LISTED = 10_000;
const MONTH_MIN = 31 * 24 * 60;

const FOR_MIN_FAULT = 'Give from one minute to 31 days.';
const forMinSchema = z.number(FOR_MIN_FAULT).int().min(1, FOR_MIN_FAULT).max(MONTH_MIN, FOR_MIN_FAULT);
const SPEED_FAULT = 'Give 10 to 120 mph.';
const CHOOSE_ONE = 'Choose at least one.';
/** Sites of a condition; null: any site of the fleet. */
const siteIdsSchema = z.array(rowIdSchema).min(1, CHOOSE_ONE).max(1000).nullable();

/** When a rule fires. Conditions that last close their alert when they end; those that happen close at once. */
const alertConditionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('arrives'), siteIds: siteIdsSchema }),
  z.strictObject({ kind: z.literal('leaves'), siteIds: siteIdsSchema }),
  z.strictObject({ kind: z.literal('stays'), siteIds: siteIdsSchema, forMin: forMinSchema }),
  /** Arrival at a site of the kind `noGo`. */
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
  /** The window of a load's next stop begins after its appointment. */
  z.strictObject({ kind: z.literal('loadWillBeLate') }),
  /** The appointment has passed, and the truck is not there. */
  z.strictObject({ kind: z.literal('loadLate') }),
  /** On the way with a load, and no nearer to its stop for so long. */
  z.strictObject({ kind: z.literal('loadNotMoving'), forMin: forMinSchema }),
  /** At a stop whose free time ends in so long. */
  z.strictObject({ kind: z.literal('freeTimeEnds'), inMin: forMinSchema }),
  /** A dock checked another truck for the pickup of its load. */
  z.strictObject({ kind: z.literal('wrongTruck') }),
]);
export type AlertCondition = z.infer<typeof alertConditionSchema>;
export type ConditionKind = AlertCondition['kind'];

/** The units that a rule applies to. */
const unitScopeSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('all') }),
  /** Units by key. */
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
  /** Cases that hold when the rule is saved open no alert until they have ended once; absent: as it was. */
  isNewOnly: z.boolean().optional(),
});
export type AlertRuleInput = z.infer<typeof alertRuleInputSchema>;

export interface AlertRule extends Omit<AlertRuleInput, 'isNewOnly'> {
  id: number;
  madeBy: string;
  /** Cases that held at this time (Unix ms) open no alert until they have ended once; null: all cases open one. */
  newFromMs?: number | null;
}

/** A rule as a feed judges it. */
export interface WatchedRule extends AlertRule {
  /** The `newFromMs` for which the cases that held are known. */
  knownFromMs?: number | null;
}

/** Conditions that can hold for many units when a rule is saved; the others happen one by one. */
const LASTING: readonly ConditionKind[] = [
  ...(['stays', 'entersNoGo', 'silent', 'vanishes', 'late'] as const),
  ...(['standsOutside', 'movesOutsideHours', 'exceeds', 'flagged'] as const),
  ...(['loadWillBeLate', 'loadLate', 'loadNotMoving', 'freeTimeEnds', 'wrongTruck'] as const),
];

/** Whether a rule can open several alerts at once. */
export const mayOpenAtOnce = ({ condition }: Pick<AlertRule, 'condition'>): boolean =>
  LASTING.includes(condition.kind);

const spanSchema = z.object({ fromMs: z.number(), toMs: z.number() });

/** The load that an alert is about, Unix ms. */
const loadFactsSchema = z.object({
  id: z.number().int(),
  reference: z.string(),
  customer: z.string(),
  /** The stop, from 0. */
  stop: z.number().int(),
  stopName: z.string(),
  appointment: spanSchema.nullable(),
  /** When its truck was expected; null: not known. */
  window: spanSchema.nullable(),
  /** When free time ends; null: its truck is not there, or none was agreed. */
  freeEndsMs: z.number().nullable(),
  /** When another truck was checked last for its pickup; absent: none was. */
  wrongCheckMs: z.number().optional(),
});
export type LoadFacts = z.infer<typeof loadFactsSchema>;

/** The facts as of when an alert was opened; null where one does not matter for its kind. */
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
  /** Absent: it is about no load. */
  load: loadFactsSchema.optional(),
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
  /** Who closed it by hand; null: it closed with its cause, or is open. */
  closedBy: z.string().nullable(),
});
export type Alert = z.infer<typeof alertSchema>;

export interface RulePreview {
  /** Alerts that were opened in [fromMs, toMs]. */
  count: number;
  /** Alerts that would be open at `toMs`. */
  open: number;
  /** The newest of them, newest first. */
  first: Pick<Alert, 'unit' | 'openedMs' | 'closedMs' | 'facts'>[];
  /** How far back the recording was looked through; toMs where there is none. */
  fromMs: number;
  toMs: number;
  /** How much of that time is recorded in such detail that a rule can be tried on it, ms. */
  recordedMs: number;
}
