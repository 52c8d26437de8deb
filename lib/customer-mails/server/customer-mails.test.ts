import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it, vi } from 'vitest';
import { LANGUAGES, type Language } from '@/lib/catalog/catalog';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { createMailer, type Mail } from '@/lib/jobs/mailer';
import { addLoad, changeLoad, endLoad, removeLoad, type LoadContext } from '@/lib/loads/server/loads';
import { readLoadMails } from '@/lib/loads/server/load-mails';
import { loadInputSchema } from '@/lib/loads/schema';
import { tmsLoadSchema } from '@/lib/loads/tms';
import { putTmsLoad, type TmsContext } from '@/lib/loads/server/tms';
import { deriveToken, hashToken } from '@/lib/shares/server/token';
import { setUpAlerts } from '@/testing/alerts/alerts';
import { SECRET } from '@/testing/alerts/messages';
import { MANAGER, toClient } from '@/testing/auth/sign-in';
import { startMailServer } from '@/testing/mail-server';
import {
  MAILED_UNIT,
  MAILED_USDOT as USDOT,
  createMailing,
  recordPoll,
  toFound,
  toMailedLoad,
  toWindow,
} from '@/testing/customer-mails';
import { clockOf } from '@/testing/clock';
import { answerEndMails } from './end-page';
import { toEndPath } from './end-mails';
import { addFreeTimeMails } from './free-time';

const held = setUpAlerts();
const [ANN, BOB] = ['ann@customer.test', 'bob@customer.test'];
/** 7:14 AM at both stops. */
const LEFT_MS = Date.UTC(2026, 10, 24, 13, 14);
const APPOINTMENT = { fromMs: LEFT_MS + 5 * HOUR_MS, toMs: LEFT_MS + 6 * HOUR_MS };

/** With usual spaces. */
const plain = (text: string): string => text.replaceAll(/[\u00a0\u2009\u202f]/g, ' ');

let sent: Mail[];
let fail: Error | null;
let mailing: ReturnType<typeof createMailing>;
beforeEach(async () => {
  held.nowMs = LEFT_MS - HOUR_MS;
  [sent, fail] = [[], null];
  await held.database.query(
    `truncate linehaul.loads, linehaul.sites, linehaul.site_visits, linehaul.shares cascade`,
  );
  mailing = createMailing(held, async (mail) => {
    if (fail !== null) throw fail;
    sent.push(mail);
  });
});

const context = (): LoadContext => ({
  ...{ ...held.app, viewer: { ...MANAGER, name: 'Ann' }, client: toClient() },
  clock: { nowMs: () => held.nowMs },
});

const add = async (
  about: ('pickup' | 'delivery' | 'late' | 'freeTime')[],
  language: Language = 'en',
  addresses = [ANN],
  reference?: string,
) => {
  const mailed = toMailedLoad({ addresses, about, language }, APPOINTMENT, reference);
  const { id } = await addLoad(context(), USDOT, mailed);
  // The truck has had it before it comes to the pickup.
  await held.database.query(`update linehaul.load_trucks set from_ms = from_ms - 3600000`);
  return id;
};

const pool = async () => (await held.app.database.open()).pool;

/** A poll that finds that a stop was left. */
const leave = async (
  loadId: number,
  position: number,
  leftMs = LEFT_MS + position * 8 * HOUR_MS,
): Promise<void> => {
  held.nowMs = leftMs + 5 * MINUTE_MS;
  await recordPoll(await pool(), mailing, {
    seenMs: held.nowMs,
    left: { loadId, position, arrivedMs: leftMs - 20 * MINUTE_MS, leftMs, leftByMs: leftMs + 2 * MINUTE_MS },
    loads: [
      toFound(loadId, {
        ...(position === 1 && { state: 'delivered' as const, next: null, endedMs: leftMs }),
        events: [{ kind: 'left', atMs: leftMs, position, unit: MAILED_UNIT }],
      }),
    ],
  });
};

