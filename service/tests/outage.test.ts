import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '@/testing/database';
import { fillDisk } from '@/testing/full-disk';
import { startTcpProxy, throughProxy, type TcpProxy } from '@/testing/tcp-proxy';
import { createService, type Service } from '../service';
import { openStore, type Store } from '../store/store';
import { createTestLog } from '../../testing/service/service';
import { CARRIER, toVehicle } from '../../testing/service/vehicles';

const FIRST_AT_S = Date.UTC(2026, 2, 5, 15, 0, 0) / 1000;

let databaseUrl: string;
let drop: () => Promise<void>;
let proxy: TcpProxy;
let store: Store;
let service: Service;
let token: string;
const { log, lines } = createTestLog();

beforeAll(async () => {
  ({ databaseUrl, drop } = await createTestDatabase());
  proxy = await startTcpProxy(Number(new URL(databaseUrl).port));
  store = await openStore({ databaseUrl: throughProxy(databaseUrl, proxy), now: Date.now });
  await store.carriers.upsert(CARRIER);
  await store.vehicles.upsertMany([toVehicle(1)]);
  ({ token } = await store.ingestTokens.create({ usdot: CARRIER.usdot, name: 'phones' }));
  service = createService({ store, now: Date.now, log });
});
afterAll(async () => {
  await store.close();
  await proxy.close();
  await drop();
});

/** Reports the fix of one second. */
const report = (second: number): Promise<Response> => {
  const fix = `id=device-1&lat=35.2&lon=-101.8&timestamp=${FIRST_AT_S + second}`;
  return service.fetch(new Request(`http://service.test/ingest/${token}/osmand?${fix}`));
};

const readStored = async (): Promise<number[]> => {
  const elsewhere = await openStore({ databaseUrl, now: Date.now });
  const vehicle = await elsewhere.vehicles.readByVin(toVehicle(1).vin);
  const position = vehicle && (await elsewhere.positions.read(vehicle.id));
  await elsewhere.close();
  return position ? [position.fixAtMs / 1000 - FIRST_AT_S] : [];
};

describe('a database that goes away', () => {
  it('during reports refuses them with Retry-After, and accepts them once it is back', async () => {
    expect((await report(1)).status).toBe(200);
    const underWay = Array.from({ length: 50 }, (_, i) => report(2 + i));
    await proxy.cut();
    const answers = await Promise.all(underWay);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(await answer.json()).toMatchObject({ code: 'unavailable' });
    }
    await proxy.restore();
    for (let second = 2; second < 52; second++) expect((await report(second)).status).toBe(200);
    expect(await readStored()).toEqual([51]);
  });
});

describe('a disk that is full', () => {
  it('refuses reports with a message, acknowledges none that it cannot store, and accepts them once there is room', async () => {
    expect((await report(100)).status).toBe(200);
    const disk = await fillDisk(databaseUrl, 'tracking.fixes');
    lines.length = 0;
    // The first may find its connection broken, by which the disk was filled.
    await report(101);
    const answer = await report(102);
    expect(answer.status).toBe(507);
    expect(answer.headers.get('retry-after')).toBe('60');
    expect(await answer.json()).toMatchObject({
      code: 'storage_full',
      title: 'The disk of the service is full',
    });
    expect(lines.filter(({ message }) => message === 'request failed').at(-1)).toMatchObject({
      level: 'error',
      fields: { code: '53100' },
    });
    expect(await readStored()).toEqual([100]);
    await disk.makeRoom();
    await report(102);
    expect((await report(102)).status).toBe(200);
    expect(await readStored()).toEqual([102]);
  });
});
