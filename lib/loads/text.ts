import { freeRangeOf, overFreeMs } from '@/lib/arrivals/free-time';
import { toArrival, toDeparture } from '@/lib/arrivals/interval';
import type { LoadState, StopKind, StopVisit } from '@/lib/arrivals/load';
import { DAY_MS, HOUR_MS, MINUTE_MS, type TimeRange } from '@/lib/base/time';
import {
  formatCount,
  formatDayAndTime,
  formatDuration,
  formatMinute,
  formatMoment,
  formatZonedMoment,
  joinMoments,
} from '@/lib/view/format';
import { BOARD_VERDICTS, VERDICT_LABELS, type BoardVerdict, type UnitLoad } from '@/lib/view/load-verdicts';
import { getOrMake } from '@/lib/base/maps';
import { toLineMatcher, toLines } from '@/lib/view/search';
import type { NoWindow } from '@/lib/rules/load-watch';
import type { CheckResult } from './checks';
import type { Load, LoadHistory, LoadInFull, LoadStop } from './load';

export const VERDICT_MEANINGS: Readonly<Record<BoardVerdict, string>> = {
  atRisk: 'May be late: the arrival window ends after the appointment',
  late: 'The appointment has passed, or the truck will be late',
  unknown: 'No telling: no truck, a silent truck, or a position in doubt',
  onTime: 'The arrival window ends before the appointment does, or the truck is there',
  none: 'No appointment at the next stop',
  done: 'Delivered, or ended by hand',
};

/** Reasons that leave nothing to say of a load, with or without an appointment. */
const UNKNOWN: readonly (NoWindow | null)[] = ['noTruck', 'notSeen', 'silent', 'noPlace', 'unsure'];

type Judged = Pick<Load, 'endedMs' | 'state' | 'verdict' | 'window' | 'noWindow'>;

const isAtStop = (state: LoadState): boolean => state.startsWith('at');

/** Where a load belongs on the board. */
export const toBoardVerdict = ({ endedMs, state, verdict, window, noWindow }: Judged): BoardVerdict => {
  if (endedMs !== null || state === 'delivered' || state === 'closed') return 'done';
  const isUnsaid = window === null && !isAtStop(state) && (state === 'noTruck' || UNKNOWN.includes(noWindow));
  return verdict === 'none' && isUnsaid ? 'unknown' : verdict;
};

export const NO_WINDOW_TEXTS: Readonly<Record<NoWindow, string>> = {
  noTruck: 'no truck',
  notSeen: 'its truck has not reported a position',
  silent: 'its truck is silent',
  atStop: 'at the stop',
  noPlace: 'the stop’s site was removed',
  unsure: 'its truck’s position is in doubt',
  waits: 'being calculated',
};

/** Why a load has no window, as a reason after a colon. */
export const noWindowText = ({ state, noWindow }: Pick<Load, 'state' | 'noWindow'>): string =>
  NO_WINDOW_TEXTS[state === 'noTruck' ? 'noTruck' : (noWindow ?? 'waits')];

export const STOP_KIND_LABELS: Readonly<Record<StopKind, string>> = {
  pickup: 'Pickup',
  delivery: 'Delivery',
  other: 'Stop',
};

/** Weekdays are enough for so long. */
const NEAR_MS = 6 * DAY_MS;

/** A moment, of the coming days with its weekday: "2:10 PM", "Sun 2:10 PM", "Dec 12, 2:10 PM". */
const momentText = (ms: number, nowMs: number, zone?: string): string => {
  const [moment, time] = [formatMoment(ms, nowMs, zone), formatMinute(ms, zone)];
  if (moment === time || ms < nowMs || ms - nowMs > NEAR_MS) return moment;
  return `${formatDayAndTime(ms, nowMs, zone).slice(0, 3)} ${time}`;
};

/** A text that ends with a time by the clock of a zone, and the zone's name where the viewer's clock shows another time. */
const withZone = (text: string, ms: number, nowMs: number, zone: string | undefined): string => {
  if (zone === undefined || formatMinute(ms, zone) === formatMinute(ms)) return text;
  const name = formatZonedMoment(ms, nowMs, zone).split(' ').at(-1)!;
  return text.endsWith(` ${name}`) ? text : `${text} ${name}`;
};

