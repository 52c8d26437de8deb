import { afterEach, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { systemClock } from '@/lib/base/clock';
import { Recorder } from '@/lib/recording/recorder';
import { PolledFeeds } from '@/lib/feeds/feeds';
import { HISTORY_PART, openDatabase } from '@/lib/database/database';
import { insertWebhook, setUpAlerts } from '@/testing/alerts/alerts';
import { SECRET, createMessages } from '@/testing/alerts/messages';
import { startReceiver } from '@/testing/alerts/receiver';
import { createFakeClient } from '@/testing/live/fake-client';
import { identityOf } from '@/testing/live/tracked-units';
import { FleetWatches } from '../fleet-watches';
import { createWebhookSecret, sealWebhookSecret } from './webhook-channel';

const held = setUpAlerts();
const USDOT = '9000001';
const WEBHOOK_SECRET = createWebhookSecret();
const YARD = { lat: 32.78123, lng: -96.80457 };
const silent = { warn: () => undefined, error: () => undefined, debug: () => undefined };
/** From the poll that shows it to the receiver. */
const DISPATCH_MS = 2000;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const addSiteAndRule = async () => {
  const [site] = await held.database.query(
    `insert into linehaul.sites (usdot, name, kind, color, margin_m, shape, made_by, created_at, updated_at)
     values ($1, 'Yard Dallas', 'yard', '#123456', 75, $2, 'ann', now(), now()) returning id`,
    [USDOT, { type: 'circle', ...YARD, radiusM: 300 }],
  );
  await held.database.query(
    `insert into linehaul.alert_rules
       (usdot, name, condition, units, severity, cool_down_min, is_enabled, made_by, created_at, updated_at)
     values ($1, 'Arrivals', $2, '{"type":"all"}', 'warning', 0, true, 'ann', now(), now())`,
    [USDOT, { kind: 'arrives', siteIds: [site!.id] }],
  );
};

/** A truck whose fixes come some minutes late: on its way, then in the yard. */
const FIXES = [
  { minutesAgo: 6, lat: YARD.lat - 0.02011 },
  { minutesAgo: 4, lat: YARD.lat },
  { minutesAgo: 2, lat: YARD.lat },
];

const setUp = async () => {
  const receiver = await startReceiver();
  closers.push(receiver.close);
  const sealedSecret = sealWebhookSecret(WEBHOOK_SECRET, SECRET);
  await insertWebhook(held, { id: 'hook', usdot: USDOT, url: receiver.url, sealedSecret });
  await addSiteAndRule();
  const messages = createMessages(held, { clock: systemClock, pollMs: 500 });
  closers.unshift(() => messages.close());
  messages.start();
  await expect.poll(() => messages.readPushKey()).not.toBeNull();
  const recorder = new Recorder({
    open: async () => openDatabase(held.database.databaseUrl, HISTORY_PART, silent).pool,
    clock: systemClock,
    log: silent,
    intervalMs: 30_000,
    outbox: messages.outbox,
  });
  closers.unshift(() => recorder.close());
  const watches = new FleetWatches({
    open: held.app.database.open,
    recording: recorder,
    reload: () => undefined,
    clock: systemClock,
    log: silent,
  });
  const { provider, client } = createFakeClient(() => Date.now());
  const startMs = Date.now();
  let openedAtMs = Infinity;
  // The feed is polled before its rules are read: what they find must come after that.
  let isWatched = false;
  let next = 0;
  provider.units = async () => {
    const { minutesAgo, lat } = FIXES[next]!;
    if (isWatched) next = Math.min(next + 1, FIXES.length - 1);
    const position = { lat, lng: YARD.lng };
    const fixAtMs = startMs - minutesAgo * 60_000;
    return [{ identity: identityOf('TRUCK'), position, fixAtMs, otherAtMs: null, flags: [] }];
  };
  const feeds = new PolledFeeds({
    clientOf: () => client,
    clock: systemClock,
    pollIntervalMs: 200,
    random: () => 0.5,
    readStart: async (usdot) => {
      const watch = await watches.read(usdot);
      isWatched = true;
      return { units: null, watch };
    },
    onPolled: (report, changes, watched) => {
      recorder.note(report, changes, watched);
      if (watched && watched.alerts.length > 0) openedAtMs = performance.now();
    },
    settings: { isRecorded: true },
  });
  closers.unshift(async () => feeds.close());
  const feed = feeds.feed(USDOT);
  recorder.start({
    listUsdots: () => [USDOT],
    pollOnce: () => feed.pollOnce(),
    recordAll: () => feed.recordAll(),
  });
  // As a browser does: it is polled again and again.
  await feed.answer(null, 'identity');
  return { receiver, readOpenedAtMs: () => openedAtMs };
};

it('a truck that arrives is a signed message at a webhook within two seconds of its poll', async () => {
  const { receiver, readOpenedAtMs } = await setUp();
  await expect.poll(() => receiver.received.length, { interval: 10, timeout: 10_000 }).toBe(1);
  expect(performance.now() - readOpenedAtMs()).toBeLessThan(DISPATCH_MS);
  const { headers, body } = receiver.received[0]!;
  const message = new Webhook(WEBHOOK_SECRET).verify(body.toString(), headers as Record<string, string>);
  expect(message).toMatchObject({
    type: 'alert.opened',
    data: { usdot: USDOT, rule: { name: 'Arrivals' }, unit: { key: 'TRUCK' }, site: { name: 'Yard Dallas' } },
  });
});
