import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto';
import { createRequire } from 'node:module';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { createLog, createSecretRedactor } from '@/lib/base/log';
import { JOBS_PART, openDatabase } from '@/lib/database/database';
import { createMailer } from '@/lib/jobs/mailer';
import { insertAlert, insertWebhook, setPreferences, setUpAlerts, subscribe } from '@/testing/alerts/alerts';
import {
  SECRET,
  addChanges,
  clearJobs,
  createMessages,
  goToNext,
  readDeliveries,
  startUpkeep,
  untilSettled,
} from '@/testing/alerts/messages';
import { startReceiver } from '@/testing/alerts/receiver';
import { startMailServer } from '@/testing/mail-server';
import type { AlertMessagesOptions } from '../messages';
import type { AlertMessages } from '../outbox';
import { toRetryMs } from '@/lib/jobs/jobs';
import { createWebhookSecret, sealWebhookSecret } from './webhook-channel';
import { HOUR_MS } from '@/lib/base/time';

const held = setUpAlerts();
const USDOT = '9000001';
const WEBHOOK_SECRET = createWebhookSecret();
/** For tests that go through hours, attempt by attempt. */
const SLOW_MS = 60_000;
const SMTP = 'Linehaul <fleet@carrier.test>';

/** What the test alert says. The day is in it too unless it is today. */
const SENTENCE = /^Truck 116 (is|was) late: last fix at (Nov 24, (2026, )?)?9:40 AM CST$/;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
beforeAll(async () => {
  await held.addUser('dan', 'dispatcher', [USDOT]);
});
beforeEach(async () => {
  // The signature's time has to be close to the real one.
  held.nowMs = Date.now();
  await clearJobs(held);
  await held.clear();
});

const open = async (options: Partial<AlertMessagesOptions> = {}): Promise<AlertMessages> => {
  const messages = createMessages(held, options);
  closers.unshift(() => messages.close());
  messages.start();
  await expect.poll(() => messages.readPushKey(), { timeout: 10_000 }).not.toBeNull();
  return messages;
};
const receive = async (...options: Parameters<typeof startReceiver>) => {
  const receiver = await startReceiver(...options);
  closers.push(receiver.close);
  return receiver;
};
const addHook = (url: string, id = 'hook') =>
  insertWebhook(held, { id, usdot: USDOT, url, sealedSecret: sealWebhookSecret(WEBHOOK_SECRET, SECRET) });
const openAlert = async (messages: AlertMessages, alert: Partial<Parameters<typeof insertAlert>[1]> = {}) => {
  const alertId = await insertAlert(held, { usdot: USDOT, ...alert });
  await addChanges(held, messages, [{ alertId, event: 'opened' }]);
  return alertId;
};
const statesOf = async () =>
  (await readDeliveries(held)).map(({ state, attempts, error }) => [state, attempts, error]);

const insertContact = () =>
  held.database.query(
    `insert into linehaul.unit_contacts (usdot, unit, driver, driver_phone, changed_ms)
     values ($1, 'VIN1', 'Ann Lee', '+15125550123', 1) on conflict do nothing`,
    [USDOT],
  );

it('contacts go to a webhook that includes them, and to no other', async () => {
  await insertContact();
  const { received, url } = await receive(() => 204);
  await addHook(url, 'plain');
  await addHook(url, 'with');
  await held.database.query(`update linehaul.webhooks set includes_contacts = true where id = 'with'`);
  await openAlert(await open());
  await untilSettled(held);
  const bodies = received.map(({ body }) => body.toString());
  expect(bodies.filter((body) => body.includes('Ann Lee'))).toHaveLength(1);
  expect(bodies.filter((body) => body.includes('contacts'))).toHaveLength(1);
  expect(JSON.parse(bodies.find((body) => body.includes('contacts'))!)).toMatchObject({
    data: {
      contacts: {
        driver: { name: 'Ann Lee', phone: '+15125550123' },
        secondDriver: null,
        dispatcher: null,
        text: null,
      },
    },
  });
});

