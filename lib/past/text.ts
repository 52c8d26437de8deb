import { METERS_PER_MILE } from '@/lib/geo/units';
import { formatCount, formatDistance, formatDuration, formatWhole, toMph } from '@/lib/view/format';
import type { MissingReason, SegmentKind } from '@/lib/trips/segments';
import type { DayEntry, Interruption, Totals } from '@/lib/trips/trips';

export const SEGMENT_LABELS: Readonly<Record<SegmentKind, string>> = {
  moving: 'moving',
  stopped: 'stopped',
  silent: 'truck silent',
  notRecorded: 'not recorded',
  ahead: 'not yet',
};

const DATABASE_AWAY = 'the database was away';
const CONTRADICTORY = 'the provider’s answers contradicted each other';

const REASONS: Readonly<Record<MissingReason['state'], string>> = {
  before: 'the recording had not begun',
  failing: 'the provider failed',
  lost: DATABASE_AWAY,
  notRunning: 'Linehaul was not running',
};

/** Reasons by the kind of a problem: quarantined answers, and failures that are not the provider's. */
const PROBLEM_REASONS: Readonly<Partial<Record<string, string>>> = {
  database: DATABASE_AWAY,
  drop: CONTRADICTORY,
  otherFleet: CONTRADICTORY,
  older: CONTRADICTORY,
  repeated: CONTRADICTORY,
  refused: 'the database refused the data',
  file: 'the file of these hours cannot be read',
};

/** A duration of a range in hours and minutes: "7 h 31 m", "24 h 00 m"; from 100 hours on without minutes: "1,133 h". */
export const formatHours = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  if (minutes >= 6000) return `${formatWhole(Math.round(minutes / 60))} h`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} m`;
};

/** Why nothing was recorded, as part of a sentence: "the provider failed". */
export const reasonPhrase = ({ state, problem }: MissingReason): string =>
  PROBLEM_REASONS[problem ?? ''] ?? REASONS[state];

/** Why nothing was recorded: "The provider failed", "Linehaul was not running". */
export const reasonText = (reason: MissingReason): string => {
  const phrase = reasonPhrase(reason);
  return phrase[0]!.toUpperCase() + phrase.slice(1);
};

const gapLabel = (reason: MissingReason | null): string =>
  reason === null ? 'Truck silent' : reasonText(reason);

/** A gap with its reason and duration: "Truck silent for 42 min". */
export const gapText = ({ reason, fromMs, toMs }: Interruption): string =>
  `${gapLabel(reason)} for ${formatDuration(toMs - fromMs)}`;

const toInterruptionTexts = (interruptions: readonly Interruption[]): string[] => {
  const sums = new Map<string, number>();
  for (const { reason, fromMs, toMs } of interruptions) {
    const label = gapLabel(reason);
    sums.set(label, (sums.get(label) ?? 0) + toMs - fromMs);
  }
  return [...sums].map(([label, ms]) => `${label} for ${formatDuration(ms)}`);
};

export const milesText = (meters: number): string =>
  meters < METERS_PER_MILE / 10 ? '0 mi' : formatDistance(meters);

const bridgedText = (bridgedM: number): string | null =>
  bridgedM < METERS_PER_MILE / 10 ? null : `${formatDistance(bridgedM)} bridged by a straight line`;

type NameAt = (at: { lat: number; lng: number }) => string;

/** An entry of the list of trips and stops: a word, what follows it, and what is known besides. */
export interface EntryText {
  label: string;
  text: string;
  notes: string[];
}

/** An entry as text. @param placeAt names a position; null while the names are not loaded */
export const toEntryText = (
  entry: DayEntry,
  placeAt: NameAt | null,
  timeOf: (atMs: number) => string,
): EntryText => {
  const placeOf = (at: { lat: number; lng: number } | null): string =>
    at === null ? '' : (placeAt?.(at) ?? '…');
  const bridged = bridgedText(entry.bridgedM);
  switch (entry.kind) {
    case 'trip': {
      const to = placeOf(entry.to);
      const average = entry.averageKph === null ? [] : [`${toMph(entry.averageKph)} mph average`];
      const where = to === '' ? '' : entry.isUnderWay ? `, now ${to}` : ` to ${to}`;
      return {
        label: entry.isUnderWay ? 'Driving' : 'Drove',
        text: `${milesText(entry.drivenM)}${where}`,
        notes: [
          [...average, formatCount(entry.fixes, 'fix', 'fixes')].join(', '),
          ...toInterruptionTexts(entry.interruptions),
          ...(bridged === null ? [] : [bridged]),
        ],
      };
    }
    case 'stop': {
      const times = [
        entry.hasArrival ? `arrived ${timeOf(entry.fromMs)}` : null,
        entry.hasDeparture ? `left ${timeOf(entry.toMs)}` : null,
      ].filter((each) => each !== null);
      const place = placeOf(entry.at);
      return {
        label: `Stopped ${entry.number}`,
        text: [entry.isContinued ? 'still' : '', place].filter(Boolean).join(' at '),
        notes: [
          ...(times.length === 0 ? [] : [times.join(', ')]),
          ...toInterruptionTexts(entry.interruptions),
        ],
      };
    }
    default: {
      const [from, to] = [entry.from, entry.to];
      return {
        label: gapLabel(entry.reason),
        text: bridged ?? (from !== null && to !== null ? 'the same place before and after' : ''),
        notes: to === null || bridged === null ? [] : [`then ${timeOf(entry.toMs)}, ${placeOf(to)}`],
      };
    }
  }
};

/** The figures in one line: "at least 412 mi · driving 7 h 31 m · stopped 14 h 05 m · not known 2 h 24 m · 5 stops". */
export const totalsText = (totals: Totals): string => {
  const { drivenM, movingMs, stoppedMs, silentMs, notRecordedMs, stops } = totals;
  const bridged = bridgedText(totals.bridgedM);
  return [
    `at least ${milesText(drivenM)}${bridged === null ? '' : ` + ${formatDistance(totals.bridgedM)} over gaps`}`,
    `driving ${formatHours(movingMs)}`,
    `stopped ${formatHours(stoppedMs)}`,
    `not known ${formatHours(silentMs + notRecordedMs)}`,
    formatCount(stops, 'stop'),
  ].join(' · ');
};

export const toTotalTexts = (totals: Totals): { name: string; text: string; note?: string }[] => {
  const bridged = bridgedText(totals.bridgedM);
  return [
    {
      name: 'Miles, at least',
      text: milesText(totals.drivenM),
      ...(bridged === null ? {} : { note: `+ ${formatDistance(totals.bridgedM)} over gaps` }),
    },
    { name: 'Driving', text: formatHours(totals.movingMs) },
    { name: 'Stopped', text: formatHours(totals.stoppedMs) },
    { name: 'Not known', text: formatHours(totals.silentMs + totals.notRecordedMs) },
    { name: 'Stops', text: String(totals.stops) },
  ];
};
