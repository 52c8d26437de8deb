import { drizzle } from 'drizzle-orm/node-postgres';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Job, JobSet } from '@/lib/jobs/jobs';
import { toWallClock } from '@/lib/trips/days';
import { parseMinute } from '@/lib/rules/hours';
import { createMailer, type Mail } from '@/lib/jobs/mailer';
import { formatMoment } from '@/lib/view/format';
import type { HeldAlerts } from '@/testing/alerts/alerts';
import { createMessages } from '@/testing/alerts/messages';
import { setUpRecording } from '@/testing/history/recording';
import { USDOT, atMs, recordShift, storeShift } from '@/testing/history/shift';
import { startMailServer } from '@/testing/mail-server';
import { handoverSchema } from '../schema';
import { toHandoverSections, toLineLink } from '../text';
import { readHandover } from './handover';
import { createHandoverMails } from './handover-mails';
import { HOUR_MS } from '@/lib/base/time';

const PLACE = '8 mi NE of Amarillo, TX';
const held = setUpRecording();
const history = () => ({ reader: held.reader, reports: { readRange: async () => [] } }) as never;
let mailServer: Awaited<ReturnType<typeof startMailServer>>;
let nowMs: number;
let sendMail: (mail: Mail) => Promise<void>;

beforeEach(async () => {
  mailServer = await startMailServer();
  sendMail = createMailer({
    url: `smtp://127.0.0.1:${mailServer.port}`,
    from: 'Linehaul <fleet@carrier.test>',
  });
  await storeShift(held);
  await held.pool.query('UPDATE linehaul.users SET usdots = $1', [[USDOT]]);
});
afterEach(() => mailServer.close());

/** A weekly schedule of the user `me` whose mail is due at a moment. */
const schedule = async (dueMs: number, { hours = 24, timeZone = 'UTC' } = {}): Promise<void> => {
  nowMs = dueMs;
  const [day = '', time = ''] = toWallClock(dueMs, timeZone).split(' ');
  await held.pool.query(
    `INSERT INTO linehaul.handover_mails (user_id, usdot, at_min, time_zone, weekdays, hours)
     VALUES ('me', $1, $2, $3, $4, $5)`,
    [USDOT, parseMinute(time.slice(0, 5)), timeZone, [new Date(day).getUTCDay() || 7], hours],
  );
};

type Jobs = Parameters<typeof createHandoverMails>[0]['jobs'];

const createMails = (jobs: Jobs, warned: string[] = []): JobSet =>
  createHandoverMails({
    jobs,
    database: () => ({ pool: held.pool, orm: drizzle({ client: held.pool }) }),
    history,
    loadPlaces: async () => () => PLACE,
    sendMail: (mail) => sendMail(mail),
    publicUrl: 'https://fleet.test',
    clock: { nowMs: () => nowMs },
    log: { warn: (_fields, message) => void warned.push(message) },
    pollMs: 10,
  });

/** The jobs of mails, which a test runs itself. */
const setUpJobs = () => {
  const waiting = new Map<string, Job>();
  const delays: number[] = [];
  const warned: string[] = [];
  const isMail = (name: string): boolean => name.endsWith('-mail');
  const mails = createMails(
    {
      insert: async (_tx, name, jobs) => {
        for (const job of isMail(name) ? jobs : []) if (!waiting.has(job.id)) waiting.set(job.id, job);
      },
      finish: async (_tx, _name, id) => void waiting.delete(id),
      again: async (_tx, name, job, delayMs) => {
        if (!isMail(name)) return;
        waiting.set(job.id, job);
        delays.push(delayMs);
      },
    },
    warned,
  );
  const [due, mail] = mails.kinds;
  const { signal } = new AbortController();
  const look = () => due!.run({ id: 'due', data: {} }, signal);
  const run = async () => {
    for (const job of waiting.values()) await mail!.run(job, signal);
  };
  return { waiting, delays, warned, look, run, send: (job: Job) => mail!.run(job, signal) };
};

const readMessageIds = (): unknown[] =>
  mailServer.received.map(({ text }) => /^Message-ID: (.*)\r$/im.exec(text)?.[1]);

