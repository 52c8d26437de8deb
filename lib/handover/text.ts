import { toDwell } from '@/lib/arrivals/interval';
import { LEARNED_LATER } from '../sites/text';
import { alertText } from '../alerts/text';
import { formatDistance, formatDuration, joinMoments } from '../view/format';
import { FLAG_LABELS } from '../view/text';
import { EVERYTHING, toViewSearch } from '../view/view-state';
import type { Reason } from '@/lib/motion/status';
import { SEVERITIES } from '@/lib/rules/severity';
import { addTo } from '@/lib/base/maps';
import type { Handover, LoadChangeKind, MailKind } from './schema';

/** What can be mailed on a schedule, as it is called. */
export const MAIL_LABELS: Record<MailKind, string> = {
  handover: 'Handover',
  activity: 'Activity',
  miles: 'Miles by state',
  visits: 'Site visits',
  facilities: 'Facilities',
  quality: 'Data quality',
};

export interface HandoverLine {
  /** Key of the unit; empty: the fleet. */
  unit: string;
  /** Name of the unit; empty: the fleet. */
  name: string;
  text: string;
  /** The moment in history that shows it, Unix ms. */
  atMs: number;
  /** What it has in common with other lines of its section, beside which they are listed. */
  group?: string;
}

export interface HandoverSection {
  title: string;
  /** The text in place of lines; empty: none. */
  none: string;
  lines: HandoverLine[];
  /** How much there is, if that is not the number of its lines. */
  count?: number;
  /** How its lines relate to that: "9 trucks", "the longest 10". */
  of?: string;
  /** Its lines may need a call. */
  isToCall?: true;
}

/** The lines of a section by what they have in common, in the order in which each first appears. */
export const groupLines = (lines: readonly HandoverLine[]): Map<string, HandoverLine[]> => {
  const groups = new Map<string, HandoverLine[]>();
  for (const line of lines) addTo(groups, line.group ?? '', line);
  return groups;
};

export interface HandoverFormat {
  /** A moment as the reader's clock shows it. */
  moment: (ms: number) => string;
  /** The name of a position; empty where there is none. */
  place: (at: { lat: number; lng: number }) => string;
}

/** The text where two moments cannot be compared. */
export const NOT_COMPARED = 'Nothing was recorded at the beginning, so trucks cannot be compared.';

export const toLineLink = (usdot: string, { unit, name, atMs }: HandoverLine) => {
  const past = { atMs: Math.floor(atMs / 1000) * 1000, speed: 1 } as const;
  const search = toViewSearch({ ...EVERYTHING, unit: unit || null, past });
  return { name: name || 'Feed', path: `/fleets/${usdot}${search}` };
};

const SILENT_TEXTS: Partial<Record<Reason, string>> = {
  vanishedMoving: 'vanished while moving',
  vanishedStopped: 'left the list while stopped',
  vanished: 'left the list',
  quiet: 'still listed, but silent',
};

const FIELD_TEXTS: Readonly<Record<string, string>> = {
  vin: 'VIN',
  truckNumber: 'truck number',
  plateState: 'plate state',
  plateNumber: 'plate',
  make: 'make',
  model: 'model',
  deviceId: 'device',
};

/** Two ends of an arrival or a departure that are further apart are both given. */
const BETWEEN_MS = 5 * 60_000;

/** "10:12 AM", or "10:12–10:40 AM" where a gap lies over it. */
const rangeText = (fromMs: number | null, toMs: number, moment: HandoverFormat['moment']): string => {
  const to = moment(toMs);
  return fromMs === null || toMs - fromMs <= BETWEEN_MS ? to : joinMoments(moment(fromMs), to);
};

const toSilentLine = (
  unit: Handover['silent'][number],
  toMs: number,
  { moment, place }: HandoverFormat,
): HandoverLine => {
  const { key, name, reason, fixAtMs, lat, lng } = unit;
  const where = lat === null || lng === null ? '' : place({ lat, lng });
  const last = fixAtMs === null ? 'no fix' : `last fix at ${moment(fixAtMs)}${where && `, ${where}`}`;
  return { unit: key, name, text: `${SILENT_TEXTS[reason] ?? 'silent'}: ${last}`, atMs: fixAtMs ?? toMs };
};

const learned = ({ isLearnedLater }: Handover['visits'][number]): string =>
  isLearnedLater ? ` (${LEARNED_LATER})` : '';