/** A poll that finds that a load comes after its appointment. */
const slip = async (
  loadId: number,
  fromMs = APPOINTMENT.toMs + 10 * MINUTE_MS,
  grades = 20,
): Promise<void> => {
  const window = { ...toWindow(fromMs, fromMs + HOUR_MS), grades };
  await recordPoll(await pool(), mailing, {
    seenMs: held.nowMs,
    loads: [toFound(loadId, { verdict: 'late', window })],
  });
};

/** Sends what is due; resolves once nothing waits. */
const send = async (): Promise<void> => {
  const startedMs = held.nowMs;
  mailing.start();
  await expect
    .poll(async () => {
      await held.database.query(`select 1`);
      const [row] = await held.database.query(
        `select count(*)::int as n from linehaul.customer_mails where state = 'pending' and attempts = 0`,
      );
      return row!.n;
    })
    .toBe(0);
  await mailing.close();
  held.nowMs = startedMs;
};

const states = async (): Promise<string[]> =>
  (
    await held.database.query(
      `select about || ' ' || address || ' ' || state as mail from linehaul.customer_mails order by 1`,
    )
  ).map(({ mail }) => String(mail));

it('mails a pickup, a window beyond the appointment and a delivery, each once to each address', async () => {
  const id = await add(['pickup', 'delivery', 'late'], 'en', [ANN, BOB]);
  await leave(id, 0);
  await leave(id, 0);
  await slip(id, APPOINTMENT.toMs - 1);
  await slip(id);
  await slip(id, APPOINTMENT.toMs + HOUR_MS);
  await send();
  expect(sent.map(({ to, subject }) => `${to}: ${subject}`).sort()).toEqual([
    ...[ANN, BOB].flatMap((to) =>
      ['expected after its appointment', 'picked up'].map((what) => `${to}: Load 4711 · PO 9: ${what}`),
    ),
  ]);
  const picked = sent.find(({ to, subject }) => to === ANN && subject.endsWith('picked up'))!;
  const end = `https://fleet.test${toEndPath(SECRET, id, ANN)}`;
  expect(plain(picked.text)).toBe(
    [
      'Peach State Freight has picked up load 4711 · PO 9 at Dallas DC.',
      'Picked up Tue, Nov 24, between 7:14 and 7:16 AM (Central Time). A truck reports from time to time: it left between two reports.',
      `No more mails about this load to this address:\n${end}`,
    ].join('\n\n'),
  );
  expect(picked.endsAt).toBe(end);
  expect(plain(sent.find(({ subject }) => subject.endsWith('appointment'))!.text)).toMatch(
    /^Peach State Freight expects load 4711 · PO 9 at Amarillo after its appointment\.\n\nExpected Tue, Nov 24, 2:14 – 3:14 PM \(Central Time\)\. 8 of 10 such estimates held\.\n\nAppointment Tue, Nov 24, 12:14 – 1:14 PM\n\n/,
  );
  sent = [];
  await leave(id, 1);
  mailing = createMailing(held, async (mail) => void sent.push(mail));
  await send();
  expect(sent.map(({ to, subject }) => `${to}: ${subject}`).sort()).toEqual(
    [ANN, BOB].map((to) => `${to}: Load 4711 · PO 9: delivered`),
  );
  expect(plain(sent[0]!.text)).toContain(
    'The truck left Tue, Nov 24, between 3:14 and 3:16 PM (Central Time).',
  );
});

it('says how often windows held only where enough of them were graded', async () => {
  const id = await add(['late']);
  await leave(id, 0);
  await slip(id, undefined, 11);
  await send();
  expect(plain(sent[0]!.text)).toMatch(
    /Expected Tue, Nov 24, 1:24 – 2:24 PM \(Central Time\)\.\n\nAppointment/,
  );
});

