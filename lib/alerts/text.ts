import { formatDuration, formatMinuteOfDay, formatWhole, joinMoments } from '../view/format';
import { FLAG_LABELS, STATUS_LABELS } from '../view/text';
import { toZoneName } from '@/lib/base/text/zone-name';
import type { WeeklyHours } from '@/lib/rules/site';
import type { Alert, AlertCondition, AlertFacts, AlertRule, UnitScope } from '@/lib/rules/alert-rule';
import { MINUTE_MS } from '@/lib/base/time';
import { CLEAR_MS } from '@/lib/rules/poll-step';
import type { Severity } from '@/lib/rules/severity';
import { formatWeekdays } from '@/lib/rules/hours';
import type { Flag } from '@/lib/motion/status';

export const SEVERITY_LABELS: Record<Severity, string> = {
  info: 'Info',
  warning: 'Warning',
  critical: 'Critical',
};

const DAY_MIN = 24 * 60;
/** Two ends of an arrival or a departure that are further apart are both given. */
const BETWEEN_MS = 5 * MINUTE_MS;
/** A sentence names this many trucks, sites or tags, and counts more. */
const MAX_NAMED = 3;

/** "Mon–Fri 6:00 AM–6:00 PM, Sat 6:00 AM–12:00 PM CT". */
export const hoursText = ({ days, timeZone }: WeeklyHours): string =>
  `${days
    .map(
      ({ weekdays, fromMin, toMin }) =>
        `${formatWeekdays(weekdays, '–', ', ')} ${formatMinuteOfDay(fromMin)}–${formatMinuteOfDay(toMin)}`,
    )
    .join(', ')} ${toZoneName(timeZone, 0, 'shortGeneric')}`;

/** "45 min", "2 h", "2 h 30 m", "3 d". */
export const minutesText = (minutes: number): string => {
  if (minutes % DAY_MIN === 0) return `${minutes / DAY_MIN} d`;
  return minutes % 60 === 0 && minutes < DAY_MIN ? `${minutes / 60} h` : formatDuration(minutes * MINUTE_MS);
};

/** "A", "A or B", "A, B or C", and "one of 12 trucks" of more. */
const anyText = (names: readonly string[], many: string): string => {
  if (names.length > MAX_NAMED) return `one of ${formatWhole(names.length)} ${many}`;
  const last = names.at(-1)!;
  return names.length === 1 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
};

/** "a moving", "an unknown". */
const withArticle = (text: string): string => `${/^[aeiou]/i.test(text) ? 'an' : 'a'} ${text}`;

/** The names of what a rule refers to by id; null: it is not known any more. */
export interface RuleNames {
  site: (id: number) => string | null;
  unit: (key: string) => string | null;
}

const quoted = (text: string): string => `“${text}”`;
const flagText = (flag: Flag): string => quoted(FLAG_LABELS[flag]);

type ToText<T> = (value: T, names: RuleNames) => string;

const SCOPES: { [K in UnitScope['type']]: ToText<Extract<UnitScope, { type: K }>> } = {
  all: () => 'any truck',
  units: ({ units }, names) => {
    const isListed = units.length <= MAX_NAMED;
    const text = anyText(isListed ? units.map((key) => names.unit(key) ?? key) : units, 'trucks');
    return isListed ? `truck ${text}` : text;
  },
  statuses: ({ statuses }) => {
    const labels = statuses.map((status) => STATUS_LABELS[status].toLowerCase());
    return `${withArticle(anyText(labels, 'statuses'))} truck`;
  },
  makes: ({ makes }) =>
    makes.length > MAX_NAMED ? `any truck of ${makes.length} makes` : withArticle(anyText(makes, 'makes')),
  tags: ({ tags }) => `any truck tagged ${anyText(tags.map(quoted), 'tags')}`,
};

const scopeText = (scope: UnitScope, names: RuleNames): string =>
  (SCOPES[scope.type] as ToText<UnitScope>)(scope, names);

const sitesText = (siteIds: readonly number[] | null, names: RuleNames): string =>
  siteIds === null
    ? 'any site'
    : anyText(
        siteIds.map((id) => names.site(id) ?? 'a removed site'),
        'sites',
      );