/** A moment by the clock of a stop: "2:10 PM", where the viewer's clock shows another time "Sun 2:10 PM MST". */
export const stopMoment = (ms: number, nowMs: number, zone?: string): string =>
  withZone(momentText(ms, nowMs, zone), ms, nowMs, zone);

/** Two moments by the clock of a stop as one text: "2:10–3:40 PM", "11:40 AM–1:10 PM MST", "Mon 11:40 PM–Tue 1:10 AM"; one where both read alike. */
const rangeText = ({ fromMs, toMs }: TimeRange, nowMs: number, zone?: string): string => {
  const [from, to] = [fromMs, toMs].map((ms) => momentText(ms, nowMs, zone)) as [string, string];
  const endsToday = to === formatMinute(toMs, zone) && from !== formatMinute(fromMs, zone);
  return withZone(joinMoments(from, endsToday ? `today ${to}` : to), toMs, nowMs, zone);
};

/** Windows end on such minutes, rounded outward, so that none looks surer than it is. */
const STEP_MS = 5 * MINUTE_MS;

/** When a truck arrives: "2:10–3:40 PM", "now–3:40 PM"; never a single time. */
export const windowText = ({ fromMs, toMs }: TimeRange, nowMs: number, zone?: string): string => {
  const range = {
    fromMs: Math.floor(fromMs / STEP_MS) * STEP_MS,
    toMs: Math.floor(toMs / STEP_MS) * STEP_MS + STEP_MS,
  };
  if (fromMs <= nowMs && nowMs < toMs) return `now–${stopMoment(range.toMs, nowMs, zone)}`;
  return rangeText(range, nowMs, zone);
};

/** An appointment by the clock of its stop: "8:00–10:00 AM", "Mon 2:00 PM MST". */
export const appointmentText = (
  { appointment, timeZone }: Pick<LoadStop, 'appointment' | 'timeZone'>,
  nowMs: number,
): string => (appointment === null ? 'none' : rangeText(appointment, nowMs, timeZone));

/** When something between two fixes happened: "between 2:10 and 2:14 PM", "by 2:14 PM", "at 2:14 PM". */
export const betweenText = (
  afterMs: number | null,
  byMs: number | null,
  nowMs: number,
  zone?: string,
): string => {
  if (afterMs === null) return `by ${stopMoment(byMs!, nowMs, zone)}`;
  if (byMs === null) return `after ${stopMoment(afterMs, nowMs, zone)}`;
  const text = rangeText({ fromMs: afterMs, toMs: byMs }, nowMs, zone);
  return text.includes('–') ? `between ${text.replace('–', ' and ')}` : `at ${text}`;
};

/** When a visit began, as it is known from fixes. */
export const arrivalText = (visit: StopVisit, nowMs: number, zone?: string): string => {
  const { afterMs, byMs } = toArrival(visit);
  return betweenText(afterMs, byMs, nowMs, zone);
};

/** When a visit ended; null while it lasts. */
export const departureText = (visit: StopVisit, nowMs: number, zone?: string): string | null => {
  const departure = toDeparture(visit);
  return departure && betweenText(departure.afterMs, departure.byMs, nowMs, zone);
};

const STATE_LABELS: Readonly<Record<LoadState, string>> = {
  noTruck: 'No truck',
  toPickup: 'On the way to pickup',
  atPickup: 'At pickup',
  toDelivery: 'In transit',
  atDelivery: 'At delivery',
  toOther: 'On the way',
  atOther: 'At stop',
  delivered: 'Delivered',
  closed: 'Ended by hand',
};

export const stateLabel = (state: LoadState): string => STATE_LABELS[state];

/** What a load is doing, with what that stands on, by the clock of the stop: "At pickup since 2:10–2:14 PM", "In transit, left 3:05 PM MST". */
export const stateText = ({ state, endedMs, judged, stops }: Load, nowMs: number): string => {
  const label = STATE_LABELS[state];
  if (state === 'closed') return `${label}, ${formatMoment(endedMs!, nowMs)}`;
  const last = judged.findLastIndex(({ visit }) => visit !== null);
  const visit = judged[last]?.visit ?? null;
  if (visit === null) return label;
  const { arrivedAfterMs, arrivedMs, leftMs, leftByMs } = visit;
  const textOf = (fromMs: number, toMs: number): string =>
    rangeText({ fromMs, toMs }, nowMs, stops[last]?.timeZone);
  if (isAtStop(state)) return `${label} since ${textOf(arrivedAfterMs ?? arrivedMs, arrivedMs)}`;
  return leftMs === null ? label : `${label}, left ${textOf(leftMs, leftByMs ?? leftMs)}`;
};

