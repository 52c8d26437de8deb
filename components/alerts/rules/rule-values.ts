import type {
  AlertCondition,
  AlertRule,
  AlertRuleInput,
  ConditionKind,
  UnitScope,
} from '@/lib/rules/alert-rule';
import { ruleText, type RuleNames } from '@/lib/alerts/text';
import type { WeeklyHours } from '@/lib/rules/site';
import type { Flag, Status } from '@/lib/motion/status';
import type { Severity } from '@/lib/rules/severity';

/** A rule in the fields of its form: those of every condition and scope, so that a choice that is taken back is still there. */
export interface RuleValues {
  name: string;
  condition: {
    kind: ConditionKind;
    /** Ids; null: any site. */
    siteIds: string[] | null;
    forMin: number;
    inMin: number;
    /** As typed. */
    speedMph: string;
    flags: Flag[];
    hours: WeeklyHours;
  };
  units: {
    type: UnitScope['type'];
    units: string[];
    statuses: Status[];
    makes: string[];
    tags: string[];
  };
  schedule: WeeklyHours | null;
  severity: Severity;
  coolDownMin: number;
  isEnabled: boolean;
  isOwn: boolean;
}

/** A name has at most this many characters. */
const MAX_NAME = 100;

const WORK_WEEK = [{ weekdays: [1, 2, 3, 4, 5], fromMin: 6 * 60, toMin: 18 * 60 }];

/** The values of a new rule: nothing is chosen that would open many alerts. */
export const toNewValues = (timeZone: string, isOwn: boolean): RuleValues => ({
  name: '',
  condition: {
    kind: 'vanishes',
    siteIds: null,
    forMin: 120,
    inMin: 30,
    speedMph: '75',
    flags: [],
    hours: { timeZone, days: WORK_WEEK },
  },
  units: { type: 'all', units: [], statuses: [], makes: [], tags: [] },
  schedule: null,
  severity: 'warning',
  coolDownMin: 30,
  isEnabled: true,
  isOwn,
});

export const toRuleValues = (rule: AlertRule, timeZone: string): RuleValues => {
  const { condition, units } = rule;
  const start = toNewValues(timeZone, rule.isOwn);
  return {
    ...rule,
    condition: {
      ...start.condition,
      ...condition,
      siteIds: 'siteIds' in condition ? (condition.siteIds?.map(String) ?? null) : null,
      speedMph: 'speedMph' in condition ? String(condition.speedMph) : start.condition.speedMph,
    },
    units: { ...start.units, ...units },
  };
};

export const CONDITION_FIELDS: Record<
  ConditionKind,
  readonly Exclude<keyof RuleValues['condition'], 'kind'>[]
> = {
  arrives: ['siteIds'],
  leaves: ['siteIds'],
  stays: ['siteIds', 'forMin'],
  entersNoGo: [],
  silent: ['forMin'],
  vanishes: [],
  late: [],
  standsOutside: ['forMin'],
  movesOutsideHours: ['hours'],
  exceeds: ['speedMph'],
  flagged: ['flags'],
  reportsAgain: [],
  feedFails: ['forMin'],
  loadWillBeLate: [],
  loadLate: [],
  loadNotMoving: ['forMin'],
  freeTimeEnds: ['inMin'],
  wrongTruck: [],
};

const toCondition = (condition: RuleValues['condition']): AlertCondition => {
  const { kind, siteIds, speedMph } = condition;
  const read = { ...condition, siteIds: siteIds?.map(Number) ?? null, speedMph: Number(speedMph) };
  return {
    kind,
    ...Object.fromEntries(CONDITION_FIELDS[kind].map((field) => [field, read[field]])),
  } as AlertCondition;
};

/** The feed is no unit, so its rules have no scope. */
const toScope = ({ condition, units }: RuleValues): UnitScope => {
  const { type } = units;
  return type === 'all' || condition.kind === 'feedFails'
    ? { type: 'all' }
    : ({ type, [type]: units[type] } as UnitScope);
};

/** The rule in the format of the request. Without a name of its own it has its sentence. */
export const toRuleInput = (values: RuleValues, names: RuleNames): AlertRuleInput => {
  const { name, schedule, severity, coolDownMin, isEnabled, isOwn } = values;
  const rule = { condition: toCondition(values.condition), units: toScope(values), schedule };
  return {
    ...rule,
    name: name.trim() || toName(rule, names),
    severity,
    coolDownMin,
    isEnabled,
    isOwn,
  };
};

/** "Any truck vanishes while moving". */
const toName = (rule: Pick<AlertRule, 'condition' | 'units' | 'schedule'>, names: RuleNames): string => {
  const sentence = isNameable(rule) ? ruleText({ ...rule, schedule: null }, names).replace(/^When /, '') : '';
  const text = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME - 1).trimEnd()}…` : text;
};

/** Whether a rule is complete enough for a sentence: no list in it is empty. */
export const isNameable = ({ condition, units }: Pick<AlertRule, 'condition' | 'units'>): boolean =>
  [...Object.values(condition), ...Object.values(units)].every(
    (value) => !Array.isArray(value) || value.length > 0,
  );

const toSuggestion = (
  label: string,
  condition: Partial<RuleValues['condition']>,
  severity: Severity = 'warning',
) => ({
  label,
  change: (values: RuleValues): RuleValues => ({
    ...values,
    severity,
    condition: { ...values.condition, ...condition },
  }),
});

/** Rules that most fleets want, to begin with. */
export const SUGGESTIONS = [
  toSuggestion('A truck vanishes while moving', { kind: 'vanishes' }, 'critical'),
  toSuggestion('A truck is silent for 2 hours', { kind: 'silent', forMin: 120 }),
  toSuggestion('A truck arrives at a site', { kind: 'arrives' }, 'info'),
  toSuggestion('A truck stays longer than 2 hours at a site', { kind: 'stays', forMin: 120 }),
  toSuggestion('A truck moves outside its hours', { kind: 'movesOutsideHours' }),
  toSuggestion('A load will be late', { kind: 'loadWillBeLate' }, 'critical'),
  toSuggestion('The feed fails for 15 minutes', { kind: 'feedFails', forMin: 15 }, 'critical'),
];