/** Visits by their sites: when a truck came and how long it stayed, or since when it is there. */
const toVisitLines = ({ visits, fromMs }: Handover, moment: HandoverFormat['moment']): HandoverLine[] =>
  visits.map((visit) => {
    const { unit, name, siteName, arrivedMs, arrivedAfterMs, leftMs, leftByMs } = visit;
    const came = rangeText(arrivedAfterMs, arrivedMs, moment);
    const stayed = leftMs === null ? '' : formatDuration(toDwell(visit).leastMs);
    const hasCome = arrivedMs > fromMs;
    const text =
      leftMs === null
        ? `since ${came}`
        : hasCome
          ? `${came} for ${stayed}`
          : `left ${leftByMs === null ? `after ${moment(leftMs)}` : rangeText(leftMs, leftByMs, moment)} after ${stayed}`;
    const atMs = hasCome || leftMs === null ? arrivedMs : (leftByMs ?? leftMs);
    return { unit, name, text: `${text}${learned(visit)}`, atMs, group: siteName };
  });

const LOAD_TEXTS: Record<LoadChangeKind, (stop: string, at: string) => string> = {
  given: (_, at) => `has it since ${at}`,
  taken: (_, at) => `no longer has it since ${at}`,
  arrived: (stop, at) => `at ${stop} since ${at}`,
  pickedUp: (stop, at) => `picked up at ${stop}, left at ${at}`,
  delivered: (stop, at) => `delivered at ${stop}, left at ${at}`,
  left: (stop, at) => `left ${stop} at ${at}`,
  passed: (stop) => `was not seen at ${stop}`,
  late: (stop, at) => `late at ${stop}: appointment until ${at}`,
  closed: (by, at) => `ended by ${by} at ${at}`,
};

/** What happened to loads, by load; a load that is late comes first. */
const toLoadLines = ({ loads }: Handover, moment: HandoverFormat['moment']): HandoverLine[] => {
  const isWorst = ({ isLate, changes }: Handover['loads'][number]): boolean =>
    isLate || changes.some(({ kind }) => kind === 'late');
  return loads
    .toSorted((a, b) => Number(isWorst(b)) - Number(isWorst(a)))
    .flatMap(({ reference, customer, verdict, changes }) =>
      changes.map(({ key, name, kind, atMs, stop }) => ({
        ...{ unit: key, name: name || 'No truck', atMs },
        text: LOAD_TEXTS[kind](stop, moment(atMs)),
        group: `${customer === '' ? reference : `${reference}, ${customer}`} · ${verdict}`,
      })),
    );
};

type HandoverAlert = Handover['alerts'][number];

const toNote = ({ acknowledgedBy, note }: HandoverAlert): string =>
  acknowledgedBy === null ? '' : ` (${acknowledgedBy}${note ? `: “${note}”` : ' has taken it'})`;

/** Open alerts of one rule are listed together from so many trucks on. */
const MANY = 10;

/** The name of the place of an alert's last fix, to follow other text. */
const toPlaced = ({ facts: { lat, lng, siteName } }: HandoverAlert, { place }: HandoverFormat): string => {
  const where = lat === null || lng === null ? '' : place({ lat, lng });
  return where === '' || where === siteName ? '' : `, ${where}`;
};

/** What an open alert says of its truck, without the truck's name. */
const toOpenText = (alert: HandoverAlert, { moment }: HandoverFormat): string => {
  const text = alertText(alert, moment);
  const subject = `Truck ${alert.facts.unitName ?? alert.unit} `;
  return text.startsWith(subject) ? text.slice(subject.length) : text;
};

/** Open alerts, the most severe first and of these the newest, with one line for each truck. */
const toOpenSection = (
  { alerts }: Handover,
  format: HandoverFormat,
): Pick<HandoverSection, 'lines' | 'count' | 'of'> => {
  const weight = ({ severity }: HandoverAlert): number => SEVERITIES.indexOf(severity);
  const open = alerts.filter(({ closedMs }) => closedMs === null);
  open.sort((a, b) => weight(b) - weight(a) || b.openedMs - a.openedMs);
  const byUnit = new Map<string, HandoverAlert[]>();
  for (const alert of open) addTo(byUnit, alert.unit, alert);
  const byRule = new Map<string, HandoverAlert[]>();
  for (const [first] of byUnit.values()) addTo(byRule, first!.ruleName, first!);
  const lines = [...byUnit.values()].map(([first, ...others]): HandoverLine => {
    const { unit, facts, openedMs, ruleName } = first!;
    const isOfMany = byRule.get(ruleName)!.length >= MANY;
    const text = isOfMany
      ? `since ${format.moment(facts.sinceMs ?? facts.fixAtMs ?? openedMs)}`
      : toOpenText(first!, format);
    const texts = [
      `${text}${toPlaced(first!, format)}${toNote(first!)}`,
      ...others.map((alert) => `also: ${alert.ruleName}${toNote(alert)}`),
    ];
    return {
      ...{ unit, name: facts.unitName ?? unit, text: texts.join('; '), atMs: openedMs },
      ...(isOfMany && { group: ruleName }),
    };
  });
  const trucks = `${lines.length} ${lines.length === 1 ? 'truck' : 'trucks'}`;
  return { lines, count: open.length, ...(open.length > lines.length && { of: trucks }) };
};