it('a webhook that fails twice gets its message at the third attempt, signed, under one id', async () => {
  const { received, url } = await receive((count) => (count < 2 ? 500 : 204));
  await addHook(url);
  const id = await openAlert(await open());
  await untilSettled(held);
  expect(await statesOf()).toEqual([['pending', 1, 'The receiver answered 500.']]);
  await goToNext(held);
  await goToNext(held);
  expect(await statesOf()).toEqual([['sent', 3, null]]);
  const [delivery] = await readDeliveries(held);
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(Array(3).fill(delivery!.id));
  const { headers, body } = received[2]!;
  const message = new Webhook(WEBHOOK_SECRET).verify(body.toString(), headers as Record<string, string>);
  expect(message).toMatchObject({
    type: 'alert.opened',
    data: {
      id,
      usdot: USDOT,
      severity: 'warning',
      text: expect.stringMatching(SENTENCE) as string,
      url: `https://fleet.test/fleets/${USDOT}/alerts?alert=${id}`,
      rule: { id: null, name: 'Late trucks', condition: { kind: 'late' } },
      unit: { key: 'VIN1', name: '116', status: 'late' },
      position: { lat: 32.7, lng: -96.8, fixAt: '2026-11-24T15:40:00.000Z' },
      closedAt: null,
    },
  });
  expect(() => new Webhook(createWebhookSecret()).verify(body.toString(), headers as never)).toThrow();
});

it('the pauses between attempts double from 10 s up to an hour', () => {
  expect([1, 2, 3, 9, 10, 40].map(toRetryMs)).toEqual([10_000, 20_000, 40_000, 2_560_000, HOUR_MS, HOUR_MS]);
});

it(
  'a receiver that is down for an hour gets all its messages after it, once each',
  async () => {
    const down = await startReceiver();
    await down.close();
    await addHook(down.url);
    const messages = await open();
    for (let i = 0; i < 3; i++) await openAlert(messages);
    const untilMs = held.nowMs + HOUR_MS;
    while (held.nowMs < untilMs) {
      expect(await goToNext(held)).toBe(true);
      if (held.nowMs < untilMs - HOUR_MS / 2 && (await readDeliveries(held)).length < 6)
        await openAlert(messages);
    }
    expect((await statesOf()).every(([state]) => state === 'pending')).toBe(true);
    const up = await receive(() => 204, down.port);
    while (await goToNext(held));
    const deliveries = await readDeliveries(held);
    expect(deliveries.map(({ state }) => state)).toEqual(Array(6).fill('sent'));
    expect(up.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
      deliveries.map(({ id }) => id).sort(),
    );
  },
  SLOW_MS,
);

it(
  'a message is given up a day after it was made',
  async () => {
    const { url, close } = await startReceiver();
    await close();
    await addHook(url);
    const messages = await open();
    await openAlert(messages);
    const startMs = held.nowMs;
    while (await goToNext(held));
    expect(held.nowMs - startMs).toBeGreaterThanOrEqual(24 * HOUR_MS);
    expect(held.nowMs - startMs).toBeLessThan(26 * HOUR_MS);
    expect(await statesOf()).toEqual([
      ['failed', expect.any(Number), expect.stringContaining('ECONNREFUSED')],
    ]);
    expect((await statesOf())[0]![1]).toBeGreaterThan(25);
  },
  SLOW_MS,
);

it('one message that its receiver refuses does not hold up the others', async () => {
  const messages = await open();
  let poison = '';
  const ids: string[] = [];
  const { url } = await receive(() => (response) => {
    const id = String(response.req.headers['webhook-id']);
    poison ||= id;
    response.writeHead(id === poison ? 500 : 204).end();
    if (id !== poison) ids.push(id);
  });
  await addHook(url);
  await openAlert(messages);
  for (let i = 0; i < 4; i++) await goToNext(held);
  for (let i = 0; i < 3; i++) await openAlert(messages);
  const startMs = held.nowMs;
  while (ids.length < 3) await goToNext(held);
  expect(held.nowMs - startMs).toBeLessThanOrEqual(3 * 60_000);
});