/** The stop that is next; null once all are done. */
export const nextStopOf = ({ next, stops }: Pick<Load, 'next' | 'stops'>): LoadStop | null =>
  next === null ? null : (stops[next] ?? null);

/** About how long, in whole minutes at least: "20 min", "1 h 05 m", "16 h". */
const aboutText = (ms: number): string =>
  ms < 4 * HOUR_MS ? formatDuration(Math.max(ms, MINUTE_MS)) : `${Math.round(ms / HOUR_MS)} h`;

/** Whether a load that has ended came to its last stop in time, as far as its fixes tell; null: there was no appointment, or no visit was seen. */
const outcomeText = ({ stops, judged }: Load, nowMs: number): string | null => {
  const last = stops.length - 1;
  const { appointment = null, timeZone } = stops[last] ?? {};
  const visit = judged[last]?.visit ?? null;
  if (appointment === null || visit === null) return null;
  const [leastMs, mostMs] = [visit.arrivedAfterMs ?? -Infinity, visit.arrivedMs].map(
    (ms) => ms - appointment.toMs,
  ) as [number, number];
  if (mostMs <= 0) return 'on time';
  if (leastMs === -Infinity) return `arrived by ${stopMoment(visit.arrivedMs, nowMs, timeZone)}`;
  const most = aboutText(mostMs);
  return leastMs <= 0 ? `on time, or up to ${most} late` : `late by ${spanText(aboutText(leastMs), most)}`;
};

/** "10 to 14 min", "20 min to 1 h 05 m", "14 min". */
const spanText = (least: string, most: string): string => {
  const [unit] = / min$| h$/.exec(most) ?? [];
  if (least === most) return most;
  return `${unit !== undefined && least.endsWith(unit) ? least.slice(0, -unit.length) : least} to ${most}`;
};

/** What a verdict of a stop is called; late is what has happened, or what is foreseen. */
export const verdictLabel = (
  verdict: BoardVerdict,
  stop: Pick<LoadStop, 'appointment'> | null,
  isThere: boolean,
  nowMs: number,
): string =>
  verdict === 'late' && !isThere && nowMs <= (stop?.appointment?.toMs ?? -Infinity)
    ? 'Will be late'
    : VERDICT_LABELS[verdict];

/** What the verdict of a load is called. */
export const loadVerdictLabel = (load: Load, nowMs: number): string =>
  verdictLabel(toBoardVerdict(load), nextStopOf(load), isAtStop(load.state), nowMs);

/** The worst of what is foreseen for the stops after the next one, where that is worse than on time: "Acme DC at risk". */
export const laterVerdictText = ({ stops, later }: LoadInFull, nowMs: number): string | null => {
  const i = (['late', 'atRisk'] as const)
    .map((verdict) => later.findIndex((each) => each?.verdict === verdict))
    .find((found) => found >= 0);
  return i === undefined
    ? null
    : `${stops[i]!.name} ${verdictLabel(later[i]!.verdict, stops[i]!, false, nowMs).toLowerCase()}`;
};

/** How late a load is, may be or was, or why nothing is known: "by 20 min to 1 h 05 m", "its truck is silent"; null: no more to say. */
export const verdictDetail = (load: Load, nowMs: number): string | null => {
  const verdict = toBoardVerdict(load);
  if (verdict === 'done') return outcomeText(load, nowMs);
  const appointment = nextStopOf(load)?.appointment ?? null;
  if (verdict === 'unknown') return noWindowText(load);
  if (appointment === null || (verdict !== 'late' && verdict !== 'atRisk')) return null;
  const visit = load.judged[load.next!]?.visit ?? null;
  const overMs = (ms: number): number => ms - appointment.toMs;
  if (visit !== null) return `by ${aboutText(overMs(visit.arrivedMs))}`;
  const { window } = load;
  if (window === null) return `by ${aboutText(overMs(nowMs))} so far`;
  const [least, most] = [Math.max(overMs(window.fromMs), overMs(nowMs), 0), overMs(window.toMs)];
  return least < MINUTE_MS
    ? `by up to ${aboutText(most)}`
    : `by ${spanText(aboutText(least), aboutText(most))}`;
};

