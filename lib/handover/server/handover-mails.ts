import 'server-only';
import { listLines } from '@/lib/alerts/server/delivery/delivery';
import { toJobId, toRetryMs, type Job, type JobSet, type Jobs } from '@/lib/jobs/jobs';
import { maySeeFleet } from '@/lib/base/viewer';
import type { Clock } from '@/lib/base/clock';
import type { Database } from '@/lib/database/database';
import { toRootCause } from '@/lib/database/failure';
import { readContactsOf } from '@/lib/contacts/server/contacts';
import { contactText } from '@/lib/contacts/text';
import { siteAt } from '@/lib/rules/geofence';
import { listSites } from '@/lib/sites/server/site-repository';
import { toMailProblem, type Mail, type SendMail } from '@/lib/jobs/mailer';
import { formatDayAndTime, formatMoment } from '@/lib/view/format';
import type { Handover, MailKind } from '../schema';
import { NOT_COMPARED, groupLines, toHandoverSections, toLineLink, type HandoverFormat } from '../text';
import { readHandover, toHandoverStart, type HandoverHistory } from './handover';
import { makeEndMail, makeReportMail } from './report-mails';
import { endMail, goOn, listScheduledMails, noteSent, toDueMs, type ScheduledMail } from './mail-schedule';
import type { NamePlace } from './places';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import type { UnitContact } from '@/lib/view/marks';

const POLL_MS = 5000;
/** Lines of one section; the page has all of them. */
const MAX_LISTED = 200;

/** Servers of the version before take jobs of the first, and know no reports. */
const MAIL_JOBS = ['handover-mail', 'report-mail'] as const;
const toJobName = (kind: MailKind) => MAIL_JOBS[kind === 'handover' ? 0 : 1];

/** The data of one mail's job. The job's id is the Message-ID: a mail that is sent again after a crash keeps it. */
type MailJobData = Pick<ScheduledMail, 'userId' | 'usdot' | 'kind'> & { dueMs: number; failures: number };

interface HandoverMailsOptions {
  jobs: Pick<Jobs, 'insert' | 'finish' | 'again'>;
  database: () => Database;
  history: () => HandoverHistory;
  loadPlaces: () => Promise<NamePlace>;
  sendMail: SendMail;
  publicUrl: string | null;
  clock: Pick<Clock, 'nowMs'>;
  log: Record<'warn', (fields: object, message: string) => void>;
  /** For tests. */
  pollMs?: number;
}

/** A handover as a mail, with the lines of its page. */
const toHandoverMail = (
  handover: Handover,
  { email, usdot, timeZone }: Pick<ScheduledMail, 'email' | 'usdot' | 'timeZone'>,
  {
    publicUrl,
    place,
    contacts,
  }: {
    publicUrl: string | null;
    place: HandoverFormat['place'];
    contacts: ReadonlyMap<string, UnitContact>;
  },
): Mail => {
  const { fromMs, toMs, isCompared } = handover;
  const moment = (ms: number): string => formatMoment(ms, toMs, timeZone);
  const base = publicUrl ?? '';
  const sections = toHandoverSections(handover, { moment, place });
  const none = sections.filter(({ lines }) => lines.length === 0).map((section) => section.none);
  const texts = sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines, count, of, isToCall }) => {
      const listed = [...groupLines(lines)].flatMap(([group, grouped]) => {
        // A truck of many is found on the page.
        if (grouped[0]!.group !== undefined)
          return `${group && `${group}: `}${grouped.map(({ name, text }) => `${name} ${text}`.trim()).join('; ')}`;
        return grouped.map((line) => {
          const { name, path } = toLineLink(usdot, line);
          const call = isToCall ? contactText(contacts.get(line.unit) ?? null) : '';
          return `${name} ${line.text}\n${call && `${call}\n`}${base}${path}`;
        });
      });
      return [
        `${title} (${count ?? lines.length}${of === undefined ? '' : `, ${of}`})`,
        ...listLines(listed, MAX_LISTED),
      ].join('\n');
    });
  const page = `${base}/fleets/${usdot}/handover`;
  return {
    to: email,
    subject: `What changed since ${moment(fromMs)} (USDOT ${usdot})`,
    text: [
      `${formatDayAndTime(fromMs, toMs, timeZone)} to ${formatDayAndTime(toMs, toMs, timeZone)}`,
      `${page}?since=${new Date(fromMs).toISOString()}`,
      ...(isCompared ? [] : [NOT_COMPARED]),
      ...texts,
      none.filter((text) => text !== '').join(' '),
      `You get this mail because you chose so under “Mail me this”: ${page}`,
    ].join('\n\n'),
  };
};