it('those that are settled with a message whose outcome cannot be written are sent once', async () => {
  const { received, url } = await receive();
  await addHook(url);
  const messages = await open();
  const newest = await insertAlert(held, { usdot: USDOT, times: 8 });
  const { query } = held.database;
  await query(`alter table linehaul.alert_deliveries add constraint refused
    check (alert_id <> ${newest} or state <> 'sent')`);
  try {
    const changes = Array.from({ length: 8 }, (_, i) => ({ alertId: newest - i, event: 'opened' as const }));
    await addChanges(held, messages, changes);
    const countSent = async () => (await statesOf()).filter(([state]) => state === 'sent').length;
    await expect.poll(countSent, { timeout: 10_000 }).toBe(7);
    const ids = received.map(({ headers }) => headers['webhook-id']);
    const sent = (await readDeliveries(held)).filter(({ state }) => state === 'sent').map(({ id }) => id);
    expect(ids.filter((id) => sent.includes(id))).toHaveLength(7);
  } finally {
    await query('alter table linehaul.alert_deliveries drop constraint refused');
  }
});

it('no line of the log has the secret or the address of a webhook, whatever fails', async () => {
  const lines: string[] = [];
  const log = createLog(createSecretRedactor(), 'debug', { write: (line) => void lines.push(line) });
  const { url, received } = await receive(() => 500);
  const target = new URL('planted-path?token=planted-token', url);
  await addHook(Object.assign(target, { username: 'planted-user', password: 'planted-password' }).href);
  const messages = await open({
    log,
    open: async () => openDatabase(held.database.databaseUrl, JOBS_PART, log),
  });
  await openAlert(messages);
  await untilSettled(held);
  expect(received.map(({ path }) => path)).toEqual(['/planted-path?token=planted-token']);
  // What became of the next attempt cannot be written.
  const { query } = held.database;
  await query('alter table linehaul.alert_deliveries add constraint refused check (attempts < 2)');
  await goToNext(held);
  await query('alter table linehaul.alert_deliveries drop constraint refused');
  await expect.poll(() => lines.join(''), { timeout: 10_000 }).toContain('A job failed; it is run again.');
  // Nor can the webhook be read.
  await query('alter table linehaul.webhooks rename column sealed_secret to other');
  await goToNext(held);
  await query('alter table linehaul.webhooks rename column other to sealed_secret');
  await query(`update linehaul.webhooks set sealed_secret = 'planted-seal'`);
  await goToNext(held);
  expect((await statesOf())[0]![0]).toBe('failed');
  const secret = WEBHOOK_SECRET.slice('whsec_'.length);
  for (const planted of ['planted', 'whsec_', secret, sealWebhookSecret(WEBHOOK_SECRET, SECRET).slice(0, 20)])
    expect(lines.join('')).not.toContain(planted);
});

it('of two processes on one database, one sends each message', async () => {
  const { received, url } = await receive();
  await addHook(url);
  const processes = [await open(), await open()];
  const newest = await insertAlert(held, { usdot: USDOT, times: 200 });
  const changes = Array.from({ length: 200 }, (_, i) => ({ alertId: newest - i, event: 'opened' as const }));
  await Promise.all(processes.map((messages) => addChanges(held, messages, changes)));
  await expect.poll(() => received.length, { timeout: 15_000 }).toBe(200);
  await untilSettled(held);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(200);
  expect(received).toHaveLength(200);
});

it('a message whose process ends between its sending and its note comes again, under the same id', async () => {
  let release = (): void => undefined;
  const { received, url } = await receive((count) =>
    count > 0 ? 204 : (response) => (release = () => void response.writeHead(204).end()),
  );
  await addHook(url);
  await openAlert(await open());
  await expect.poll(() => received.length).toBe(1);
  await open();
  // As 45 s later.
  await held.database.query(`update linehaul_jobs.job set started_on = started_on - interval '1 minute'`);
  await held.database.query(
    `update linehaul_jobs.job set start_after = now() where state = 'retry' and name = 'alert-delivery'`,
  );
  await expect.poll(() => received.length, { timeout: 15_000 }).toBe(2);
  expect(received[1]!.headers['webhook-id']).toBe(received[0]!.headers['webhook-id']);
  await expect.poll(async () => (await statesOf())[0]![0]).toBe('sent');
  release();
});

