import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Webhook as Verifier } from 'standardwebhooks';
import { DEMO_VIEWER } from '@/lib/auth/server/demo';
import type { Viewer } from '@/lib/base/viewer';
import { insertAlert, setUpAlerts } from '@/testing/alerts/alerts';
import { addChanges, createMessages, untilSettled } from '@/testing/alerts/messages';
import { startReceiver } from '@/testing/alerts/receiver';
import { deliveriesAnswer, madeWebhookAnswer, webhooksAnswer } from '../answers';
import { MAX_WEBHOOKS, type WebhookInput } from '../schema';
import type { AlertMessages } from './outbox';
import {
  addWebhook,
  changeWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  replayDelivery,
  testWebhook,
} from './webhooks';

const held = setUpAlerts();
const USDOT = '9000001';
const OTHER = '9000002';
const HOOK: WebhookInput = {
  name: 'Dispatch',
  url: 'https://hooks.example.com/secret-path',
  minSeverity: 'info',
  isEnabled: true,
};

let ann: Viewer;
let lee: Viewer;
let dan: Viewer;
let messages: AlertMessages;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  ann = await held.addUser('ann', 'manager', null);
  lee = await held.addUser('lee', 'manager', [OTHER]);
  dan = await held.addUser('dan', 'dispatcher', [USDOT]);
  receiver = await startReceiver((count) => (count === 0 ? 500 : 204));
  messages = createMessages(held);
  messages.start();
});
afterAll(async () => {
  await messages.close();
  await receiver.close();
});
beforeEach(async () => {
  held.nowMs = Date.now();
  await held.clear();
});

const by = (viewer: Viewer, { isPrivateAllowed = true } = {}) => {
  return { ...held.by(viewer), messages: { ...messages, isPrivateAllowed } };
};
const add = (viewer: Viewer, input: Partial<WebhookInput> = {}, options = {}) =>
  addWebhook(by(viewer, options), USDOT, { ...HOOK, ...input });
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: { code: unknown }) => error.code,
  );
const signal = new AbortController().signal;

it('a manager adds a webhook, whose secret is shown once and stored sealed', async () => {
  const made = madeWebhookAnswer.parse(await add(ann));
  expect(made.webhook).toMatchObject({ ...HOOK, madeBy: 'ann', createdAtMs: held.nowMs, last: null });
  expect(made.secret).toMatch(/^whsec_[\w+/]{43}=$/);
  const listed = webhooksAnswer.parse(await listWebhooks(by(ann), USDOT));
  expect(listed.webhooks).toEqual([made.webhook]);
  const stored = await held.database.query('select * from linehaul.webhooks');
  const audit = await held.readAudit();
  for (const text of [listed, stored, audit].map((each) => JSON.stringify(each)))
    expect(text).not.toContain(made.secret.slice('whsec_'.length));
  // The path of an address may be a secret too.
  expect(audit).toEqual([
    [
      'ann@carrier.test',
      'webhook.add',
      { usdot: USDOT, id: made.webhook.id, url: 'https://hooks.example.com', severity: 'info' },
    ],
  ]);
});

it('only managers of the fleet see, add, change, remove, test and replay', async () => {
  const { webhook } = await add(ann);
  const id = webhook.id;
  const refused = (viewer: Viewer) => [
    listWebhooks(by(viewer), USDOT),
    add(viewer),
    changeWebhook(by(viewer), USDOT, id, {}),
    removeWebhook(by(viewer), USDOT, id),
    listDeliveries(by(viewer), USDOT, id),
    testWebhook(by(viewer), USDOT, id, signal),
    replayDelivery(by(viewer), USDOT, 'unknown'),
  ];
  for (const refusal of refused(dan)) expect(await codeOf(refusal)).toBe('managers-only');
  // The route refuses another fleet's manager; the transaction does so for one whose rights were narrowed meanwhile.
  expect(await codeOf(add(lee))).toBe('beyond-scope');
  expect(await codeOf(removeWebhook(by(ann), OTHER, id))).toBe('unknown-webhook');
  expect(await codeOf(listDeliveries(by(ann), OTHER, id))).toBe('unknown-webhook');
  expect((await listWebhooks(by(DEMO_VIEWER), USDOT)).webhooks).toHaveLength(1);
});

it.each(['http://hooks.example.com/', 'https://10.0.0.1/', 'https://[::1]/', 'https://localhost/'])(
  'refuses %s where private addresses are not allowed, as a fault of the field',
  async (url) => {
    await expect(add(ann, { url }, { isPrivateAllowed: false })).rejects.toMatchObject({
      code: 'bad-input',
      faults: [{ field: 'url' }],
    });
    const { webhook } = await add(ann);
    await expect(
      changeWebhook(by(ann, { isPrivateAllowed: false }), USDOT, webhook.id, { url }),
    ).rejects.toMatchObject({ code: 'bad-input' });
  },
);

