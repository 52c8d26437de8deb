import { Client, type Pool } from 'pg';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../log';
import { NOW_MS, createTestStore } from '../../../testing/service/store';
import { CARRIER, OTHER_CARRIER, toFix, toVehicle, toVin } from '../../../testing/service/vehicles';
import { systemClock } from '@/lib/base/clock';
import { TRACKING_PART, openDatabase } from '@/lib/database/database';
import { InvalidRecordError } from '../errors';
import { deleteFixesBefore, startRetention } from './retention';
import { openStore } from '../store';

const test = createTestStore();
const { usdot } = CARRIER;

beforeEach(async () => {
  test.nowMs = NOW_MS;
  for (const carrier of await test.store.carriers.list()) await test.store.carriers.remove(carrier.usdot);
  await test.store.carriers.upsert(CARRIER);
  await test.store.carriers.upsert(OTHER_CARRIER);
  await test.store.vehicles.upsertMany([toVehicle(1), toVehicle(2)]);
});

const query = async <Row extends object>(text: string): Promise<Row[]> => {
  const client = new Client({ connectionString: test.databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
};

const countFixes = async (): Promise<number> =>
  (await query<{ count: number }>('SELECT count(*)::int AS count FROM tracking.fixes'))[0]!.count;

const readPosition = async (n: number) =>
  test.store.positions.read((await test.store.vehicles.readByVin(toVin(n)))!.id);

const record = (...fixes: ReturnType<typeof toFix>[]) => test.store.fixes.record(usdot, fixes);

describe('order', () => {
  it('never lets an older fix replace a newer one', async () => {
    await record(toFix(1, NOW_MS - 60_000, { lat: 31 }));
    await record(toFix(1, NOW_MS - 120_000, { lat: 30 }));
    expect(await readPosition(1)).toMatchObject({ lat: 31, fixAtMs: NOW_MS - 60_000 });
    expect(await countFixes()).toBe(2);
  });

  it('takes the newest of a batch, wherever it is in it', async () => {
    await record(
      toFix(1, NOW_MS - 30_000, { lat: 30 }),
      toFix(1, NOW_MS - 10_000, { lat: 32 }),
      toFix(1, NOW_MS - 20_000, { lat: 31 }),
    );
    expect(await readPosition(1)).toMatchObject({ lat: 32 });
  });

  it('replaces a fix from the future by any that arrives later', async () => {
    await record(toFix(1, NOW_MS + 86_400_000, { lat: 30 }));
    expect(await readPosition(1)).toMatchObject({ lat: 30, orderAtMs: NOW_MS, fixAtMs: NOW_MS + 86_400_000 });
    test.nowMs += 10_000;
    await record(toFix(1, test.nowMs - 1_000, { lat: 31 }));
    expect(await readPosition(1)).toMatchObject({ lat: 31 });
  });

  it('does not move a vehicle back when a fix from the future is sent again', async () => {
    const future = toFix(1, NOW_MS + 86_400_000, { lat: 30 });
    await record(future);
    test.nowMs += 10_000;
    await record(toFix(1, test.nowMs, { lat: 31 }));
    test.nowMs += 10_000;
    await record(future);
    expect(await readPosition(1)).toMatchObject({ lat: 31 });
  });

  it('replaces a position that arrived before the clock of the service was set back', async () => {
    test.nowMs = NOW_MS + 7_200_000;
    await record(toFix(1, test.nowMs, { lat: 30 }));
    test.nowMs = NOW_MS;
    await record(toFix(1, NOW_MS - 1000, { lat: 31 }));
    expect(await readPosition(1)).toMatchObject({ lat: 31, fixAtMs: NOW_MS - 1000 });
    await record(toFix(1, NOW_MS - 2000, { lat: 32 }));
    expect(await readPosition(1)).toMatchObject({ lat: 31 });
  });

  it('keeps the newest while the clock of the service is minutes behind that of PostgreSQL', async () => {
    const nowMs = Date.now();
    test.nowMs = nowMs - 180_000;
    await record(toFix(1, nowMs - 1000, { lat: 31 }));
    await record(toFix(1, nowMs - 3_600_000, { lat: 30 }));
    expect(await readPosition(1)).toMatchObject({ lat: 31 });
  });

  it('logs a fix at exactly 0,0 and leaves the vehicle where it was', async () => {
    await record(toFix(1, NOW_MS - 60_000, { lat: 31 }));
    await record(toFix(1, NOW_MS, { lat: 0, lng: 0 }));
    expect(await readPosition(1)).toMatchObject({ lat: 31 });
    expect(await countFixes()).toBe(2);
  });

  it('keeps the newest under concurrent writers of two processes', async () => {
    const elsewhere = await openStore({ databaseUrl: test.databaseUrl, now: test.now });
    const stores = [test.store, elsewhere];
    const times = Array.from({ length: 200 }, (_, i) => NOW_MS - ((i * 7919) % 200) * 1000);
    const answers = await Promise.all(
      times.map((time, i) =>
        stores[i % 2]!.fixes.record(usdot, [
          toFix(2, time),
          toFix(1, time, { lat: 30 + (NOW_MS - time) / 1e6 }),
        ]),
      ),
    );
    expect(answers.every((answer) => answer.unknownDevices.length === 0)).toBe(true);
    expect(await readPosition(1)).toMatchObject({ fixAtMs: NOW_MS, lat: 30 });
    expect(await countFixes()).toBe(400);
    await elsewhere.close();
  });
});

describe('recording', () => {
  it('counts reports without a position by vehicle, and stores no fix of them', async () => {
    const heard = (n: number) => ({ ...toFix(n, NOW_MS), lat: null, lng: null });
    await test.store.fixes.record(usdot, [heard(1), toFix(1, NOW_MS), heard(1)]);
    test.nowMs += 1000;
    await test.store.fixes.record(usdot, [heard(1), heard(2)]);
    const refused = await test.store.fixes.record(usdot, [heard(1), heard(7)]);
    expect(refused).toEqual({ unknownDevices: ['device-7'] });
    expect(await countFixes()).toBe(1);
    expect(
      await query(
        'SELECT count::int, newest_at_ms::float8 AS at FROM tracking.no_position_reports ORDER BY vehicle_id',
      ),
    ).toEqual([
      { count: 3, at: NOW_MS + 1000 },
      { count: 1, at: NOW_MS + 1000 },
    ]);
  });

  it('stores a fix that is sent twice once', async () => {
    const fix = toFix(1, NOW_MS);
    await Promise.all([record(fix, fix), record(fix)]);
    await record(fix);
    expect(await countFixes()).toBe(1);
  });

  it('stores nothing of a call that names an unknown device, and all of the others', async () => {
    const answers = await Promise.all([
      record(toFix(1, NOW_MS)),
      record(toFix(2, NOW_MS), toFix(7, NOW_MS), toFix(7, NOW_MS - 1), toFix(8, NOW_MS)),
      record(toFix(1, NOW_MS - 1)),
    ]);
    expect(answers.map((answer) => answer.unknownDevices)).toEqual([[], ['device-7', 'device-8'], []]);
    expect(await readPosition(2)).toBeNull();
    expect(await countFixes()).toBe(2);
  });

  it('treats devices of another carrier as unknown', async () => {
    expect(await test.store.fixes.record(OTHER_CARRIER.usdot, [toFix(1, NOW_MS)])).toEqual({
      unknownDevices: ['device-1'],
    });
    expect(await test.store.fixes.record('123', [toFix(1, NOW_MS)])).toEqual({
      unknownDevices: ['device-1'],
    });
  });

  it('notices vehicles that another process adds, changes and removes', async () => {
    await record(toFix(1, NOW_MS));
    const elsewhere = await openStore({ databaseUrl: test.databaseUrl, now: test.now });
    await elsewhere.vehicles.upsertMany([toVehicle(3), toVehicle(1, { deviceId: 'new' })]);
    await elsewhere.vehicles.remove(toVin(2));
    expect(await record(toFix(3, NOW_MS))).toEqual({ unknownDevices: [] });
    expect(await record(toFix(1, NOW_MS, { deviceId: 'new' }))).toEqual({ unknownDevices: [] });
    expect(await record(toFix(1, NOW_MS), toFix(2, NOW_MS))).toEqual({
      unknownDevices: ['device-1', 'device-2'],
    });
    await elsewhere.close();
  });

  it('recognizes the devices of a carrier that was removed and created again', async () => {
    await record(toFix(1, NOW_MS));
    await test.store.carriers.remove(usdot);
    await test.store.carriers.upsert(CARRIER);
    await test.store.vehicles.upsertMany([toVehicle(1)]);
    expect(await record(toFix(1, NOW_MS, { lat: 33 }))).toEqual({ unknownDevices: [] });
    expect(await readPosition(1)).toMatchObject({ lat: 33 });
  });

  it('refuses one bad call without harm to those that share its transaction', async () => {
    const [good, bad] = await Promise.allSettled([
      record(toFix(1, NOW_MS)),
      record(toFix(2, NOW_MS, { lat: 91 })),
    ]);
    expect(good.status).toBe('fulfilled');
    expect(bad.status === 'rejected' && bad.reason).toBeInstanceOf(InvalidRecordError);
    expect(await readPosition(2)).toBeNull();
  });

  it('acknowledges only what another connection can already see', async () => {
    for (let i = 0; i < 5; i++) {
      await record(toFix(1, NOW_MS - i));
      expect(await countFixes()).toBe(i + 1);
    }
  });

  it('never deadlocks, whatever the order of carriers, vehicles and changes of vehicles', async () => {
    await test.store.vehicles.upsertMany([toVehicle(5, { usdot: OTHER_CARRIER.usdot })]);
    const elsewhere = await openStore({ databaseUrl: test.databaseUrl, now: test.now });
    const writes = Array.from({ length: 60 }, (_, i) => {
      const store = i % 2 === 0 ? test.store : elsewhere;
      if (i % 10 === 0)
        return store.vehicles.upsertMany([toVehicle(6, { usdot: i % 20 === 0 ? usdot : '9000002' })]);
      if (i % 3 === 0) return store.fixes.record(OTHER_CARRIER.usdot, [toFix(5, NOW_MS - i)]);
      return store.fixes.record(
        usdot,
        i % 4 === 1 ? [toFix(2, NOW_MS - i), toFix(1, NOW_MS - i)] : [toFix(1, i)],
      );
    });
    await Promise.all(writes);
    await elsewhere.close();
  });
});

describe('a value that only the database refuses', () => {
  it('refuses the report that holds it, and stores those of other carriers that share its transaction', async () => {
    await test.store.vehicles.upsertMany([toVehicle(5, { usdot: OTHER_CARRIER.usdot })]);
    const underflowing = [toFix(1, NOW_MS), toFix(2, NOW_MS, { headingDeg: 1e-200 })];
    const good = Array.from({ length: 380 }, (_, i) =>
      test.store.fixes.record(OTHER_CARRIER.usdot, [toFix(5, NOW_MS - i)]),
    );
    const [bad] = await Promise.allSettled([record(...underflowing)]);
    expect(bad).toMatchObject({ status: 'rejected', reason: { name: 'InvalidRecordError' } });
    expect(await Promise.all(good)).toHaveLength(380);
    expect(await countFixes()).toBe(380);
  });
});

describe('revisions', () => {
  it('change with a new position, and with nothing else that is recorded', async () => {
    await record(toFix(1, NOW_MS));
    const before = await test.store.positions.readRevisions(usdot);
    await record(toFix(1, NOW_MS), toFix(1, NOW_MS - 5));
    expect(await test.store.positions.readRevisions(usdot)).toEqual(before);
    await record(toFix(2, NOW_MS));
    const after = await test.store.positions.readRevisions(usdot);
    expect(after!.revision).toBeGreaterThan(before!.revision);
    expect(after!.vehiclesRevision).toBe(before!.vehiclesRevision);
    const changed = await test.store.positions.listSince(usdot, before!.revision);
    expect(changed.map((position) => position.fixAtMs)).toEqual([NOW_MS]);
  });

  it('change with the vehicles', async () => {
    const before = await test.store.positions.readRevisions(usdot);
    await test.store.vehicles.remove(toVin(1));
    const after = await test.store.positions.readRevisions(usdot);
    expect(after!.vehiclesRevision).toBeGreaterThan(before!.vehiclesRevision);
    expect(after!.revision).toBeGreaterThan(before!.revision);
  });

  it('are unknown for an unknown carrier', async () => {
    expect(await test.store.positions.readRevisions('12345')).toBeNull();
  });
});

describe('retention', () => {
  it('deletes old fixes and keeps the current position', async () => {
    await record(toFix(1, NOW_MS - 1));
    test.nowMs += 1000;
    await record(toFix(2, NOW_MS));
    const { pool } = openDatabase(test.databaseUrl, TRACKING_PART, silentLog);
    expect(await deleteFixesBefore(pool, NOW_MS + 1)).toBe(1);
    await pool.end();
    expect(await countFixes()).toBe(1);
    expect(await readPosition(1)).toMatchObject({ fixAtMs: NOW_MS - 1 });
  });

  it('is only of a store that was opened with its days', async () => {
    const setTimer = vi.spyOn(systemClock, 'setTimer');
    const { databaseUrl, now } = test;
    const command = await openStore({ databaseUrl, now });
    expect(setTimer).not.toHaveBeenCalled();
    const service = await openStore({ databaseUrl, now, retentionDays: 30 });
    expect(setTimer).toHaveBeenCalledOnce();
    setTimer.mockRestore();
    await Promise.all([command.close(), service.close()]);
  });

  it('stops between two statements', async () => {
    vi.useFakeTimers();
    let statements = 0;
    const query = () => Promise.resolve({ rowCount: ++statements < 5 ? 10_000 : 0 });
    const pool = { query } as unknown as Pool;
    const retention = startRetention({ pool, now: test.now, retentionDays: 30, log: silentLog });
    vi.advanceTimersByTime(60_000);
    await retention.stop();
    vi.useRealTimers();
    expect(statements).toBe(1);
  });
});

describe('the order of commits', () => {
  it('a reader that follows the revisions gets each new fix once, whatever is committed meanwhile', async () => {
    const elsewhere = await openStore({ databaseUrl: test.databaseUrl, now: test.now });
    const { fixes } = test.store;
    const got: number[] = [];
    let [since, isOver] = [0, false];
    const follow = async (): Promise<void> => {
      for (let isLast = false; !isLast;) {
        isLast = isOver;
        const until = (await fixes.readRevision(usdot))!;
        while (since < until) {
          const page = await fixes.listSince(usdot, since, until);
          got.push(...page.fixes.map(({ fixAtMs }) => fixAtMs));
          since = page.revision;
        }
      }
    };
    const following = follow();
    const times = Array.from({ length: 200 }, (_, i) => NOW_MS - ((i * 7919) % 200) * 1000);
    await Promise.all(
      times.map((time, i) =>
        [test.store, elsewhere][i % 2]!.fixes.record(usdot, [toFix(1 + (i % 2), time), toFix(1, time)]),
      ),
    );
    isOver = true;
    await following;
    await elsewhere.close();
    expect(got.length).toBe(await countFixes());
    expect(new Set(got).size).toBe(200);
  });

  it('a page has all fixes of its revisions, and those of other carriers are not in it', async () => {
    await test.store.vehicles.upsertMany([toVehicle(3, { usdot: OTHER_CARRIER.usdot })]);
    for (const batch of [1, 2])
      await record(...Array.from({ length: 3000 }, (_, i) => toFix(1, NOW_MS - batch * 1e7 + i * 1000)));
    await test.store.fixes.record(OTHER_CARRIER.usdot, [toFix(3, NOW_MS)]);
    await record(toFix(1, NOW_MS));
    const until = (await test.store.fixes.readRevision(usdot))!;
    const first = await test.store.fixes.listSince(usdot, 0, until);
    expect(first.fixes).toHaveLength(6000);
    const second = await test.store.fixes.listSince(usdot, first.revision, until);
    expect(second).toMatchObject({ fixes: [{ vin: toVin(1), deviceId: 'device-1' }], revision: until });
    expect(await test.store.fixes.readRevision('7777777')).toBeNull();
  });
});
