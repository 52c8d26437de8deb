import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { createWebhookSecret, sealWebhookSecret } from '@/lib/alerts/server/delivery/webhook-channel';
import { MINUTE_MS } from '@/lib/base/time';
import { toGrades, type LoadWindow } from '@/lib/rules/load-watch';
import type { LoadInput } from '@/lib/loads/schema';
import { addLoad, changeLoad, readLoad, type LoadContext } from '@/lib/loads/server/loads';
import { createRandom } from '@/service/simulator/random';
import { openStore } from '@/service/store/store';
import { insertWebhook, setPreferences, setUpAlerts } from '@/testing/alerts/alerts';
import { SECRET, createMessages } from '@/testing/alerts/messages';
import { MAIL_SUBJECTS } from '@/lib/loads/mails';
import { MANAGER, toClient } from '@/testing/auth/sign-in';
import { startMailServer } from '@/testing/mail-server';
import {
  LAST_MIN,
  SWAP_MIN,
  insertLoadRule,
  listMessages,
  reportTrucks,
  toDrivenLoad,
} from '@/testing/service/driven-load';
import { toOwnVehicle } from '@/testing/service/own-recording';
import { OWN_CARRIER } from '@/testing/service/vehicles';

const KILLS = 20;
const SEED = Number(process.env.CRASH_SEED || 20_261_129);
const WITHIN_MS = 30 * MINUTE_MS;
/** A minute of the trucks takes so long at least, and no server runs for so many of their minutes at most. */
const MINUTE_LASTS_MS = 300;
const DOWN_MIN = 4;
const { usdot } = OWN_CARRIER;

const held = setUpAlerts();
let child: ChildProcess | null = null;
afterAll(() => void child?.kill('SIGKILL'));

