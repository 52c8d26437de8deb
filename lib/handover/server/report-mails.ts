import 'server-only';
import { isAppError } from '@/lib/base/http/problems';
import { HOUR_MS, type TimeRange, DAY_MS } from '@/lib/base/time';
import type { Database } from '@/lib/database/database';
import { toQualityCsv, type QualityGroup, type QualityRow } from '@/lib/data-quality/quality';
import { readQualityNames } from '@/lib/data-quality/server/names';
import { toFigures } from '@/lib/data-quality/text';
import { toFacilitiesCsv } from '@/lib/facilities/facilities';
import { readFacilities } from '@/lib/facilities/server/facilities';
import { inTimeText, ofArrivalsText } from '@/lib/facilities/text';
import type { Mail } from '@/lib/jobs/mailer';
import { METERS_PER_MILE } from '@/lib/geo/units';
import { toChosenQuery } from '@/lib/reports/chosen';
import { toActivityCsv, toMiles, toMilesCsv, type ReportedDay } from '@/lib/reports/reports';
import { readChosenUnits } from '@/lib/reports/server/chosen-units';
import { readVisitReport } from '@/lib/sites/server/visit-report';
import { atLeastText, toVisitReportCsv } from '@/lib/sites/visit-report';
import { addDays, dayOf, dayRange } from '@/lib/trips/days';
import { formatCount, formatDuration, formatWhole } from '@/lib/view/format';
import { nameAmong } from '@/lib/view/unit-name';
import type { MailKind } from '../schema';
import { MAIL_LABELS } from '../text';
import type { HandoverHistory } from './handover';
import type { ScheduledMail } from './mail-schedule';

/** A larger file is left out of its mail: mail servers refuse it. */
const MOST_BYTES = 8_000_000;
/** States that a mail lists; the file has all. */
const MOST_STATES = 10;

/** The beginnings of names of files that are not those of their kinds, as the page has them. */
const FILE_NAMES: Partial<Record<MailKind, string>> = { visits: 'site-visits', quality: 'data-quality' };

interface Report {
  /** Lines of the mail. */
  summary: string[];
  csv: string;
}

interface ReportMailContext {
  database: Pick<Database, 'orm' | 'pool'>;
  history: HandoverHistory;
  publicUrl: string | null;
  nowMs: number;
}

/** The days that a mail is about, "2026-11-16" to "2026-11-22": whole ones before the day on which it is due. */
export const toReportDays = (
  { hours, timeZone }: Pick<ScheduledMail, 'hours' | 'timeZone'>,
  dueMs: number,
) => {
  const today = dayOf(dueMs, timeZone);
  return {
    from: addDays(today, -Math.max(1, Math.round((hours * HOUR_MS) / DAY_MS))),
    to: addDays(today, -1),
  };
};

const toMileText = (meters: number): string => `${formatWhole(Math.round(meters / METERS_PER_MILE))} mi`;

const toActivity = (days: readonly ReportedDay[], zone: string): Report => {
  const drivenM = days.reduce((sum, day) => sum + day.drivenM, 0);
  const trucks = formatCount(new Set(days.map(({ key }) => key)).size, 'truck');
  return { summary: [`${trucks}, at least ${toMileText(drivenM)}`], csv: toActivityCsv(days, zone) };
};

const toMilesReport = (days: readonly ReportedDay[]): Report => {
  const { states, units } = toMiles(days);
  const listed = states.slice(0, MOST_STATES);
  const more = states.length - listed.length;
  return {
    summary: [
      `${formatCount(units.length, 'truck')}, miles at least:`,
      ...listed.map(({ state, drivenM }) => `${state === '' ? 'outside' : state} ${toMileText(drivenM)}`),
      ...(more > 0 ? [`and ${formatCount(more, 'more state')}`] : []),
    ],
    csv: toMilesCsv(units),
  };
};

/** What a report in a mail is about: the keys of the chosen trucks; null: all. */
interface ReportQuestion extends TimeRange {
  zone: string;
  chosen: ReadonlySet<string> | null;
}

const toFacilitiesReport = async (
  { database: { orm, pool }, nowMs }: ReportMailContext,
  usdot: string,
  question: ReportQuestion,
): Promise<Report> => {
  const query = { ...question, by: 'site', each: 'range' } as const;
  const { rows, all } = await readFacilities({ orm, pool, nowMs }, usdot, query);
  const [fleet] = all;
  const inTime = fleet && inTimeText(fleet);
  return {
    summary: [
      `${formatCount(fleet?.visits ?? 0, 'visit')} to ${formatCount(rows.length, 'site')}`,
      ...(fleet?.medianMs
        ? [`Stay: ${formatDuration(fleet.medianMs)} in the middle of ${formatCount(fleet.stays, 'stay')}`]
        : []),
      ...(inTime ? [`On time: ${inTime} ${ofArrivalsText(fleet)}`] : []),
    ],
    csv: toFacilitiesCsv(rows, query.by),
  };
};