/** Makes the jobs of the mails that are due, of which one that is there already stays as it is, and looks again in a minute. */
const findDue = async ({ jobs, database, clock }: HandoverMailsOptions): Promise<number> => {
  const { orm } = database();
  const nowMs = clock.nowMs();
  const due = (await listScheduledMails(orm)).flatMap((mail) => {
    const { userId, usdot, kind } = mail;
    const dueMs = toDueMs(mail, nowMs);
    if (dueMs === null || !maySeeFleet(mail, usdot)) return [];
    const data = { userId, usdot, kind, dueMs, failures: 0 } satisfies MailJobData;
    return [{ id: toJobId(`handover-mail ${userId} ${usdot} ${kind} ${dueMs}`), data }];
  });
  for (const name of MAIL_JOBS)
    await jobs.insert(
      orm,
      name,
      due.filter(({ data }) => toJobName(data.kind) === name),
    );
  return MINUTE_MS;
};

const makeMail = async (
  { database, clock, history, loadPlaces, publicUrl }: HandoverMailsOptions,
  scheduled: ScheduledMail,
  dueMs: number,
): Promise<Mail> => {
  const { userId, usdot, hours, kind } = scheduled;
  if (scheduled.isEnding) return makeEndMail({ publicUrl }, scheduled);
  const { pool, orm } = database();
  const toMs = clock.nowMs();
  if (kind !== 'handover')
    return makeReportMail(
      { database: { orm, pool }, history: history(), publicUrl, nowMs: toMs },
      scheduled,
      dueMs,
    );
  // A late mail begins where one in time does, so that nothing is left out.
  const range = { fromMs: toHandoverStart(dueMs - hours * HOUR_MS, toMs), toMs };
  const [handover, sites, namePlace] = await Promise.all([
    readHandover({ history: history(), pool }, { id: userId }, usdot, range),
    listSites(orm, usdot),
    loadPlaces(),
  ]);
  return toHandoverMail({ ...handover, visitedMs: null }, scheduled, {
    publicUrl,
    contacts: await readContactsOf(orm, usdot, [
      ...handover.alerts.map(({ unit }) => unit),
      ...handover.silent.map(({ key }) => key),
    ]),
    place: (at) => siteAt(sites, at)?.name ?? namePlace(at),
  });
};

/** Sends a mail if it is still due, and tries that again later if it fails. */
const sendDue = async (options: HandoverMailsOptions, job: Job): Promise<void> => {
  const { jobs, database, sendMail, clock, log } = options;
  const { orm } = database();
  // A job of a server before there were other mails than handovers has no kind.
  const data = { kind: 'handover', ...(job.data as object) } as MailJobData;
  const { usdot, dueMs, kind } = data;
  const name = toJobName(kind);
  const [scheduled] = await listScheduledMails(orm, data);
  if (scheduled === undefined || !maySeeFleet(scheduled, usdot)) return jobs.finish(orm, name, job.id);
  if (toDueMs(scheduled, clock.nowMs()) !== dueMs) {
    if (dueMs > (scheduled.sentMs ?? 0))
      log.warn({ usdot, kind }, 'A scheduled mail is given up: a day has passed, or the next one is due.');
    return jobs.finish(orm, name, job.id);
  }
  if (scheduled.isEnding && (await goOn(orm, scheduled))) scheduled.isEnding = false;
  try {
    const mail = await makeMail(options, scheduled, dueMs);
    await orm.transaction(async (tx) => {
      // Another server that sends it holds the row until it has noted that.
      if (await noteSent(tx, scheduled, dueMs)) {
        await sendMail({ ...mail, messageId: job.id });
        if (scheduled.isEnding) await endMail(tx, scheduled);
      }
      await jobs.finish(tx, name, job.id);
    });
  } catch (error) {
    const reason = String(toRootCause(error));
    if (toMailProblem(error).isPermanent) {
      log.warn({ usdot, reason }, 'A scheduled mail could not be sent.');
      return orm.transaction(async (tx) => {
        await noteSent(tx, scheduled, dueMs);
        await jobs.finish(tx, name, job.id);
      });
    }
    log.warn({ usdot, reason }, 'A scheduled mail could not be sent; it is tried again.');
    const failures = data.failures + 1;
    await jobs.again(orm, name, { ...job, data: { ...data, failures } }, toRetryMs(failures));
  }
};

/** The handovers and reports that users get by mail: jobs that find what is due, and send each mail at least once under one id. */
export const createHandoverMails = (options: HandoverMailsOptions): JobSet => {
  const { pollMs = POLL_MS } = options;
  return {
    kinds: [
      { name: 'handover-due', isUpkeep: true, slots: 1, pollMs: 6 * pollMs, run: () => findDue(options) },
      // One at a time, because comparing a large fleet takes some seconds.
      ...MAIL_JOBS.map((name) => ({ name, slots: 1, pollMs, run: (job: Job) => sendDue(options, job) })),
    ],
  };
};