it('a message whose job is lost, as after a restore, gets another one within some hours', async () => {
  const { received, url } = await receive();
  await addHook(url);
  await open();
  const alertId = await insertAlert(held, { usdot: USDOT });
  await held.database.query(
    `insert into linehaul.alert_deliveries (id, alert_id, event, channel, target, state, created_ms, updated_ms)
     values ('00000000-0000-4000-8000-000000000001', $1, 'opened', 'webhook', 'hook', 'pending', $2, $2)`,
    [alertId, held.nowMs],
  );
  held.nowMs += 2 * HOUR_MS + 1;
  await startUpkeep(held);
  await expect.poll(() => received.length).toBe(1);
});

it('a webhook that was switched off or removed after the alert gets nothing, and its messages say so', async () => {
  const { received, url } = await receive();
  await addHook(url, 'a off');
  await addHook(url, 'b gone');
  const messages = createMessages(held);
  closers.unshift(() => messages.close());
  await openAlert(messages);
  await held.database.query(`update linehaul.webhooks set is_enabled = false where id = 'a off'`);
  await held.database.query(`delete from linehaul.webhooks where id = 'b gone'`);
  messages.start();
  await expect
    .poll(async () => (await statesOf()).map(([, , error]) => error))
    .toEqual(['The webhook is switched off.', 'The webhook was removed.']);
  expect(received).toEqual([]);
});

it('an address of a private network is given up without a connection where the setting no longer allows it', async () => {
  await setPreferences(held, 'dan', { push: true });
  const { received, url } = await receive();
  await addHook(url);
  const messages = await open({ isPrivateAllowed: false });
  await subscribe(held, 'dan', 'phone', { endpoint: url, keys: createBrowser().keys });
  await openAlert(messages);
  const refused = ['failed', 1, expect.stringMatching(/^127\.0\.0\.1 is an address of a private network/)];
  await expect.poll(statesOf).toEqual([refused, refused]);
  expect(received).toEqual([]);
});

it('a webhook that redirects is tried again, and gets nothing at its other address', async () => {
  const inner = await receive();
  const { url } = await receive(() => (response) => {
    response.writeHead(307, { location: inner.url }).end();
  });
  await addHook(url);
  await openAlert(await open());
  await expect
    .poll(statesOf)
    .toEqual([['pending', 1, 'The receiver redirects (307), which is not followed.']]);
  expect(inner.received).toEqual([]);
});

const openMail = async () => {
  const mail = await startMailServer();
  closers.push(mail.close);
  const sendMail = createMailer({ url: `smtp://127.0.0.1:${mail.port}`, from: SMTP });
  return { mail, messages: await open({ sendMail, mailFrom: SMTP }) };
};
const toLines = (text: string): string => text.replaceAll('=\r\n', '').replaceAll('=3D', '=');

it('an e-mail for each alert has its sentence, whom to call, its link and an id of its own', async () => {
  await insertContact();
  await setPreferences(held, 'dan', { email: 'each' });
  const { mail, messages } = await openMail();
  const id = await openAlert(messages, { severity: 'critical' });
  await expect.poll(() => mail.received.length).toBe(1);
  const { to, text } = mail.received[0]!;
  expect(to).toEqual(['dan@carrier.test']);
  expect(toLines(text)).toContain('Subject: Critical: Truck 116 is late: last fix at ');
  expect(toLines(text)).toContain(`https://fleet.test/fleets/${USDOT}/alerts?alert=${id}`);
  expect(toLines(text)).toContain('Driver: Ann Lee (512) 555-0123');
  const [delivery] = await readDeliveries(held);
  expect(text).toContain(`Message-ID: <${delivery!.id as string}@carrier.test>`);
});