/** The truck that has a load; null: none. */
export const truckOf = ({ trucks }: Pick<Load, 'trucks'>): string | null =>
  trucks.find(({ toMs }) => toMs === null)?.unit ?? null;

/** PO and BOL of a load in one line; empty without them. */
export const numbersText = ({ po, bol }: Pick<Load, 'po' | 'bol'>): string =>
  [po && `PO ${po.replace(/^PO\s*/i, '')}`, bol && `BOL ${bol.replace(/^BOL\s*/i, '')}`]
    .filter(Boolean)
    .join(' · ');

/** The time by which loads of one verdict are ordered: the end of the next appointment, of a done one its end. */
const urgencyMs = (load: Load): number =>
  load.endedMs !== null
    ? -load.endedMs
    : (nextStopOf(load)?.appointment?.toMs ?? load.window?.toMs ?? Number.MAX_SAFE_INTEGER);

const collator = new Intl.Collator('en-US', { numeric: true });

/** The loads in the order of the board: the worst verdict first, and of one verdict the most urgent. */
export const sortLoads = (loads: readonly Load[]): Load[] => {
  const rank = new Map(loads.map((load) => [load, BOARD_VERDICTS.indexOf(toBoardVerdict(load))]));
  return [...loads].sort(
    (a, b) =>
      rank.get(a)! - rank.get(b)! ||
      urgencyMs(a) - urgencyMs(b) ||
      collator.compare(a.reference, b.reference),
  );
};

/** Whether a load belongs to a range of time: a stop has an appointment in it, it ended in it, or it is under way now and no later appointment is next. */
export const isOfRange = (load: Load, { fromMs, toMs }: TimeRange, nowMs: number): boolean => {
  const isWithin = load.stops.some(
    ({ appointment }) => appointment !== null && appointment.fromMs < toMs && appointment.toMs >= fromMs,
  );
  if (isWithin) return true;
  if (load.endedMs !== null) return load.endedMs >= fromMs && load.endedMs < toMs;
  const next = nextStopOf(load)?.appointment ?? null;
  return nowMs >= fromMs && nowMs < toMs && (next === null || next.fromMs < toMs);
};

/** What a load is found by, without its trucks: it is the same until the load changes. */
const heldLines = new WeakMap<Load, string>();
const toLoadLines = ({ reference, po, bol, customer, note, tags, stops }: Load): string =>
  toLines([
    ...[reference, po, bol, customer, note, ...tags],
    ...stops.flatMap(({ name, address }) => [name, address]),
  ]);

/** The loads that a text finds by reference, PO, BOL, customer, truck, stop, tag or note; `nameOf` names a truck. */
export const findLoads = (
  loads: readonly Load[],
  query: string,
  nameOf: (unit: string) => string,
): readonly Load[] => {
  if (query.trim() === '') return loads;
  const matches = toLineMatcher(query);
  return loads.filter((load) => {
    const trucks = toLines(load.trucks.map(({ unit }) => nameOf(unit)));
    return matches(`${getOrMake(heldLines, load, () => toLoadLines(load))}\n${trucks}`);
  });
};

/** The loads under way that have a truck, as marks of their trucks, the most urgent first. */
export const toUnitLoads = (loads: readonly Load[], nowMs: number): UnitLoad[] =>
  sortLoads(loads).flatMap((load) => {
    const unit = load.endedMs === null ? truckOf(load) : null;
    if (unit === null) return [];
    const references = [load.reference, load.po, load.bol].filter((reference) => reference !== '');
    const verdict = toBoardVerdict(load);
    return [{ id: load.id, unit, references, verdict, label: loadVerdictLabel(load, nowMs).toLowerCase() }];
  });

const CHECK_TEXTS: Readonly<Record<CheckResult, string>> = {
  near: 'its truck, near',
  away: 'its truck, not near',
  silent: 'its truck, without a position of late',
  other: 'not its truck',
  noTruck: 'it had no truck',
};