/** Closed alerts by their rules, the one that closed last first. */
const toClosedLines = ({ alerts }: Handover, moment: HandoverFormat['moment']): HandoverLine[] =>
  alerts
    .flatMap((alert) => (alert.closedMs === null ? [] : [{ alert, closedMs: alert.closedMs }]))
    .sort((a, b) => b.closedMs - a.closedMs)
    .map(({ alert: { unit, facts, note, ruleName }, closedMs }) => ({
      unit,
      name: facts.unitName ?? unit,
      text: `${moment(closedMs)}${note ? ` “${note}”` : ''}`,
      atMs: closedMs,
      group: ruleName,
    }));

const toRenamedLine = (
  { key, name, atMs, changes }: Handover['renamed'][number],
  moment: HandoverFormat['moment'],
): HandoverLine => ({
  unit: key,
  name,
  text: `${changes
    .map(
      ({ field, before, after }) => `${FIELD_TEXTS[field] ?? field} ${before ?? 'none'} → ${after ?? 'none'}`,
    )
    .join(', ')} at ${moment(atMs)}`,
  atMs,
});

/** How many of the trucks that drove longest are listed. */
const MOST_DRIVERS = 10;

const toDriverLines = ({ drivers, toMs }: Handover): HandoverLine[] =>
  (drivers ?? []).slice(0, MOST_DRIVERS).map(({ key, name, movingMs, drivenM }) => ({
    unit: key,
    name,
    text: `${formatDuration(movingMs)}, at least ${formatDistance(drivenM)}`,
    atMs: toMs,
    group: '',
  }));

/** The sections that list units by what the map showed of them. */
const toUnitSections = (handover: Handover, format: HandoverFormat) => {
  const { silent, flagged, reporting, notes, toMs, isCompared } = handover;
  const { moment } = format;
  /** A section that was not compared does not say that there is nothing. */
  const ofCompared = (none: string): string => (isCompared ? none : '');
  const ofUnit = ({ key, name }: { key: string; name: string }) => ({ unit: key, name });
  // An open alert says it too.
  const alerted = new Set(handover.alerts.flatMap(({ unit, closedMs }) => (closedMs === null ? [unit] : [])));
  return {
    silent: {
      title: 'Became silent',
      none: ofCompared('No truck became silent.'),
      lines: silent.filter(({ key }) => !alerted.has(key)).map((unit) => toSilentLine(unit, toMs, format)),
      isToCall: true as const,
    },
    flagged: {
      title: 'Flagged',
      none: ofCompared('No truck has a new flag.'),
      lines: flagged.flatMap((unit) =>
        unit.flags.map((flag) => ({ ...ofUnit(unit), text: '', atMs: toMs, group: FLAG_LABELS[flag] })),
      ),
    },
    notes: {
      title: 'Notes',
      none: 'No note was written.',
      lines: notes.map(({ text, author, createdMs, ...unit }) => ({
        ...ofUnit(unit),
        text: `“${text}”, ${author} at ${moment(createdMs)}`,
        atMs: createdMs,
      })),
    },
    reporting: {
      title: 'Reports again',
      none: ofCompared('No silent truck reports again.'),
      lines: reporting.map(({ fixAtMs, ...unit }) => ({
        ...ofUnit(unit),
        text: '',
        atMs: fixAtMs ?? toMs,
        group: '',
      })),
    },
  };
};

/** The sections of a handover in the order of what needs a person first. */
export const toHandoverSections = (handover: Handover, format: HandoverFormat): HandoverSection[] => {
  const { moment } = format;
  const units = toUnitSections(handover, format);
  return [
    {
      title: 'Open alerts',
      none: 'No alert is open.',
      ...toOpenSection(handover, format),
      isToCall: true,
    },
    units.silent,
    {
      title: 'Loads',
      none: 'No load changed.',
      lines: toLoadLines(handover, moment),
      count: handover.loads.length,
    },
    units.notes,
    { title: 'Closed alerts', none: '', lines: toClosedLines(handover, moment) },
    {
      title: 'Visits to sites',
      none: 'No truck came to a site or left one.',
      lines: toVisitLines(handover, moment),
    },
    {
      title: 'Drove long',
      none:
        handover.drivers === null
          ? 'This fleet is too large to add up driving times here: see History, Activity.'
          : 'No truck drove for more than 8 hours.',
      lines: toDriverLines(handover),
      ...(handover.drivers && { count: handover.drivers.length }),
      ...((handover.drivers?.length ?? 0) > MOST_DRIVERS && { of: `the longest ${MOST_DRIVERS}` }),
    },
    {
      title: 'Changed identity',
      none: 'No truck changed its VIN, number, plate or device.',
      lines: handover.renamed.map((unit) => toRenamedLine(unit, moment)),
    },
    units.flagged,
    units.reporting,
  ];
};