it('has the lines of the page, each with the address of its moment and, where it may need one, whom to call', async () => {
  await recordShift(held);
  await held.pool.query(
    `INSERT INTO linehaul.unit_contacts (usdot, unit, driver, driver_phone, changed_ms)
     SELECT DISTINCT usdot, unit, 'Ann Lee', '+15125550123', 1 FROM linehaul.unit_identities`,
  );
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  await schedule(atMs(50), { hours: 1, timeZone });
  const sent: Mail[] = [];
  sendMail = async (mail) => void sent.push(mail);
  const { waiting, look, run } = setUpJobs();
  await look();
  await run();
  expect(waiting.size).toBe(0);

  const [{ to, text }] = sent as [Mail];
  expect(to).toBe('me@carrier.test');
  const range = { fromMs: atMs(50) - HOUR_MS, toMs: atMs(50) };
  const read = await readHandover({ history: history(), pool: held.pool }, { id: 'me' }, USDOT, range);
  const answer = handoverSchema.parse({ ...read, visitedMs: null });
  // As the page shows it in a browser of this time zone.
  const sections = toHandoverSections(answer, {
    moment: (ms) => formatMoment(ms, answer.toMs),
    place: () => PLACE,
  });
  const single = sections.flatMap((section) =>
    section.lines
      .filter(({ group }) => group === undefined)
      .map((line) => {
        const { name, path } = toLineLink(USDOT, line);
        const call = section.isToCall ? 'Driver: Ann Lee (512) 555-0123\n' : '';
        return `${name} ${line.text}\n${call}https://fleet.test${path}`;
      }),
  );
  expect(single.length).toBeGreaterThan(2);
  expect(text.match(/^.+\n(?:Driver: .+\n)?https:\S+past=\S+$/gm)).toEqual(single);
  const moment = (ms: number): string => formatMoment(ms, answer.toMs);
  expect(text).toContain(
    `Yard Dallas: LEAVES ${moment(atMs(2))} for 2 min; DRIVES ${moment(atMs(1))} for 11 min; 117 since ${moment(atMs(15)).replace(/ .M$/, '')}–${moment(atMs(25))}\n`,
  );
  expect(text).toContain('\n\nOpen alerts (2, 1 truck)\n');
  for (const { title, lines: own, of } of sections)
    if (own.length > 0 && of === undefined) expect(text).toContain(`\n\n${title} (${own.length})\n`);
});

it('is sent once at its time, with what changed in its hours', async () => {
  await schedule(atMs(60));
  const { look, run } = setUpJobs();
  nowMs -= 1;
  await look();
  await run();
  expect(mailServer.received).toEqual([]);
  nowMs += 1;
  for (let times = 0; times < 3; times++) {
    await look();
    await run();
    nowMs += 60_000;
  }
  expect(mailServer.received.map(({ to }) => to)).toEqual([['me@carrier.test']]);
  expect(mailServer.received[0]!.text).toContain('brakes');
  nowMs = atMs(60) + 7 * 24 * HOUR_MS;
  await look();
  await run();
  expect(mailServer.received).toHaveLength(2);
  expect(mailServer.received[1]!.text).not.toContain('brakes');
});

it('a late mail begins where one in time does', async () => {
  await schedule(atMs(60), { hours: 1 });
  nowMs += HOUR_MS;
  const { look, run } = setUpJobs();
  await look();
  await run();
  // Half an hour before it was due, an hour and a half ago.
  expect(mailServer.received[0]!.text).toContain('brakes');
});

it('a mail that fails after it was sent comes again later under its id, and none comes on another day', async () => {
  await schedule(atMs(60));
  const send = sendMail;
  let isLost = true;
  sendMail = async (mail) => {
    await send(mail);
    if (isLost) throw new Error('The connection was lost.');
  };
  const { waiting, delays, warned, look, run } = setUpJobs();
  await look();
  await run();
  await look();
  await run();
  expect(delays).toEqual([10_000, 20_000]);
  expect(warned[0]).toBe('A scheduled mail could not be sent; it is tried again.');
  isLost = false;
  await run();
  const ids = readMessageIds();
  expect(ids[0]).toMatch(/^<[\da-f-]{36}@carrier\.test>$/);
  expect(ids).toEqual([ids[0], ids[0], ids[0]]);
  expect(waiting.size).toBe(0);

  isLost = true;
  nowMs += 7 * 24 * HOUR_MS;
  await look();
  await run();
  expect(waiting.size).toBe(1);
  nowMs += 24 * HOUR_MS;
  await run();
  expect(waiting.size).toBe(0);
  expect(new Set(readMessageIds()).size).toBe(2);
});

it('a mail that the mail server refuses for good is not tried again on that day, and the next one is sent', async () => {
  await schedule(atMs(60));
  mailServer.refuse({ at: 'recipient', status: 550, text: '5.1.1 User unknown' });
  const { waiting, warned, look, run } = setUpJobs();
  await look();
  await run();
  await look();
  expect([waiting.size, warned]).toEqual([0, ['A scheduled mail could not be sent.']]);
  mailServer.refuse(null);
  nowMs += 7 * 24 * HOUR_MS;
  await look();
  await run();
  expect(mailServer.received).toHaveLength(1);
});