it('stores nothing where no mail can be sent, and with the poll or not at all', async () => {
  const id = await add(['pickup']);
  mailing = createMailing(held, async () => undefined, null);
  expect(mailing.canMailCustomers).toBe(false);
  await leave(id, 0);
  expect(await states()).toEqual([]);
  const broken = {
    ...mailing,
    outbox: { ...mailing.outbox, mailCustomers: () => Promise.reject(new Error('Killed')) },
  };
  await held.database.query('truncate linehaul.load_events, linehaul.site_visits');
  mailing = broken;
  await expect(leave(id, 0)).rejects.toThrow('Killed');
  expect(await states()).toEqual([]);
  expect(await held.database.query('select 1 from linehaul.load_events where actor is null')).toEqual([]);
});

it('sends only what is chosen, and nothing that happened before the address was given', async () => {
  const id = await add(['delivery']);
  await leave(id, 0);
  await slip(id);
  expect(await states()).toEqual([]);
  held.nowMs = LEFT_MS + 2 * HOUR_MS;
  await changeLoad(
    context(),
    USDOT,
    id,
    toMailedLoad({ addresses: [BOB], about: ['pickup'], language: 'fr' }, APPOINTMENT),
  );
  await recordPoll(await pool(), mailing, {
    seenMs: held.nowMs,
    loads: [toFound(id, { events: [{ kind: 'left', atMs: LEFT_MS, position: 0, unit: MAILED_UNIT }] })],
  });
  expect(await states()).toEqual([]);
});

/** The truck has been at the pickup for so long, where two hours are free. */
const arrive = async (loadId: number, minutes: number): Promise<void> => {
  await held.database.query(
    `update linehaul.load_stops set free_min = 120 where load_id = $1 and position = 0`,
    [loadId],
  );
  await held.database.query(
    `insert into linehaul.site_visits (usdot, site_id, unit, arrived_after_ms, arrived_ms)
     select $1, site_id, $2, $3::int8 - 120000, $3 from linehaul.load_stops where load_id = $4 and position = 0`,
    [USDOT, MAILED_UNIT, held.nowMs - minutes * MINUTE_MS, loadId],
  );
  await recordPoll(await pool(), mailing, {
    seenMs: held.nowMs,
    loads: [toFound(loadId, { state: 'atPickup', next: 0 })],
  });
};

it('mails within the last half hour of free time while the truck is there, once, and never after it', async () => {
  const id = await add(['freeTime']);
  await arrive(id, 85);
  const { orm } = await held.app.database.open();
  expect(await addFreeTimeMails(orm, await pool(), held.nowMs)).toEqual([]);
  expect(await addFreeTimeMails(orm, await pool(), held.nowMs + 36 * MINUTE_MS)).toEqual([]);
  held.nowMs += 10 * MINUTE_MS;
  mailing.start();
  await expect.poll(() => sent.length).toBe(1);
  await mailing.close();
  expect(await addFreeTimeMails(orm, await pool(), held.nowMs)).toEqual([]);
  expect(await states()).toEqual([`freeTime ${ANN} sent`]);
  expect(sent[0]!.subject).toBe('Load 4711 · PO 9: free time ends soon');
  expect(plain(sent[0]!.text)).toBe(
    [
      'The truck of Peach State Freight with load 4711 · PO 9 is at Dallas DC. Its free time ends soon; detention may be charged from then on.',
      'Free time ends Tue, Nov 24, 6:49 AM (Central Time). It arrived Tue, Nov 24, between 4:47 and 4:49 AM.',
      `No more mails about this load to this address:\n${sent[0]!.endsAt}`,
    ].join('\n\n'),
  );
});

it('has the free time of the terms where the stop has none, and sends nothing once that is over', async () => {
  const id = await add(['freeTime']);
  await arrive(id, 95);
  await held.database.query(`update linehaul.load_stops set free_min = null where load_id = $1`, [id]);
  const { orm } = await held.app.database.open();
  expect(await addFreeTimeMails(orm, await pool(), held.nowMs)).toEqual([]);
  await held.database.query(
    `insert into linehaul.detention_terms (usdot, key, "of", free_min, counted_from, rate_cents, step_min, made_by, updated_at)
     values ($1, 'fleet', 'fleet', 120, 'arrival', 1, 1, 'a', now())`,
    [USDOT],
  );
  expect(await addFreeTimeMails(orm, await pool(), held.nowMs)).toHaveLength(1);
  held.nowMs += HOUR_MS;
  mailing.start();
  await expect.poll(states).toEqual([`freeTime ${ANN} dropped`]);
  await mailing.close();
  expect(sent).toEqual([]);
});

