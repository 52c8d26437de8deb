import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom } from '@/service/simulator/random';
import { insertAlert, insertWebhook, setUpAlerts } from '@/testing/alerts/alerts';
import { SECRET, addChanges, createMessages, readDeliveries } from '@/testing/alerts/messages';
import { startReceiver } from '@/testing/alerts/receiver';
import { createWebhookSecret, sealWebhookSecret } from './webhook-channel';

const ROUNDS = 20;
const SEED = Number(process.env.CRASH_SEED || 20_261_124);
const WITHIN_MS = 300_000;
/** A process is killed after as many messages at most. */
const MOST_OF_A_ROUND = 20;
const USDOT = '9000001';

const held = setUpAlerts();
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let child: ChildProcess | null = null;
beforeAll(async () => {
  // It answers after a while, so that a process is killed with some messages on their way.
  receiver = await startReceiver(
    () => (response) => void setTimeout(() => response.writeHead(204).end(), 20),
  );
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await receiver.close();
});

const startSender = async (): Promise<ChildProcess> => {
  const args = ['--conditions=react-server', '--import', 'tsx', 'testing/alerts/sending-process.ts'];
  const started = spawn(process.execPath, [...args, held.database.databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(started.stdout, 'data');
  return started;
};

/** As 45 s later: what a killed process was sending is sent by another one. */
const expireJobs = () =>
  held.database.query(
    `update linehaul_jobs.job set started_on = started_on - interval '1 minute', start_after = now()
     where name = 'alert-delivery'`,
  );

it(
  `a sender that is killed ${ROUNDS} times loses no message, and sends none under another id (seed ${SEED})`,
  async () => {
    const sealedSecret = sealWebhookSecret(createWebhookSecret(), SECRET);
    await insertWebhook(held, { id: 'hook', usdot: USDOT, url: receiver.url, sealedSecret });
    const random = createRandom(SEED);
    const outbox = createMessages(held);
    outbox.start();
    await expect.poll(() => outbox.readPushKey()).not.toBeNull();
    await outbox.close();
    for (let round = 0; round < ROUNDS; round++) {
      const times = 2 * MOST_OF_A_ROUND;
      const newest = await insertAlert(held, { usdot: USDOT, times });
      await addChanges(
        held,
        outbox,
        Array.from({ length: times }, (_, i) => ({ alertId: newest - i, event: 'opened' as const })),
      );
      child = await startSender();
      const enough = receiver.received.length + random.integer(1, MOST_OF_A_ROUND);
      while (receiver.received.length < enough) await sleep(5);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await expireJobs();
    }
    child = await startSender();
    await expect
      .poll(
        async () => {
          await expireJobs();
          return (await readDeliveries(held)).filter(({ state }) => state !== 'sent').length;
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBe(0);
    const ids = (await readDeliveries(held)).map(({ id }) => id).sort();
    expect(ids).toHaveLength(ROUNDS * 2 * MOST_OF_A_ROUND);
    const received = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect([...received].sort()).toEqual(ids);
  },
  WITHIN_MS,
);