/** The figures of each truck, and those of the provider as lines. */
const toQualityReport = async (
  { database: { orm }, history: { quality } }: ReportMailContext,
  usdot: string,
  question: ReportQuestion,
): Promise<Report> => {
  const names = await readQualityNames(orm, usdot);
  const read = async (by: QualityGroup): Promise<QualityRow[]> => {
    const rows: QualityRow[] = [];
    const { signal } = new AbortController();
    const lines = quality.read(usdot, { ...question, by, each: 'range' }, names, signal);
    for await (const line of lines) rows.push(...line.rows);
    return rows;
  };
  const providers = await read('provider');
  const trucks = await read('truck');
  return {
    summary:
      providers.length === 0
        ? ['Nothing was recorded.']
        : providers.flatMap((row) => [
            `${row.name}: ${formatCount(row.units, 'truck')}, ${formatCount(row.fixes, 'fix', 'fixes')}`,
            ...toFigures(row).map(({ label, value, of }) => `${label}: ${value} (${of})`),
          ]),
    csv: toQualityCsv(trucks, 'range'),
  };
};

const readReport = async (
  context: ReportMailContext,
  { kind, usdot, timeZone, unit, tag }: ScheduledMail,
  range: TimeRange,
): Promise<Report> => {
  const {
    database: { orm },
    history,
    nowMs,
  } = context;
  const chosen = await readChosenUnits(orm, usdot, { unit, tag });
  if (chosen?.size === 0) return { summary: [`No truck has the tag ${tag} now.`], csv: '' };
  const question = { ...range, zone: timeZone, chosen };
  if (kind === 'facilities') return toFacilitiesReport(context, usdot, question);
  if (kind === 'quality') return toQualityReport(context, usdot, question);
  if (kind === 'visits') {
    const context = { orm, reader: history.reader, nowMs };
    const { visits, hasMore } = await readVisitReport(context, usdot, range, chosen);
    const atLeast = atLeastText(visits);
    const sites = formatCount(new Set(visits.map(({ siteId }) => siteId)).size, 'site');
    return {
      summary: [
        `${formatCount(visits.length, 'visit')} to ${sites}, also those that began before or go on after these days`,
        ...(atLeast === null ? [] : [atLeast]),
        ...(hasMore ? [`These are the first: there are more. Choose fewer days or trucks.`] : []),
      ],
      csv: toVisitReportCsv(visits, timeZone),
    };
  }
  const days: ReportedDay[] = [];
  const { signal } = new AbortController();
  const lines = history.reports.read(usdot, question, signal);
  for await (const { day, units } of lines) for (const each of units) days.push({ ...each, day });
  return kind === 'miles' ? toMilesReport(days) : toActivity(days, timeZone);
};

/** The report as lines and a file; as why there is none where its range has too many fixes. */
const readOrRefuse = async (...args: Parameters<typeof readReport>): Promise<Report> => {
  try {
    return await readReport(...args);
  } catch (error) {
    if (!isAppError(error, 'range-too-long')) throw error;
    return { summary: [error.detail ?? 'The range is too long. Choose fewer days.'], csv: '' };
  }
};

/** The last mail of a report whose truck or tag was removed. */
export const makeEndMail = (
  { publicUrl }: Pick<ReportMailContext, 'publicUrl'>,
  { email, usdot, kind, unit, tag }: ScheduledMail,
): Mail => ({
  to: email,
  subject: `${MAIL_LABELS[kind]} by mail ends (USDOT ${usdot})`,
  text: [
    `${MAIL_LABELS[kind]} of USDOT ${usdot}, ${tag === null ? `truck ${unit}` : `tag ${tag}`}`,
    `The ${tag === null ? 'truck' : 'tag'} was removed, so you get this report no more. Choose others under “Mail me this”:`,
    `${publicUrl ?? ''}/fleets/${usdot}/history?question=${kind}`,
  ].join('\n\n'),
});

/** The mail of a report, with its table as a file. */
export const makeReportMail = async (
  context: ReportMailContext,
  scheduled: ScheduledMail,
  dueMs: number,
): Promise<Mail> => {
  const { email, usdot, kind, timeZone, unit, tag } = scheduled;
  const { from, to } = toReportDays(scheduled, dueMs);
  const range = { fromMs: dayRange(from, timeZone).fromMs, toMs: dayRange(to, timeZone).toMs };
  const { summary, csv } = await readOrRefuse(context, scheduled, range);
  const names = unit === null ? null : await context.history.reader.readNames(usdot, [unit]);
  const about =
    names !== null ? `truck ${nameAmong(names, unit!)}` : tag === null ? 'all trucks' : `tag ${tag}`;
  const days = from === to ? from : `${from} to ${to}`;
  const query = new URLSearchParams({ question: kind, from, to, ...toChosenQuery({ unit, tag }) });
  const page = `${context.publicUrl ?? ''}/fleets/${usdot}/history?${query}`;
  const isLarge = Buffer.byteLength(csv) > MOST_BYTES;
  const text = [
    `${MAIL_LABELS[kind]} of USDOT ${usdot}, ${about}\n${days}, ${timeZone}`,
    summary.join('\n'),
    ...(isLarge ? ['The table is too large for a mail: save it from the page.'] : []),
    page,
    'You get this mail because you chose so under “Mail me this” on that page.',
  ].join('\n\n');
  const fileName = `${FILE_NAMES[kind] ?? kind}-${usdot}-${from}-${to}.csv`;
  return {
    to: email,
    subject: `${MAIL_LABELS[kind]}, ${days} (USDOT ${usdot})`,
    text,
    ...(csv !== '' && !isLarge && { csv: { fileName, text: csv } }),
  };
};
