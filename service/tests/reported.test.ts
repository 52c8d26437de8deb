import { beforeAll, describe, expect, it } from 'vitest';
import { createTestFleet, readProblem } from '../../testing/service/fleet';
import { toHeaders } from '../../testing/service/service';
import { NOW_MS } from '../../testing/service/store';
import { CARRIER, toVin } from '../../testing/service/vehicles';

const test = createTestFleet();
const { usdot } = CARRIER;
let token = '';

beforeAll(async () => {
  ({ token } = await test.stored.store.ingestTokens.create({ usdot, name: 'trackers' }));
});

const report = (query: string) => test.ask(`/ingest/${token}/osmand?${query}`, {});
const ask = (path: string, headers?: Record<string, string>) =>
  test.ask(`/extensions/units/${path}`, headers);

describe('GET /extensions/units/:usdot/:vin', () => {
  it('answers what the device reported, as it reported it', async () => {
    const atS = NOW_MS / 1000 - 1;
    await report(
      `id=device-1&lat=35.2&lon=-101.8&timestamp=${atS}&speed=54&bearing=271.5&altitude=1099&accuracy=4.6&batt=87&ignition=true&odometer=612345678&alarm=${encodeURIComponent('a"b\\c,{d}')}`,
    );
    await report('id=device-1&batt=86');
    const response = await ask(`${usdot}/${toVin(1)}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      vin: toVin(1),
      timestamp: new Date(NOW_MS - 1000).toISOString(),
      receivedAt: new Date(NOW_MS).toISOString(),
      speedKph: 100.008,
      headingDeg: 271.5,
      altitudeM: 1099,
      accuracyM: 4.6,
      batteryPercent: 87,
      isIgnitionOn: true,
      odometerM: 612_345_678,
      alarm: 'a"b\\c,{d}',
      reportsWithoutPosition: 1,
      heardWithoutPositionAt: new Date(NOW_MS).toISOString(),
    });
  });

  it('answers null for what a device did not report', async () => {
    expect(await (await ask(`${usdot}/${toVin(2)}`)).json()).toMatchObject({
      speedKph: null,
      isIgnitionOn: null,
      odometerM: null,
      alarm: null,
      reportsWithoutPosition: 0,
      heardWithoutPositionAt: null,
    });
  });

  it('answers for a device that was only heard, and refuses one that never was', async () => {
    const path = `${usdot}/${toVin(3)}`;
    expect((await readProblem(await ask(path))).code).toBe('never_reported');
    await report('id=device-3&lat=0&lon=0');
    expect(await (await ask(path)).json()).toMatchObject({ timestamp: null, reportsWithoutPosition: 1 });
  });

  it('needs the key of the carrier, and one that may read a unit', async () => {
    const limited = await test.stored.store.keys.create({
      usdot,
      name: 'limited',
      access: { endpoints: ['units'] },
    });
    const path = `${usdot}/${toVin(1)}`;
    expect((await readProblem(await ask(path, {}))).code).toBe('invalid_credentials');
    expect((await readProblem(await ask(path, toHeaders(test.other)))).code).toBe('other_carrier');
    expect((await readProblem(await ask(path, toHeaders(limited)))).code).toBe('endpoint_not_allowed');
    expect((await readProblem(await ask(`${usdot}/${toVin(4)}`))).code).toBe('unknown_vin');
  });

  it('leaves the unit of the contract as it is', async () => {
    const unit = (await (await test.ask(`/api/units/${usdot}/${toVin(1)}`)).json()) as object;
    expect(Object.keys(unit)).toHaveLength(12);
  });
});