it('counts from the appointment or from the arrival, as the terms say', async () => {
  const id = await add(['freeTime']);
  await arrive(id, 95);
  const { orm } = await held.app.database.open();
  await held.database.query(
    `update linehaul.load_stops set appointment_from_ms = $2, appointment_to_ms = $2 where load_id = $1 and position = 0`,
    [id, held.nowMs - HOUR_MS],
  );
  const agree = (countedFrom: string) =>
    held.database.query(
      `insert into linehaul.detention_terms (usdot, key, "of", free_min, counted_from, rate_cents, step_min, made_by, updated_at)
       values ($1, 'fleet', 'fleet', 120, $2, 1, 1, 'a', now()) on conflict (usdot, key) do update set counted_from = $2`,
      [USDOT, countedFrom],
    );
  await agree('appointment');
  expect(await addFreeTimeMails(orm, await pool(), held.nowMs)).toEqual([]);
  await agree('arrival');
  expect(await addFreeTimeMails(orm, await pool(), held.nowMs)).toHaveLength(1);
});

it('ends with its load: nothing is sent of one that was ended by hand or removed', async () => {
  const id = await add(['pickup', 'late']);
  await leave(id, 0);
  await endLoad(context(), USDOT, id);
  await slip(id);
  await send();
  expect([sent, await states()]).toEqual([[], [`pickup ${ANN} dropped`]]);
  await removeLoad(context(), USDOT, id);
  expect(await states()).toEqual([]);
});

it('does not send a window that has come back before the appointment meanwhile', async () => {
  const id = await add(['late']);
  await slip(id);
  await recordPoll(await pool(), mailing, {
    seenMs: held.nowMs,
    loads: [toFound(id, { verdict: 'onTime', window: toWindow(APPOINTMENT.fromMs, APPOINTMENT.fromMs + 1) })],
  });
  await send();
  expect([sent, await states()]).toEqual([[], [`late ${ANN} dropped`]]);
});

/** A link about a load. */
const share = async (loadId: number, columns: Record<string, unknown> = {}, alias = ''): Promise<string> => {
  const { id, nonce } = { id: randomUUID(), nonce: 'nonce' };
  const token = deriveToken(SECRET, { id, nonce });
  const row = {
    ...{ id, usdot: USDOT, nonce, token_hash: hashToken(token), recipient: 'Kroger', precision: 'exact' },
    ...{ fields: ['stops', 'window'], delay_min: 0, ends_on: 'delivery', shows_end: true, frame_origins: [] },
    ...{ made_by: 'ann@carrier.test', made_ms: held.nowMs, ...columns },
  };
  const names = Object.keys(row).join();
  await held.database.query(
    `insert into linehaul.shares (${names}) select ${names} from json_populate_record(null::linehaul.shares, $1)`,
    [JSON.stringify(row)],
  );
  await held.database.query(
    `insert into linehaul.share_items (share_id, position, load_id, alias) values ($1, 0, $2, $3)`,
    [id, loadId, alias],
  );
  return token;
};

it('has the address of an open link, and says no more than it shows and no sooner', async () => {
  const id = await add(['pickup']);
  const token = await share(id);
  await leave(id, 0);
  await send();
  expect(sent[0]!.text).toContain(`Where it is now:\nhttps://fleet.test/t/${token}`);
  expect(sent[0]!.text).toContain('between 7:14 and 7:16');

  await held.database.query('truncate linehaul.customer_mails');
  const shy = await share(id, { fields: [], delay_min: 30, made_ms: held.nowMs + 1 });
  sent = [];
  await held.database.query('truncate linehaul.load_events');
  mailing = createMailing(held, async (mail) => void sent.push(mail));
  await leave(id, 0);
  mailing.start();
  await expect
    .poll(() =>
      held.database.query(
        `select 1 from linehaul_jobs.job where start_after > now() + interval '20 minutes' and name = 'customer-mail'`,
      ),
    )
    .toHaveLength(1);
  expect(sent).toEqual([]);
  held.nowMs += 31 * MINUTE_MS;
  await held.database.query(`update linehaul_jobs.job set start_after = now() where name = 'customer-mail'`);
  await expect.poll(() => sent.length).toBe(1);
  await mailing.close();
  expect(sent[0]!.text).toContain(`/t/${shy}`);
  expect(sent[0]!.text).not.toMatch(/7:1[46]|AM/);
});