/** Reads all the time which windows a load's servers have stored for a stop, the last before each stop was reached. */
const watchWindows = (pool: Pick<Pool, 'query'>) => {
  const stored = new Map<number, LoadWindow[]>();
  let isStopped = false;
  const ended = (async () => {
    while (!isStopped) {
      const { rows } = await pool.query<{ shown: LoadWindow[] }>('select shown from linehaul.load_states');
      const shown = rows[0]?.shown ?? [];
      if (shown.length > 0) stored.set(shown.at(-1)!.position, shown);
      await sleep(20);
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await ended;
      return stored;
    },
  };
};

/** As 45 s later: what a killed process was sending is sent by the one that runs. */
const expireJobs = () =>
  held.database.query(
    `update linehaul_jobs.job set started_on = started_on - interval '1 minute', start_after = now()
     where name in ('alert-delivery', 'customer-mail')`,
  );

/** The ids of the mails that are wanted, and how many are not sent yet. */
const readMails = async () => {
  const rows = await held.database.query(
    `select id, alert_id, state from linehaul.alert_deliveries where channel = 'email'`,
  );
  return {
    ids: rows.map(({ id }) => String(id)).sort(),
    alerts: new Set(rows.map(({ alert_id: id }) => id)).size,
    unsent: rows.filter(({ state }) => state !== 'sent').length,
  };
};

/** The ids of the mails to customers, what each is about, and how many are not sent yet. */
const readCustomerMails = async () => {
  const rows = await held.database.query(
    `select id, about || ' ' || address as mail, state from linehaul.customer_mails order by created_ms, about, address`,
  );
  return {
    ids: rows.map(({ id }) => String(id)).sort(),
    mails: rows.map(({ mail }) => String(mail)).sort(),
    unsent: rows.filter(({ state }) => state === 'pending').length,
    dropped: rows.filter(({ state }) => state === 'dropped').map(({ id }) => String(id)),
  };
};

const CUSTOMERS = ['ann@customer.test', 'bob@customer.test'];

/** Free time of the delivery: it ends while the truck is there, long enough after it came that a server sees both. */
const FREE_MIN = 25;
const toLoad = (startMs: number, truck: 1 | 2): LoadInput => {
  const load = toDrivenLoad(startMs, truck);
  return { ...load, stops: load.stops.map((stop, i) => (i === 1 ? { ...stop, freeMin: FREE_MIN } : stop)) };
};

/** The window of each lead time that a load was graded by, at a stop. */
const readGraded = (position: number) =>
  held.database.query(
    `select lead_ms::float8 as "leadMs", shown_ms::float8 as "shownMs", fix_ms::float8 as "fixMs",
       from_ms::float8 as "fromMs", to_ms::float8 as "toMs", arrived_ms::float8 as "arrivedMs"
     from linehaul.arrival_grades where position = $1`,
    [position],
  );

it(
  `a load that is driven while its server is killed ${KILLS} times has every event, window, alert, message and mail once (seed ${SEED})`,
  async () => {
    const random = createRandom(SEED);
    const startMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    let shownMs = startMs;
    const nowMs = (): number => shownMs;
    const store = await openStore({ databaseUrl: held.database.databaseUrl, now: nowMs });
    await store.carriers.upsert(OWN_CARRIER);
    await store.vehicles.upsertMany([1, 2].map((n) => toOwnVehicle(n)));
    const messages = createMessages(held);
    messages.start();
    await expect.poll(() => messages.readPushKey()).not.toBeNull();
    await messages.close();
    const sealedSecret = sealWebhookSecret(createWebhookSecret(), SECRET);
    await insertWebhook(held, { id: 'hook', usdot, url: 'http://127.0.0.1:9/', sealedSecret });
    const { pool } = await held.app.database.open();
    await insertLoadRule(pool, { kind: 'loadWillBeLate' });
    await insertLoadRule(pool, { kind: 'loadNotMoving', forMin: 30 });
    const mailServer = await startMailServer();
    await held.addUser('dan', 'dispatcher', [usdot]);
    await setPreferences(held, 'dan', { email: 'each' });
    const context: LoadContext = {
      ...{ ...held.app, viewer: { ...MANAGER, name: 'Ann' }, client: toClient(), clock: { nowMs } },
    };
    const chosen = { addresses: CUSTOMERS, about: [...MAIL_SUBJECTS], language: 'en' as const };
    const { id } = await addLoad(context, usdot, { ...toLoad(startMs, 1), mails: chosen });
    const start = async (): Promise<void> => {
      const args = ['--conditions=react-server', '--import', 'tsx', 'testing/service/watching-process.ts'];
      const given = [held.database.databaseUrl, shownMs, mailServer.port].map(String);
      child = spawn(process.execPath, [...args, ...given], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
      await once(child.stdout!, 'data');
    };
    const kill = async (): Promise<void> => {
      const exited = once(child!, 'exit');
      child!.kill('SIGKILL');
      await exited;
    };
    /** A server that runs sees each minute of the trucks, however slow the machine is. */
    const untilSeen = async (): Promise<void> => {
      const newest = `select coalesce(max(to_ms), 0)::float8 as ms from linehaul.coverage`;
      await expect
        .poll(async () => (await held.database.query(newest))[0]!.ms, { timeout: 60_000, interval: 20 })
        .toBeGreaterThanOrEqual(shownMs);
    };
    const windows = watchWindows(pool);
    const eachMin = LAST_MIN / KILLS;
    const killsAt = Array.from({ length: KILLS }, (_, i) => Math.floor((i + random.next()) * eachMin));
    let down: { sinceMin: number; started: Promise<void> } | null = null;
    await start();
    for (let min = 0; min <= LAST_MIN + 20; min += 1) {
      if (down !== null && min - down.sinceMin >= DOWN_MIN) {
        await down.started;
        down = null;
      }
      shownMs = startMs + min * MINUTE_MS;
      if (child!.connected) child!.send(shownMs);
      await reportTrucks(store, startMs, min);
      // The server that is started after the swap reads it.
      if (min === SWAP_MIN) await changeLoad(context, usdot, id, toLoad(startMs, 2));
      if (killsAt.includes(min) || min === SWAP_MIN) {
        await down?.started;
        await sleep(random.next() * MINUTE_LASTS_MS);
        await kill();
        down = { sinceMin: min, started: start() };
      } else await Promise.all([sleep(MINUTE_LASTS_MS), down === null && untilSeen()]);
    }
    await down?.started;
    await expect
      .poll(async () => (await readLoad(context, usdot, id)).load.state, { timeout: 60_000 })
      .toBe('delivered');
    const openAlerts = () => held.database.query('select id from linehaul.alerts where closed_ms is null');
    await expect.poll(async () => (await openAlerts()).length, { timeout: 60_000 }).toBe(0);
    await expect
      .poll(async () => (await expireJobs(), (await readMails()).unsent), { timeout: 60_000, interval: 500 })
      .toBe(0);
    await expect
      .poll(async () => (await expireJobs(), (await readCustomerMails()).unsent), {
        ...{ timeout: 60_000, interval: 500 },
      })
      .toBe(0);
    await kill();
    const stored = await windows.stop();
    const { load, events } = await readLoad(context, usdot, id);
    expect(events.map(({ kind, position }) => `${kind} ${position}`).reverse()).toEqual([
      ...['truck -1', 'arrived 0', 'left 0', 'truck -1', 'arrived 1', 'left 1', 'ended 1'],
    ]);
    expect(load.endedMs).not.toBeNull();
    for (const [position, { visit }] of load.judged.entries()) {
      const { arrivedMs } = visit!;
      const graded = await readGraded(position);
      const leads = graded.map(({ leadMs }) => leadMs);
      expect(new Set(leads).size).toBe(leads.length);
      // A window that a server had stored is not lost with it.
      expect(leads).toEqual(
        expect.arrayContaining(toGrades(stored.get(position)!, arrivedMs).map(({ leadMs }) => leadMs)),
      );
      for (const grade of graded) {
        expect(grade.arrivedMs).toBe(arrivedMs);
        expect(grade.fixMs).toBeLessThanOrEqual(grade.shownMs as number);
        expect(grade.fromMs).toBeLessThan(grade.toMs as number);
      }
      if (position === 1) expect(leads.length).toBeGreaterThan(1);
    }
    const states = await held.database.query('select shown from linehaul.load_states');
    expect(states).toHaveLength(1);
    const messagesSent = await listMessages(held);
    expect(messagesSent.length).toBeGreaterThan(0);
    expect(new Set(messagesSent).size, String(messagesSent)).toBe(messagesSent.length);
    const closed = messagesSent.filter((message) => message.endsWith('closed'));
    expect(closed).toHaveLength(messagesSent.length / 2);
    // A mail that is sent again, because its server was killed before it had noted it, has the id that it had.
    const mails = await readMails();
    expect(mails.alerts).toBe(mails.ids.length);
    expect(mails.ids.length).toBe(closed.length);
    const toCustomers = mailServer.received.filter(({ to }) => CUSTOMERS.includes(to[0]!));
    const toStaff = mailServer.received.filter((mail) => !toCustomers.includes(mail));
    const customers = await readCustomerMails();
    expect(customers.mails).toEqual(
      MAIL_SUBJECTS.flatMap((about) => CUSTOMERS.map((address) => `${about} ${address}`)).sort(),
    );
    const sentToCustomers = toCustomers.map(({ text }) => /^Message-ID: <(.+)@/im.exec(text)![1]!);
    // What was no longer true when its server was started again is not sent.
    expect([...new Set([...sentToCustomers, ...customers.dropped])].sort()).toEqual(customers.ids);
    const received = toStaff.map(({ text }) => /^Message-ID: <(.+)@/im.exec(text)![1]!);
    expect([...new Set(received)].sort()).toEqual(mails.ids);
    await mailServer.close();
    await store.close();
  },
  WITHIN_MS,
);