const CONDITIONS: { [K in AlertCondition['kind']]: ToText<Extract<AlertCondition, { kind: K }>> } = {
  arrives: ({ siteIds }, names) => `arrives at ${sitesText(siteIds, names)}`,
  leaves: ({ siteIds }, names) => `leaves ${sitesText(siteIds, names)}`,
  stays: ({ siteIds, forMin }, names) =>
    `stays at ${sitesText(siteIds, names)} longer than ${minutesText(forMin)}`,
  entersNoGo: () => 'enters a no-go area',
  silent: ({ forMin }) => `is silent for ${minutesText(forMin)}`,
  vanishes: () => 'vanishes while moving',
  late: () => 'is late',
  standsOutside: ({ forMin }) => `stands longer than ${minutesText(forMin)} outside any site`,
  movesOutsideHours: ({ hours }) => `moves outside ${hoursText(hours)}`,
  exceeds: ({ speedMph }) => `exceeds ${speedMph} mph, derived over at least two fixes`,
  flagged: ({ flags }) => `gets the flag ${anyText(flags.map(flagText), 'flags')}`,
  reportsAgain: () => 'reports again after it was silent',
  feedFails: ({ forMin }) => `fails longer than ${minutesText(forMin)}`,
  loadWillBeLate: () => 'will be late with a load',
  loadLate: () => 'is late with a load',
  loadNotMoving: ({ forMin }) => `has a load and does not move toward its stop for ${minutesText(forMin)}`,
  freeTimeEnds: ({ inMin }) => `is at a stop whose free time ends in ${minutesText(inMin)}`,
  wrongTruck: () => 'has a load for which another truck is checked at the pickup',
};

const conditionText = (condition: AlertCondition, names: RuleNames): string =>
  (CONDITIONS[condition.kind] as ToText<AlertCondition>)(condition, names);

/** A rule as a sentence: "When any truck arrives at Yard Dallas, Mon–Fri 6:00 AM–6:00 PM CT". */
export const ruleText = (
  { condition, units, schedule }: Pick<AlertRule, 'condition' | 'units' | 'schedule'>,
  names: RuleNames,
): string => {
  const subject = condition.kind === 'feedFails' ? 'the feed' : scopeText(units, names);
  const hours = schedule === null ? '' : `, ${hoursText(schedule)}`;
  return `When ${subject} ${conditionText(condition, names)}${hours}`;
};

/** A moment, Unix ms, as the reader's clock shows it. */
type MomentText = (ms: number) => string;

/** "at 10:12 AM", or "between 10:12 AM and 10:40 AM" where a gap lies over it. */
const betweenText = ({ betweenMs }: AlertFacts, atMs: number, moment: MomentText): string =>
  betweenMs !== null && betweenMs[1] - betweenMs[0] > BETWEEN_MS
    ? `between ${moment(betweenMs[0])} and ${moment(betweenMs[1])}`
    : `at ${moment(atMs)}`;

const speedText = ({ speedMph }: AlertFacts): string =>
  speedMph === null ? '' : `${Math.round(speedMph)} mph derived`;

type AlertText = (
  alert: Pick<Alert, 'facts' | 'openedMs'> & {
    fixMs: number;
    sinceMs: number;
    isOpen: boolean;
    /** How long its cause has lasted: "more than 2 h" while it is open, "3 h 10 m" once it has ended. */
    lasted: string;
  },
  moment: MomentText,
) => string;

const lastFixText = ({ facts: { fixAtMs } }: Parameters<AlertText>[0], moment: MomentText): string =>
  fixAtMs === null ? 'no fix so far' : `last fix at ${moment(fixAtMs)}`;

const siteText = ({ siteName }: AlertFacts): string => siteName ?? 'a site';

/** What an alert says about the appointment of its load. */
const appointmentText = ({ load }: AlertFacts, moment: MomentText): string =>
  load?.appointment ? `appointment until ${moment(load.appointment.toMs)}` : 'no appointment';

/** When the truck was expected; the window moves on while the alert is open. */
const expectedText = ({ facts: { load }, openedMs }: Parameters<AlertText>[0], moment: MomentText): string =>
  load?.window
    ? `expected ${joinMoments(moment(load.window.fromMs), moment(load.window.toMs))} as of ${moment(openedMs)}, `
    : '';

const stopText = ({ load }: AlertFacts): string => load?.stopName || 'its stop';