it('an e-mail that the mail server refuses for good is not tried again, and one that it defers is', async () => {
  await setPreferences(held, 'dan', { email: 'each' });
  const { mail, messages } = await openMail();
  mail.refuse({ at: 'recipient', status: 550, text: '5.1.1 User unknown' });
  await openAlert(messages);
  await expect.poll(statesOf).toEqual([['failed', 1, '550 5.1.1 User unknown']]);
  mail.refuse({ at: 'message', status: 451, text: '4.7.1 Try again' });
  await openAlert(messages, { facts: { unitName: '204' } });
  await expect
    .poll(async () => (await statesOf()).map(([state]) => state).sort())
    .toEqual(['failed', 'pending']);
  mail.refuse(null);
  await expect.poll(async () => (await statesOf())[1]?.[1]).toBe(1);
  await goToNext(held);
  expect((await statesOf()).map(([state]) => state).sort()).toEqual(['failed', 'sent']);
  expect(mail.received).toHaveLength(1);
});

it('a digest has the alerts of an hour in one mail, and waits for the end of quiet hours', async () => {
  held.nowMs = Date.UTC(2026, 10, 24, 16, 20);
  await setPreferences(held, 'dan', { email: 'digest' });
  const { mail, messages } = await openMail();
  await openAlert(messages);
  await openAlert(messages, { facts: { unitName: '204' } });
  expect(mail.received).toEqual([]);
  await setPreferences(held, 'dan', {
    email: 'digest',
    quietHours: { timeZone: 'UTC', days: [{ weekdays: [2], fromMin: 16 * 60 + 30, toMin: 17 * 60 + 30 }] },
  });
  await goToNext(held);
  expect(mail.received).toEqual([]);
  // After the quiet hours, in the hour until which the digest is put off.
  held.nowMs += 40 * 60_000;
  await openAlert(messages, { facts: { unitName: '305' } });
  // If there were a second digest for that hour, it would begin before the first has ended.
  await held.database.query(
    `update linehaul_jobs.job set start_after = now() + interval '1 hour' where start_after > now()`,
  );
  await goToNext(held);
  expect(held.nowMs).toBeGreaterThan(Date.UTC(2026, 10, 24, 17, 30));
  expect(mail.received).toHaveLength(1);
  const text = toLines(mail.received[0]!.text);
  expect(text).toContain('Subject: 3 alerts');
  for (const truck of ['116', '204', '305']) expect(text).toContain(`Truck ${truck} is late`);
  expect(await statesOf()).toEqual(Array(3).fill(['sent', 1, null]));
  expect(await goToNext(held)).toBe(false);
});

it('a user who sees the fleet no more gets no mail of it', async () => {
  await setPreferences(held, 'dan', { email: 'digest' });
  const { mail, messages } = await openMail();
  await openAlert(messages);
  await held.database.query(`update linehaul.users set usdots = '{9000002}' where id = 'dan'`);
  await goToNext(held);
  await held.database.query(`update linehaul.users set usdots = $1 where id = 'dan'`, [[USDOT]]);
  expect(await statesOf()).toEqual([['failed', 1, 'The user sees this fleet or this truck no more.']]);
  expect(mail.received).toEqual([]);
});

it('a user who sees the unit no more gets no mail of it, but of the others', async () => {
  await setPreferences(held, 'dan', { email: 'digest' });
  const { mail, messages } = await openMail();
  await openAlert(messages, { unit: 'IN', facts: { unitName: '116' } });
  await openAlert(messages, { unit: 'OUT', facts: { unitName: '204' } });
  await held.database.query(`update linehaul.users set tags = '{reefers}' where id = 'dan'`);
  await held.database.query(`insert into linehaul.unit_tags values ($1, 'reefers', 'IN')`, [USDOT]);
  await goToNext(held);
  await held.database.query(`update linehaul.users set tags = null where id = 'dan'`);
  expect(mail.received).toHaveLength(1);
  expect(mail.received[0]!.text).toContain('Truck 116');
  expect(mail.received[0]!.text).not.toContain('204');
});

interface Ece {
  decrypt: (body: Buffer, options: object) => Buffer;
}
const require = createRequire(createRequire(import.meta.url).resolve('web-push'));
const ece = require('http_ece') as Ece;

