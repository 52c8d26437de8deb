/**
 * The clock of a process goes back an hour between the making of messages and their sending. Of the process are the times of
 * alerts and deliveries, and with them the age at which a message is given up, the hour of a digest, quiet hours and the
 * signed time of a webhook. How long a job waits is measured by PostgreSQL's clock, of which jobs.test.ts has the same, and
 * how long a failing target rests by the monotonic one.
 */
import { afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '@/lib/base/clock';
import { insertAlert, insertWebhook, setPreferences, setUpAlerts } from '@/testing/alerts/alerts';
import {
  SECRET,
  addChanges,
  createMessages,
  goToNext,
  readDeliveries,
  startUpkeep,
  untilSettled,
  untilUpkept,
} from '@/testing/alerts/messages';
import { startReceiver } from '@/testing/alerts/receiver';
import type { Mail } from '@/lib/jobs/mailer';
import { createWebhookSecret, sealWebhookSecret } from './webhook-channel';
import { HOUR_MS } from '@/lib/base/time';

const held = setUpAlerts();
const USDOT = '9000001';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
beforeAll(async () => {
  for (const name of ['each', 'digest'] as const) {
    await held.addUser(name, 'dispatcher', [USDOT]);
    await setPreferences(held, name, { email: name });
  }
});

it('messages that failed or wait when the clock is set back an hour are sent in their time, once each', async () => {
  const received = { webhooks: [] as unknown[], mails: [] as Mail[] };
  let isWell = false;
  const receiver = await startReceiver(() => (response) => {
    if (isWell) received.webhooks.push(response.req.headers['webhook-id']);
    response.writeHead(isWell ? 204 : 503).end();
  });
  closers.push(receiver.close);
  const sealedSecret = sealWebhookSecret(createWebhookSecret(), SECRET);
  await insertWebhook(held, { id: 'hook', usdot: USDOT, url: receiver.url, sealedSecret });
  let backMs = 0;
  const startMs = performance.now();
  const messages = createMessages(held, {
    sendMail: async (mail) => {
      if (!isWell) throw new Error('The mail server is down.');
      received.mails.push(mail);
    },
    clock: {
      ...systemClock,
      nowMs: () => Math.round(held.nowMs + performance.now() - startMs) - backMs,
      monotonicMs: () => held.nowMs + performance.now() - startMs,
    },
  });
  closers.unshift(() => messages.close());
  messages.start();
  await expect.poll(() => messages.readPushKey(), { timeout: 10_000 }).not.toBeNull();
  const open = async (): Promise<void> => {
    const alertId = await insertAlert(held, { usdot: USDOT });
    await addChanges(held, messages, [{ alertId, event: 'opened' }]);
    await untilSettled(held);
  };
  const readStates = async () =>
    (await readDeliveries(held)).map(({ target, state, attempts }) => [target, state, attempts]);

  await open();
  expect(await readStates()).toEqual([
    ['digest', 'pending', 0],
    ['each', 'pending', 1],
    ['hook', 'pending', 1],
  ]);
  const madeMs = held.nowMs;
  backMs = HOUR_MS;
  isWell = true;
  // An alert of the hour before has a digest of its own, which finds nothing to send any more.
  await open();
  while (await goToNext(held));
  // The digest's, which was to wait until the full hour.
  expect(held.nowMs - madeMs).toBeLessThanOrEqual(HOUR_MS);
  const sent = await readDeliveries(held);
  expect(sent.map(({ state }) => state)).toEqual(Array(6).fill('sent'));
  const idsOf = (target: string) => sent.filter((each) => each.target === target).map(({ id }) => id);
  expect([...received.webhooks].sort()).toEqual(idsOf('hook').sort());
  const mailsTo = (name: string) => received.mails.filter(({ to }) => to === `${name}@carrier.test`);
  expect(
    mailsTo('each')
      .map(({ messageId }) => messageId)
      .sort(),
  ).toEqual(idsOf('each').sort());
  expect(mailsTo('digest').map(({ subject }) => subject)).toEqual(['2 alerts']);

  // And none again when the clock is right.
  backMs = 0;
  await startUpkeep(held);
  await untilUpkept(held);
  await untilSettled(held);
  expect([received.webhooks.length, received.mails.length]).toEqual([2, 3]);
});