it('says no more of a delivery than the links that it has ended', async () => {
  const id = await add(['delivery']);
  await share(id, { fields: ['stops'], made_ms: held.nowMs - 1 });
  const token = await share(id, { fields: [] }, 'Order 77');
  await leave(id, 0);
  await leave(id, 1);
  expect(await held.database.query('select ended_by from linehaul.share_items')).toEqual([
    ...[{ ended_by: 'delivery' }, { ended_by: 'delivery' }],
  ]);
  await send();
  expect(sent[0]!.subject).toBe('Load 4711 · PO 9: delivered');
  expect(sent[0]!.text).not.toMatch(/between|[AP]M/);
  // It has ended.
  expect(sent[0]!.text).not.toContain(token);
});

it('says of a delivery what a revoked link did not show', async () => {
  const id = await add(['delivery']);
  await share(id, { fields: [], revoked_ms: held.nowMs }, 'Order 77');
  await leave(id, 0);
  await leave(id, 1);
  await send();
  expect(sent[0]!.subject).toBe('Load 4711 · PO 9: delivered');
  expect(plain(sent[0]!.text)).toContain('between 3:14 and 3:16 PM');
});

it('ends for one address and load with a signed address, also where that is taken off the load and given again', async () => {
  const id = await add(['pickup', 'delivery'], 'en', [ANN, BOB]);
  const path = toEndPath(SECRET, id, ANN);
  const log = { error: vi.fn() };
  const ask = (method: string, token: string, lang = 'en', given: object = {}) =>
    answerEndMails(
      { ...context(), shares: { secret: SECRET }, clock: clockOf(() => held.nowMs), log, ...given },
      new Request(`https://fleet.test/u/${token}?lang=${lang}`, { method }),
      token,
    );
  const token = path.slice('/u/'.length);
  const page = await ask('GET', token);
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringContaining('<form method="post"><button>'),
  ]);
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
  // Opening it has ended nothing: programs open what a mail links to.
  expect((await readLoadMails({ ...context(), messages: mailing }, USDOT, id)).ended).toEqual([]);
  for (const wrong of [
    '',
    'a.b',
    `${token}x`,
    token.replace(/.$/, token.endsWith('A') ? 'B' : 'A'),
    `0.${'a'.repeat(27)}`,
  ])
    expect((await ask('POST', wrong)).status, wrong).toBe(404);
  const away = await ask('POST', token, 'es', {
    database: { open: () => Promise.reject(new Error('away')) },
  });
  expect([away.status, away.headers.get('refresh'), await away.text()]).toEqual([
    ...[503, '15', expect.stringContaining('No disponible por ahora')],
  ]);
  expect(JSON.stringify(log.error.mock.calls)).not.toContain(token);
  for (const language of LANGUAGES) expect((await ask('POST', token, language)).status).toBe(200);
  const audited = await held.database.query(
    `select details from linehaul.audit_log where action = 'load.end-mails'`,
  );
  expect(audited).toEqual([{ details: { usdot: USDOT, mail: ANN } }]);
  await leave(id, 0);
  expect(await states()).toEqual([`pickup ${BOB} pending`]);
  const change = (addresses: string[]) =>
    changeLoad(
      context(),
      USDOT,
      id,
      toMailedLoad({ addresses, about: ['pickup', 'delivery'], language: 'en' }, APPOINTMENT),
    );
  await change([BOB]);
  await change([ANN, BOB]);
  expect(await readLoadMails({ ...context(), messages: mailing }, USDOT, id)).toMatchObject({
    ...{ addresses: [ANN, BOB], ended: [ANN], canMail: true },
  });
  await leave(id, 1);
  expect(await states()).toEqual([`delivery ${BOB} pending`, `pickup ${BOB} pending`]);
});