/** A browser with keys of its own. */
const createBrowser = () => {
  const privateKey = createECDH('prime256v1');
  const auth = randomBytes(16).toString('base64url');
  return {
    keys: { p256dh: privateKey.generateKeys('base64url'), auth },
    decrypt: (body: Buffer): unknown =>
      JSON.parse(ece.decrypt(body, { version: 'aes128gcm', privateKey, authSecret: auth }).toString()),
  };
};

/** The claims of a VAPID header (RFC 8292) that the key has signed. */
const verifyVapid = (header: string, publicKey: string): Record<string, unknown> => {
  const [, token = '', key = ''] = /^vapid t=(.+), k=(.+)$/.exec(header) ?? [];
  expect(key).toBe(publicKey);
  const bytes = Buffer.from(key, 'base64url');
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((part) => part.toString('base64url'));
  const [head, claims, signature] = token.split('.') as [string, string, string];
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    {
      key: createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y } as never, format: 'jwk' }),
      dsaEncoding: 'ieee-p1363',
    },
    Buffer.from(signature, 'base64url'),
  );
  expect(isSigned).toBe(true);
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
};

it('a push message reaches its browser encrypted, and a browser that has unsubscribed is forgotten', async () => {
  await setPreferences(held, 'dan', { push: true });
  const { received, url } = await receive((count) => (count === 0 ? 201 : 410));
  const browser = createBrowser();
  await subscribe(held, 'dan', 'phone', { endpoint: url, keys: browser.keys });
  const messages = await open();
  const id = await openAlert(messages, { severity: 'critical' });
  await expect.poll(() => received.length).toBe(1);
  const { headers, body } = received[0]!;
  expect(body.toString('latin1')).not.toContain('Truck');
  const [delivery] = await readDeliveries(held);
  expect(browser.decrypt(body)).toEqual({
    id: delivery!.id,
    title: 'Late trucks',
    body: expect.stringMatching(SENTENCE) as string,
    severity: 'critical',
    url: `/fleets/${USDOT}/alerts?alert=${id}`,
    tag: `alert-${id}`,
    silent: false,
  });
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '14400' });
  const claims = verifyVapid(headers.authorization!, messages.readPushKey()!);
  expect(claims).toMatchObject({ aud: new URL(url).origin, sub: 'https://fleet.test' });
  await openAlert(messages);
  await expect
    .poll(async () => (await statesOf()).at(-1))
    .toEqual(['failed', 1, 'This browser has unsubscribed.']);
  expect(await held.database.query('select * from linehaul.push_subscriptions')).toEqual([]);
});

it('many alerts of one moment are one push message', async () => {
  await setPreferences(held, 'dan', { push: true });
  const { received, url } = await receive(() => 201);
  const browser = createBrowser();
  await subscribe(held, 'dan', 'phone', { endpoint: url, keys: browser.keys });
  const messages = await open();
  const newest = await insertAlert(held, { usdot: USDOT, times: 40 });
  await addChanges(
    held,
    messages,
    Array.from({ length: 40 }, (_, i) => ({ alertId: newest - i, event: 'opened' as const })),
  );
  await expect.poll(() => received.length).toBe(1);
  expect(browser.decrypt(received[0]!.body)).toMatchObject({
    title: '40 alerts',
    url: `/fleets/${USDOT}/alerts`,
  });
  await untilSettled(held);
  expect(new Set((await statesOf()).map(([state]) => state))).toEqual(new Set(['sent']));
});

it('the keys of push messages last, sealed; with another secret there are new ones and no subscription', async () => {
  const [first, second] = [await open(), await open()];
  const key = first.readPushKey();
  expect(second.readPushKey()).toBe(key);
  const [stored] = await held.database.query(`select value from linehaul.settings where name = 'vapid-keys'`);
  expect(Object.keys(stored!.value as object).sort()).toEqual(['publicKey', 'sealedPrivateKey']);
  await subscribe(held, 'dan', 'phone');
  const other = await open({ secret: 'another secret, which is also long enough' });
  expect(other.readPushKey()).not.toBe(key);
  expect(await held.database.query('select * from linehaul.push_subscriptions')).toEqual([]);
  await held.database.query(`delete from linehaul.settings where name = 'vapid-keys'`);
});