// When a mail is due is read from the clock of the process; how long its job waits, from PostgreSQL's (jobs.test.ts).
it('is sent once while the clock is set back an hour before and after that', async () => {
  await schedule(atMs(60));
  const { waiting, look, run } = setUpJobs();
  await look();
  expect(waiting.size).toBe(1);
  // It is not due yet, and neither lost with its job nor stuck after it.
  nowMs -= HOUR_MS;
  await run();
  await look();
  await run();
  expect(mailServer.received).toEqual([]);
  for (let back = 0; back < 2; back++) {
    for (let minute = 0; minute <= 60; minute++) {
      nowMs += 60_000;
      await look();
      await run();
      expect(mailServer.received).toHaveLength(back > 0 || minute >= 59 ? 1 : 0);
    }
    nowMs -= HOUR_MS;
  }
  expect(mailServer.received[0]!.text).toContain('brakes');
});

it('two servers that run one job at once send one mail', async () => {
  await schedule(atMs(60));
  const [one, two] = [setUpJobs(), setUpJobs()];
  await one.look();
  const [job] = [...one.waiting.values()];
  await Promise.all([one.send(job!), two.send(job!)]);
  expect(mailServer.received).toHaveLength(1);
});

it('two servers on one database send one mail, after the mails of alerts have started', async () => {
  await schedule(atMs(60));
  const servers = [1, 2].map(() =>
    createMessages({ database: held.database, nowMs } as HeldAlerts, {
      createOthers: (jobs) => [createMails(jobs)],
    }),
  );
  for (const server of servers) server.start();
  await expect.poll(() => mailServer.received.length, { timeout: 15_000 }).toBe(1);
  // The mails that are due are looked for once more.
  const readJobs = () =>
    held.pool.query(`SELECT name, created_on FROM linehaul_jobs.job WHERE name = 'handover-due'`);
  const { rows: before } = await readJobs();
  await held.pool.query(`UPDATE linehaul_jobs.job SET start_after = now() WHERE name = 'handover-due'`);
  await expect.poll(async () => (await readJobs()).rows).not.toEqual(before);
  await Promise.all(servers.map((server) => server.close()));
  expect(mailServer.received).toHaveLength(1);
});

it('is not sent to a user who is disabled or sees the fleet no more or not all of it, also not after it was found due', async () => {
  await schedule(atMs(60));
  const { waiting, look, run } = setUpJobs();
  const { pool } = held;
  await pool.query(`UPDATE linehaul.users SET usdots = '{9000002}'`);
  await look();
  await pool.query(`UPDATE linehaul.users SET usdots = NULL, disabled_at = now()`);
  await look();
  expect(waiting.size).toBe(0);
  await pool.query(`UPDATE linehaul.users SET disabled_at = NULL`);
  await look();
  expect(waiting.size).toBe(1);
  await pool.query(`UPDATE linehaul.users SET role = 'dispatcher', tags = '{flatbeds}'`);
  await run();
  expect(waiting.size).toBe(0);
  expect(mailServer.received).toEqual([]);
});

it.each([
  ['goes on where its tag is there again', 'again', true, '0 visits to 0 sites'],
  ['says so where no truck has its tag', 'nobody', false, 'No truck has the tag nobody now.'],
])('a report %s', async (_, tag, isEnding, says) => {
  nowMs = atMs(90);
  const day = new Date(nowMs);
  await held.pool.query(
    `INSERT INTO linehaul.report_mails (user_id, usdot, kind, tag, at_min, time_zone, weekdays, hours, is_ending)
     VALUES ('me', $1, 'visits', $4, $2, 'UTC', $3, 24, $5)`,
    [USDOT, day.getUTCHours() * 60 + day.getUTCMinutes(), [day.getUTCDay() || 7], tag, isEnding],
  );
  await held.pool.query(`INSERT INTO linehaul.unit_tags (usdot, tag, unit) VALUES ($1, 'again', 'A')`, [
    USDOT,
  ]);
  const { look, run } = setUpJobs();
  await look();
  await run();
  const texts = mailServer.received.map(({ text }) => text);
  expect(texts).toHaveLength(1);
  expect(texts[0]).not.toContain('was removed');
  expect(texts[0]).toContain(says);
  const { rows } = await held.pool.query('SELECT is_ending FROM linehaul.report_mails');
  expect(rows).toEqual([{ is_ending: false }]);
  await held.pool.query('DELETE FROM linehaul.report_mails');
});

it('a report whose tag was removed says so once and ends', async () => {
  nowMs = atMs(60);
  const day = new Date(nowMs);
  await held.pool.query(
    `INSERT INTO linehaul.report_mails (user_id, usdot, kind, tag, at_min, time_zone, weekdays, hours, is_ending)
     VALUES ('me', $1, 'miles', 'reefers', $2, 'UTC', $3, 24, true)`,
    [USDOT, day.getUTCHours() * 60 + day.getUTCMinutes(), [day.getUTCDay() || 7]],
  );
  const { look, run } = setUpJobs();
  await look();
  await run();
  await look();
  await run();
  expect(mailServer.received).toHaveLength(1);
  expect(mailServer.received[0]!.text).toContain('The tag was removed');
  expect((await held.pool.query('SELECT FROM linehaul.report_mails')).rowCount).toBe(0);
});