it('goes to its one address whatever is written in a load, without a header of its own', async () => {
  for (const bad of [
    'ann@x.test\r\nBcc: eve@x.test',
    'Ann <ann@x.test>',
    'ann@x.test, eve@x.test',
    'a"@x.test',
    '@',
    'ann@x',
  ])
    expect(
      loadInputSchema.safeParse({
        ...toMailedLoad({ addresses: [], about: [], language: 'en' }, APPOINTMENT),
        mails: { addresses: [bad], about: [], language: 'en' },
      }).success,
      bad,
    ).toBe(false);
  const id = await add(['pickup']);
  // Texts of an older version, or of another program on the database.
  await held.database.query(
    `update linehaul.loads set reference = E'4711\r\nBcc: eve@x.test\r\n\r\n<b>', po = '=?utf-8?q?x?='`,
  );
  await held.database.query(
    `update linehaul.load_stops set name = E'Dock\r\n.\r\nRCPT TO:<eve@x.test>\u202e{x}'`,
  );
  const server = await startMailServer();
  const url = `smtp://127.0.0.1:${server.port}`;
  mailing = createMailing(held, createMailer({ url, from: 'Linehaul <fleet@carrier.test>' }));
  await leave(id, 0);
  await send();
  await server.close();
  expect(server.received.map(({ to }) => to)).toEqual([[ANN]]);
  const [head = '', ...body] = server.received[0]!.text.split('\r\n\r\n');
  const names = head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => /^[\w-]+(?=: )/.exec(line)?.[0].toLowerCase());
  expect(names.sort()).toEqual([
    ...['auto-submitted', 'content-transfer-encoding', 'content-type', 'date', 'from', 'list-unsubscribe'],
    ...['list-unsubscribe-post', 'message-id', 'mime-version', 'subject', 'to'],
  ]);
  expect(head).toMatch(
    /^List-Unsubscribe: <https:\/\/fleet\.test\/u\/[\w.-]+>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m,
  );
  expect(body.join('')).not.toBe('');
});

it('is held once its fleet has sent as many as it may in a day, is sent later, and is given up with a line', async () => {
  const [limit, warn] = [new Map<string, number>(), vi.fn()];
  const CY = 'cy@customer.test';
  mailing = createMailing(held, async (mail) => void sent.push(mail), undefined, {
    ...{ held: limit, warn, mostDaily: 1 },
  });
  /** Lets the job of a mail run now. */
  const run = (address: string) =>
    held.database.query(
      `update linehaul_jobs.job j set start_after = now() from linehaul.customer_mails m
       where j.id::text = m.id and m.address = $1`,
      [address],
    );
  const first = await add(['pickup'], 'en', [ANN]);
  const second = await add(['pickup'], 'en', [BOB, CY], '4712');
  await leave(first, 0);
  mailing.start();
  await expect.poll(states).toEqual([`pickup ${ANN} sent`]);
  await held.database.query(`truncate linehaul.site_visits`);
  await leave(second, 0);
  const waiting = `select 1 from linehaul_jobs.job where start_after > now() + interval '9 minutes' and name = 'customer-mail'`;
  await expect.poll(() => held.database.query(waiting)).toHaveLength(2);
  expect([sent.length, limit.get(USDOT)]).toEqual([1, held.nowMs + DAY_MS]);

  held.nowMs += DAY_MS;
  await run(BOB);
  await expect.poll(states).toContain(`pickup ${BOB} sent`);
  expect(limit.size).toBe(0);
  await run(CY);
  await expect.poll(states).toContain(`pickup ${CY} failed`);
  await mailing.close();
  expect(warn.mock.calls.map(([, line]) => String(line))).toEqual([
    ...Array(2).fill(expect.stringMatching(/^A fleet has sent as many mails to customers as it may/)),
    'A mail to a customer was given up.',
  ]);
});