/** What happened to a load, in words: "Arrived at Acme DC", "Given to truck 118". */
export const eventText = (
  { kind, position, unit, check }: Pick<LoadHistory, 'kind' | 'position' | 'unit' | 'check'>,
  { stops }: Pick<Load, 'stops'>,
  nameOf: (unit: string) => string,
): string => {
  const stop = stops[position];
  const where = stop?.name ?? 'a stop that was removed';
  switch (kind) {
    case 'truck':
      return unit === '' ? 'Truck taken off' : `Given to truck ${nameOf(unit)}`;
    case 'arrived':
      return `Arrived at ${where}`;
    case 'left':
      return stop?.kind === 'pickup' ? `Loaded at ${where}, left` : `Left ${where}`;
    case 'passed':
      return `No visit to ${where} was seen`;
    case 'ended':
      return 'Delivered';
    case 'closed':
      return 'Ended by hand';
    case 'checked':
      return check
        ? `Truck checked at ${where}: ${check.typed}, ${CHECK_TEXTS[check.result]}`
        : `Truck checked at ${where}`;
    default:
      return kind;
  }
};

/** When an event happened, as it is known: between two fixes where its visit says so. */
export const eventTimeText = (
  { kind, position, unit, atMs }: LoadHistory,
  { judged, stops }: Pick<Load, 'judged' | 'stops'>,
  nowMs: number,
): string => {
  const zone = stops[position]?.timeZone;
  const visit = judged[position]?.visit ?? null;
  if (kind === 'arrived' && visit?.arrivedMs === atMs && visit.unit === unit)
    return arrivalText(visit, nowMs, zone);
  if (kind === 'left' && visit?.leftMs === atMs) return departureText(visit, nowMs, zone)!;
  // By the clock of the dock, as the visits beside it.
  if (kind === 'checked' && zone !== undefined) return stopMoment(atMs, nowMs, zone);
  if (kind === 'passed') return `before the truck was at a later stop, ${stopMoment(atMs, nowMs, zone)}`;
  return formatMoment(atMs, nowMs);
};

/** The free time of a stop: "2 h 00 m, until 4:10 PM"; null where there is none. */
export const freeTimeText = (
  stop: Pick<LoadStop, 'free' | 'timeZone' | 'appointment'>,
  visit: StopVisit | null,
  nowMs: number,
): string | null => {
  if (stop.free === null) return null;
  const free = formatDuration(stop.free.freeMin * MINUTE_MS);
  const range = freeRangeOf(stop, visit);
  if (visit === null || range === null) return free;
  const overMs = overFreeMs(stop, visit, nowMs);
  if (overMs === null) return free;
  if (overMs > 0) return `${free}, over by ${formatDuration(overMs)}`;
  return visit.leftMs === null
    ? `${free}, until ${stopMoment(range.toMs, nowMs, stop.timeZone)}`
    : `${free}, kept`;
};

/** Free time that ends so soon needs someone. */
const ENDS_SOON_MS = 30 * MINUTE_MS;

/** What of a load needs someone, beside its verdict: "Free time over by 25 min"; null: nothing. `isStill`: an alert says that it does not near its stop. */
export const attentionText = (load: Load, isStill: boolean, nowMs: number): string | null => {
  const stop = nextStopOf(load);
  const visit = load.judged[load.next ?? -1]?.visit ?? null;
  if (stop === null) return null;
  if (!isAtStop(load.state) || visit === null) return isStill ? 'Not moving toward its stop' : null;
  const { toMs: endMs } = freeRangeOf(stop, visit) ?? { toMs: Infinity };
  const overMs = overFreeMs(stop, visit, nowMs) ?? -Infinity;
  if (overMs > 0) return `Free time over by ${formatDuration(overMs)}`;
  return endMs - nowMs > ENDS_SOON_MS ? null : `Free time until ${stopMoment(endMs, nowMs, stop.timeZone)}`;
};

/** How many loads a board shows: "3 loads", "1 of 12 loads". */
export const countText = (shown: number, all: number): string =>
  shown === all ? formatCount(all, 'load') : `${shown} of ${formatCount(all, 'load')}`;