/** Each kind of alert as the end of a sentence, with its evidence. */
const EVENTS: Record<AlertCondition['kind'], AlertText> = {
  arrives: ({ facts, sinceMs }, moment) =>
    `arrived at ${siteText(facts)} ${betweenText(facts, facts.betweenMs?.[1] ?? sinceMs, moment)}`,
  leaves: ({ facts, sinceMs }, moment) =>
    `left ${siteText(facts)} ${betweenText(facts, facts.betweenMs?.[0] ?? sinceMs, moment)}`,
  stays: ({ facts, isOpen, lasted, sinceMs }, moment) =>
    `${isOpen ? 'has been' : 'was'} at ${siteText(facts)} for ${lasted}, since ${moment(sinceMs)}`,
  entersNoGo: ({ facts, sinceMs }, moment) =>
    `entered the no-go area ${facts.siteName ?? ''} ${betweenText(facts, facts.betweenMs?.[1] ?? sinceMs, moment)}`,
  silent: (alert, moment) =>
    `${alert.isOpen ? 'has been' : 'was'} silent for ${alert.lasted}: ${lastFixText(alert, moment)}`,
  vanishes: (alert, moment) => {
    const speed = speedText(alert.facts);
    return `vanished while moving: ${lastFixText(alert, moment)}${speed && `, ${speed}`}`;
  },
  late: (alert, moment) => `${alert.isOpen ? 'is' : 'was'} late: ${lastFixText(alert, moment)}`,
  standsOutside: ({ isOpen, lasted, sinceMs }, moment) =>
    `${isOpen ? 'has stood' : 'stood'} for ${lasted} outside any site, since ${moment(sinceMs)}`,
  movesOutsideHours: ({ facts, fixMs }, moment) => {
    const hours = facts.condition.kind === 'movesOutsideHours' ? ` ${hoursText(facts.condition.hours)}` : '';
    const speed = speedText(facts);
    return `moved outside${hours}: at ${moment(fixMs)}${speed && `, ${speed}`}`;
  },
  exceeds: ({ facts, fixMs }, moment) => {
    const limit = facts.condition.kind === 'exceeds' ? ` ${facts.condition.speedMph} mph` : '';
    const speed = speedText(facts) || 'a speed derived';
    return `exceeded${limit}: ${speed} over at least two fixes, at ${moment(fixMs)}`;
  },
  flagged: ({ facts, openedMs }, moment) =>
    `was flagged ${facts.flags.map(flagText).join(', ')} at ${moment(openedMs)}`,
  reportsAgain: ({ facts, openedMs, fixMs }, moment) => {
    const silence =
      facts.sinceMs === null ? '' : ` after ${formatDuration(openedMs - facts.sinceMs)} of silence`;
    return `reported again at ${moment(fixMs)}${silence}`;
  },
  feedFails: ({ isOpen, lasted, sinceMs }, moment) =>
    `${isOpen ? 'has given' : 'gave'} no usable answer for ${lasted}, since ${moment(sinceMs)}`,
  loadWillBeLate: (alert, moment) =>
    `${alert.isOpen ? 'will' : 'was to'} be late at ${stopText(alert.facts)}: ${expectedText(alert, moment)}${appointmentText(alert.facts, moment)}`,
  loadLate: (alert, moment) =>
    `${alert.isOpen ? 'is' : 'was'} late at ${stopText(alert.facts)}: ${alert.isOpen ? expectedText(alert, moment) : ''}${appointmentText(alert.facts, moment)}`,
  loadNotMoving: ({ facts, isOpen, lasted, sinceMs }, moment) =>
    `${isOpen ? 'has come' : 'came'} no nearer to ${stopText(facts)} for ${lasted}, since ${moment(sinceMs)}: ${appointmentText(facts, moment)}`,
  freeTimeEnds: ({ facts, isOpen }, moment) =>
    `${isOpen ? 'is' : 'was'} at ${stopText(facts)}: free time until ${moment(facts.load?.freeEndsMs ?? 0)}`,
  wrongTruck: ({ facts, sinceMs }, moment) =>
    `had another truck checked for it at ${stopText(facts)} at ${moment(facts.load?.wrongCheckMs ?? sinceMs)}; it is for`,
};

/** An alert, which the preview of a rule has without who closed it. */
type SentAlert = Pick<Alert, 'facts' | 'openedMs' | 'closedMs' | 'unit'> & { closedBy?: string | null };

/** An alert closes some minutes after its cause has gone, and by hand while it lasts. */
const lastedText = (
  { facts: { condition }, openedMs, closedMs, closedBy = null }: SentAlert,
  sinceMs: number,
): string => {
  if (closedMs === null) return 'forMin' in condition ? `more than ${minutesText(condition.forMin)}` : '';
  return formatDuration(Math.max(openedMs, closedMs - (closedBy === null ? CLEAR_MS : 0)) - sinceMs);
};

/**
 * An alert as a sentence with its evidence: "Truck 116 arrived at Yard Dallas at 10:12 AM". It stays true for as long as the
 * alert is open, because a page may show it for hours and a mail may be read late.
 */
export const alertText = (alert: SentAlert, moment: MomentText): string => {
  const { facts, openedMs, closedMs, unit } = alert;
  const { kind } = facts.condition;
  const subject = kind === 'feedFails' ? 'The feed' : `Truck ${facts.unitName ?? unit}`;
  const { load } = facts;
  const fixMs = facts.fixAtMs ?? openedMs;
  const sinceMs = facts.sinceMs ?? fixMs;
  const lasted = lastedText(alert, sinceMs);
  const text = EVENTS[kind]({ facts, openedMs, fixMs, sinceMs, isOpen: closedMs === null, lasted }, moment);
  const sentence = load
    ? `Load ${load.reference} ${text}${kind === 'wrongTruck' ? '' : ','} truck ${facts.unitName ?? unit}`
    : `${subject} ${text}`;
  return sentence.replace(/ {2,}/g, ' ');
};