it('is chosen by a program as well, and stays where its load is changed without it', async () => {
  const by = { ...context(), viewer: { ...MANAGER, name: 'TMS', usdots: [USDOT] } } as unknown as TmsContext;
  const stops = [{ kind: 'delivery' as const, place: { name: 'Amarillo', lat: 35.2, lng: -101.8 } }];
  const mails = { to: [ANN], about: ['late' as const], language: 'fr' as const };
  const put = (body: object) => putTmsLoad(by, '8841', tmsLoadSchema.parse({ stops, ...body }));
  expect((await put({})).load.mails).toEqual({ to: [], about: [], language: 'en', ended: [] });
  expect((await put({ mails })).load.mails).toEqual({ ...mails, ended: [] });
  expect((await put({ po: '9' })).load.mails).toEqual({ ...mails, ended: [] });
  const [audited] = await held.database.query(
    `select details->'mails' as mails from linehaul.audit_log where details ? 'mails' order by id desc limit 1`,
  );
  expect(audited!.mails).toMatchObject({ after: { addresses: [ANN], about: ['late'], language: 'fr' } });
  expect((await put({ mails: { to: [], about: [] } })).load.mails.to).toEqual([]);
  expect(tmsLoadSchema.safeParse({ stops, mails: { ...mails, to: Array(11).fill(ANN) } }).success).toBe(
    false,
  );
});

it('is whole in each language', async () => {
  for (const language of LANGUAGES) {
    const id = await add(['pickup', 'late'], language);
    await leave(id, 0);
    await slip(id);
    await send();
    mailing = createMailing(held, async (mail) => void sent.push(mail));
    await removeLoad(context(), USDOT, id);
  }
  expect(sent).toHaveLength(6);
  expect(new Set(sent.map(({ subject }) => subject)).size).toBe(6);
  for (const { text } of sent) expect(text).not.toMatch(/undefined|null|NaN|[{}]/);
  const texts = sent.map(({ text }) => plain(text.replace(/\n\n[^\n]+\n.*\/u\/\S+$/, '')));
  expect(texts.sort()).toMatchInlineSnapshot(`
    [
      "Peach State Freight a ramassé le chargement 4711 · PO 9 à Dallas DC.

    Ramassé : mar. 24 nov., entre 7 h 14 et 7 h 16 (heure du Centre). Un camion se signale de temps en temps : il est parti entre deux signalements.",
      "Peach State Freight attend le chargement 4711 · PO 9 à Amarillo après son rendez-vous.

    Arrivée prévue : mar. 24 nov., 13 h 24 – 14 h 24 (heure du Centre). 8 estimations de ce genre sur 10 se sont vérifiées.

    Rendez-vous mar. 24 nov., 12 h 14 – 13 h 14",
      "Peach State Freight expects load 4711 · PO 9 at Amarillo after its appointment.

    Expected Tue, Nov 24, 1:24 – 2:24 PM (Central Time). 8 of 10 such estimates held.

    Appointment Tue, Nov 24, 12:14 – 1:14 PM",
      "Peach State Freight has picked up load 4711 · PO 9 at Dallas DC.

    Picked up Tue, Nov 24, between 7:14 and 7:16 AM (Central Time). A truck reports from time to time: it left between two reports.",
      "Peach State Freight prevé que la carga 4711 · PO 9 llegue a Amarillo después de su cita.

    Llegada prevista: mar, 24 de nov, 1:24–2:24 p.m. (hora central). 8 de cada 10 estimaciones como esta se cumplieron.

    Cita: mar, 24 de nov, 12:14–1:14 p.m.",
      "Peach State Freight recogió la carga 4711 · PO 9 en Dallas DC.

    Recogida: mar, 24 de nov, entre 7:14 y 7:16 a.m. (hora central). Un camión informa de vez en cuando: salió entre dos informes.",
    ]
  `);
});
