import 'server-only';
import { isAppError } from '@/lib/base/http/problems';
import { HOUR_MS, type TimeRange, DAY_MS } from '@/lib/base/time';
import type { Database } from '@/lib/database/database';
import type { Mail } from '@/lib/jobs/mailer';
import { METERS_PER_MILE } from '@/lib/geo/units';
import { toChosenQuery } from '@/lib/reports/chosen';
import { toActivityCsv, toMiles, toMilesCsv, type ReportedDay } from '@/lib/reports/reports';
import { readChosenUnits } from '@/lib/reports/server/chosen-units';
import { readVisitReport } from '@/lib/sites/server/visit-report';
import { atLeastText, toVisitReportCsv } from '@/lib/sites/visit-report';
import { addDays, dayOf, dayRange } from '@/lib/trips/days';
import { formatCount, formatWhole } from '@/lib/view/format';
import { nameAmong } from '@/lib/view/unit-name';
import { MAIL_LABELS } from '../text';
import type { HandoverHistory } from './handover';
import type { ScheduledMail } from './mail-schedule';

/** A larger file is left out of its mail: mail servers refuse it. */
const MOST_BYTES = 8_000_000;
/** States that a mail lists; the file has all. */
const MOST_STATES = 10;

interface Report {
  /** Lines of the mail. */
  summary: string[];
  csv: string;
}

interface ReportMailContext {
  database: Pick<Database, 'orm'>;
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

const readReport = async (
  { database: { orm }, history, nowMs }: ReportMailContext,
  { kind, usdot, timeZone, unit, tag }: ScheduledMail,
  range: TimeRange,
): Promise<Report> => {
  const chosen = await readChosenUnits(orm, usdot, { unit, tag });
  if (chosen?.size === 0) return { summary: [`No truck has the tag ${tag} now.`], csv: '' };
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
  const lines = history.reports.read(usdot, { ...range, zone: timeZone, chosen }, signal);
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
  const fileName = `${kind === 'visits' ? 'site-visits' : kind}-${usdot}-${from}-${to}.csv`;
  return {
    to: email,
    subject: `${MAIL_LABELS[kind]}, ${days} (USDOT ${usdot})`,
    text,
    ...(csv !== '' && !isLarge && { csv: { fileName, text: csv } }),
  };
};
