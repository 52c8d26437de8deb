import { LEARNED_LATER } from '../sites/text';
import { alertText } from '../alerts/text';
import { formatDistance, formatDuration } from '../view/format';
import { FLAG_LABELS } from '../view/text';
import { EVERYTHING, toViewSearch } from '../view/view-state';
import type { Reason } from '@/lib/motion/status';
import type { Handover, MailKind } from './schema';

/** What can be mailed on a schedule, as it is called. */
export const MAIL_LABELS: Record<MailKind, string> = {
  handover: 'Handover',
  activity: 'Activity',
  miles: 'Miles by state',
  visits: 'Site visits',
};

export interface HandoverLine {
  /** Key of the unit; empty: the fleet. */
  unit: string;
  /** Name of the unit; empty: the fleet. */
  name: string;
  text: string;
  /** The moment in history that shows it, Unix ms. */
  atMs: number;
}

export interface HandoverSection {
  title: string;
  /** The text in place of lines; empty: none. */
  none: string;
  lines: HandoverLine[];
  /** Its lines may need a call. */
  isToCall?: true;
}

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

/** "at 10:12 AM", or "between 10:12 AM and 10:40 AM" where a gap lies over it. */
const betweenText = (fromMs: number | null, toMs: number, moment: HandoverFormat['moment']): string =>
  fromMs !== null && toMs - fromMs > BETWEEN_MS
    ? `between ${moment(fromMs)} and ${moment(toMs)}`
    : `at ${moment(toMs)}`;

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

const toVisitLines = ({ visits, fromMs, toMs }: Handover, moment: HandoverFormat['moment']) => {
  const isWithin = (ms: number): boolean => ms > fromMs && ms <= toMs;
  const arrivals = visits
    .filter(({ arrivedMs }) => isWithin(arrivedMs))
    .map((visit) => ({
      unit: visit.unit,
      name: visit.name,
      text: `arrived at ${visit.siteName} ${betweenText(visit.arrivedAfterMs, visit.arrivedMs, moment)}${learned(visit)}`,
      atMs: visit.arrivedMs,
    }));
  const departures = visits.flatMap((visit) => {
    const { leftMs, leftByMs } = visit;
    if (leftMs === null || !isWithin(leftMs)) return [];
    const when = leftByMs === null ? `after ${moment(leftMs)}` : betweenText(leftMs, leftByMs, moment);
    const stayed = formatDuration(leftMs - visit.arrivedMs);
    return [
      {
        unit: visit.unit,
        name: visit.name,
        text: `left ${visit.siteName} ${when}, after ${stayed}${learned(visit)}`,
        atMs: leftByMs ?? leftMs,
      },
    ];
  });
  return { arrivals, departures };
};

const toAlertLine = (alert: Handover['alerts'][number], moment: HandoverFormat['moment']): HandoverLine => {
  const { unit, openedMs, closedMs, acknowledgedBy, note, facts } = alert;
  const taken =
    acknowledgedBy === null ? 'not taken' : `taken by ${acknowledgedBy}${note ? `: “${note}”` : ''}`;
  const end = closedMs === null ? 'still open' : `closed at ${moment(closedMs)}`;
  return {
    unit,
    name: facts.unitName ?? unit,
    text: `${alertText(alert, moment)} (${taken}; ${end})`,
    atMs: openedMs,
  };
};

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

const toDriverLines = ({ drivers, toMs }: Handover): HandoverLine[] =>
  (drivers ?? []).map(({ key, name, movingMs, drivenM }) => ({
    unit: key,
    name,
    text: `drove ${formatDuration(movingMs)}, at least ${formatDistance(drivenM)}`,
    atMs: toMs,
  }));

const toUnitLines = <T extends { key: string; name: string }>(
  units: readonly T[],
  textOf: (unit: T) => string,
  atMsOf: (unit: T) => number,
): HandoverLine[] =>
  units.map((unit) => ({ unit: unit.key, name: unit.name, text: textOf(unit), atMs: atMsOf(unit) }));

/** The sections that list units by what the map showed of them. */
const toUnitSections = (handover: Handover, format: HandoverFormat) => {
  const { silent, flagged, reporting, notes, toMs, isCompared } = handover;
  const { moment } = format;
  /** A section that was not compared does not say that there is nothing. */
  const ofCompared = (none: string): string => (isCompared ? none : '');
  return {
    silent: {
      title: 'Became silent',
      none: ofCompared('No truck became silent.'),
      lines: silent.map((unit) => toSilentLine(unit, toMs, format)),
      isToCall: true as const,
    },
    flagged: {
      title: 'Flagged',
      none: ofCompared('No truck has a new flag.'),
      lines: toUnitLines(
        flagged,
        ({ flags }) => flags.map((flag) => FLAG_LABELS[flag]).join(', '),
        () => toMs,
      ),
    },
    notes: {
      title: 'Notes',
      none: 'No note was written.',
      lines: toUnitLines(
        notes,
        ({ text, author, createdMs }) => `“${text}”, ${author} at ${moment(createdMs)}`,
        ({ createdMs }) => createdMs,
      ),
    },
    reporting: {
      title: 'Reports again',
      none: ofCompared('No silent truck reports again.'),
      lines: toUnitLines(
        reporting,
        ({ fixAtMs }) => (fixAtMs === null ? 'is listed again' : `newest fix at ${moment(fixAtMs)}`),
        ({ fixAtMs }) => fixAtMs ?? toMs,
      ),
    },
  };
};

/** The sections of a handover in the order of what needs a person first. */
export const toHandoverSections = (handover: Handover, format: HandoverFormat): HandoverSection[] => {
  const { moment } = format;
  const { arrivals, departures } = toVisitLines(handover, moment);
  const units = toUnitSections(handover, format);
  return [
    {
      title: 'Alerts',
      none: '',
      lines: handover.alerts.map((alert) => toAlertLine(alert, moment)),
      isToCall: true,
    },
    units.silent,
    units.flagged,
    units.notes,
    { title: 'Arrived', none: 'No truck arrived at a site.', lines: arrivals },
    { title: 'Departed', none: 'No truck left a site.', lines: departures },
    {
      title: 'Drove long',
      none:
        handover.drivers === null
          ? 'This fleet is too large to add up driving times here: see History, Activity.'
          : 'No truck drove for more than 8 hours.',
      lines: toDriverLines(handover),
    },
    {
      title: 'Changed identity',
      none: 'No truck changed its VIN, number, plate or device.',
      lines: handover.renamed.map((unit) => toRenamedLine(unit, moment)),
    },
    units.reporting,
  ];
};