it('a change keeps what it leaves out, and a removed webhook is gone; both are in the audit log', async () => {
  const { webhook } = await add(ann);
  await changeWebhook(by(ann), USDOT, webhook.id, { isEnabled: false, name: 'Yard' });
  const { webhooks } = await listWebhooks(by(ann), USDOT);
  expect(webhooks).toEqual([{ ...webhook, isEnabled: false, name: 'Yard' }]);
  await removeWebhook(by(ann), USDOT, webhook.id);
  expect((await listWebhooks(by(ann), USDOT)).webhooks).toEqual([]);
  expect((await held.readAudit()).slice(1)).toEqual([
    [
      'ann@carrier.test',
      'webhook.change',
      {
        usdot: USDOT,
        id: webhook.id,
        name: { before: 'Dispatch', after: 'Yard' },
        isEnabled: { before: true, after: false },
      },
    ],
    ['ann@carrier.test', 'webhook.remove', { usdot: USDOT, id: webhook.id }],
  ]);
});

it('a fleet has at most so many webhooks', async () => {
  for (let i = 0; i < MAX_WEBHOOKS; i++) await add(ann);
  expect(await codeOf(add(ann))).toBe('too-many-webhooks');
});

it('a test is sent once and at once, and says what came of it', async () => {
  const { webhook, secret } = await add(ann, { url: receiver.url });
  const refused = await testWebhook(by(ann), USDOT, webhook.id, signal);
  expect(refused).toEqual({ status: null, error: expect.stringContaining('did not accept') });
  expect(await testWebhook(by(ann), USDOT, webhook.id, signal)).toEqual({ status: 204, error: null });
  const { body, headers } = receiver.received.at(-1)!;
  expect(new Verifier(secret).verify(body.toString(), headers as Record<string, string>)).toMatchObject({
    type: 'alert.test',
    data: { usdot: USDOT, text: 'A test of the webhook “Dispatch”.' },
  });
  await changeWebhook(by(ann), USDOT, webhook.id, { url: 'http://127.0.0.1:1/' });
  // A closed port of a private network looks like any other failure.
  expect(await testWebhook(by(ann), USDOT, webhook.id, signal)).toEqual(refused);
});

it('a user may test webhooks only so often', async () => {
  const { webhook } = await add(ann, { url: 'http://127.0.0.1:1/' });
  const max = await held.addUser('max', 'manager', null);
  const codes = [];
  for (let i = 0; i < 30; i++) codes.push(await codeOf(testWebhook(by(max), USDOT, webhook.id, signal)));
  expect(codes[0]).toBeNull();
  expect(codes.at(-1)).toBe('too-many-attempts');
});

it('the log has the newest messages; one is sent again under its id, in the audit log', async () => {
  const { webhook } = await add(ann, { url: receiver.url });
  const alertId = await insertAlert(held, { usdot: USDOT });
  await addChanges(held, messages, [{ alertId, event: 'opened' }]);
  await untilSettled(held);
  const list = async () =>
    deliveriesAnswer.parse(await listDeliveries(by(ann), USDOT, webhook.id)).deliveries;
  const [delivery] = await list();
  expect(delivery).toMatchObject({
    alertId,
    event: 'opened',
    ruleName: 'Late trucks',
    unitName: '116',
    severity: 'warning',
    state: 'sent',
    attempts: 1,
    lastError: null,
  });
  expect((await listWebhooks(by(ann), USDOT)).webhooks[0]!.last).toMatchObject({
    state: 'sent',
    lastError: null,
  });
  const count = receiver.received.length;
  await replayDelivery(by(ann), USDOT, delivery!.id);
  await expect.poll(() => receiver.received.length).toBe(count + 1);
  expect(receiver.received.at(-1)!.headers['webhook-id']).toBe(delivery!.id);
  await untilSettled(held);
  expect(await list()).toMatchObject([{ id: delivery!.id, state: 'sent', attempts: 1 }]);
  expect((await held.readAudit()).at(-1)).toEqual([
    'ann@carrier.test',
    'webhook.replay',
    { usdot: USDOT, id: webhook.id, message: delivery!.id },
  ]);
  expect(await codeOf(replayDelivery(by(ann), OTHER, delivery!.id))).toBe('unknown-delivery');
});

it('a message that waits for its next attempt is sent at once when it is sent again', async () => {
  const { received, url, close } = await startReceiver((count) => (count === 0 ? 500 : 204));
  const { webhook } = await add(ann, { url });
  const alertId = await insertAlert(held, { usdot: USDOT });
  await addChanges(held, messages, [{ alertId, event: 'opened' }]);
  await untilSettled(held);
  const [delivery] = (await listDeliveries(by(ann), USDOT, webhook.id)).deliveries;
  expect(delivery).toMatchObject({ state: 'pending', lastError: 'The receiver answered 500.' });
  // Past the pause of its receiver; its job starts by the clock of the database.
  held.nowMs += 60_000;
  await replayDelivery(by(ann), USDOT, delivery!.id);
  await expect.poll(() => received.length).toBe(2);
  await close();
});
