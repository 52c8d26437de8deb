import { describe, expect, it } from 'vitest';
import { carrierAccountSchema, unitSchema, unitsSchema, vinCarrierSchema, vinListSchema } from '../contract';
import { createTestFleet, readProblem } from '../../testing/service/fleet';
import { toHeaders } from '../../testing/service/service';
import { CARRIER, OTHER_CARRIER, toVin } from '../../testing/service/vehicles';

const test = createTestFleet();
const { usdot } = CARRIER;

const UNIT_1 = {
  truckNumber: 'T-1',
  vin: toVin(1),
  coordinates: { lat: 35.19938, lng: -101.8453 },
  timestamp: '2026-03-05T14:59:58.500Z',
  licensePlate: { state: 'TX', number: 'R1' },
  assetType: 'Truck',
  unixTimestamp: 1772722798,
  deviceId: 'device-1',
  make: 'Kenworth',
  model: 'T680',
  year: 2019,
  fuelType: 'Diesel',
};

describe('GET /api/units/:usdot/:vin', () => {
  it('answers the unit, not wrapped in anything', async () => {
    const unit = await (await test.ask(`/api/units/${usdot}/${toVin(1)}`)).json();
    expect(unit).toEqual(UNIT_1);
    expect(unitSchema.strict().parse(unit)).toEqual(unit);
  });

  it('reads a VIN in lower case, and a USDOT number with leading zeros', async () => {
    const response = await test.ask(`/api/units/0${usdot}/${toVin(1).toLowerCase()}`);
    expect(await response.json()).toEqual(UNIT_1);
  });

  it('answers the last known position of a unit, whatever its age', async () => {
    const unit = await (await test.ask(`/api/units/${usdot}/${toVin(2)}`)).json();
    expect(unit).toMatchObject({ vin: toVin(2), timestamp: '2026-03-05T14:00:00.000Z' });
  });

  it('reports that a vehicle has never reported', async () => {
    const response = await test.ask(`/api/units/${usdot}/${toVin(3)}`);
    expect(response.status).toBe(404);
    expect((await readProblem(response)).code).toBe('never_reported');
  });

  it("refuses an unknown VIN, and another carrier's", async () => {
    for (const vin of [toVin(99), toVin(4)]) {
      const response = await test.ask(`/api/units/${usdot}/${vin}`);
      expect(response.status).toBe(404);
      expect((await readProblem(response)).code).toBe('unknown_vin');
    }
  });

  it.each([
    '1XKYD49X0KJ00000',
    '1XKYD49X0KJ0000011',
    'OXKYD49X0KJ000001',
    '1XKYD49X0KJ00000%20',
    '%00',
    '%E2%82%AC',
    '%ff',
  ])('refuses %s, which is not a VIN', async (vin) => {
    const response = await test.ask(`/api/units/${usdot}/${vin}`);
    expect(response.status).toBe(400);
    expect((await readProblem(response)).code).toBe('malformed_vin');
  });
});

describe('GET /api/units/:usdot', () => {
  it('answers every active unit in an envelope', async () => {
    const body = await (await test.ask(`/api/units/${usdot}`)).json();
    expect(body).toEqual({ units: [UNIT_1] });
    expect(unitsSchema.strict().parse(body)).toEqual(body);
  });

  it('answers an empty list when no unit is active', async () => {
    const response = await test.ask(`/api/units/${OTHER_CARRIER.usdot}`, toHeaders(test.other));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ units: [] });
  });
});

describe('GET /api/vin-numbers/:usdot', () => {
  it('answers every VIN, active or not, as an array of strings', async () => {
    const vins = await (await test.ask(`/api/vin-numbers/${usdot}`)).json();
    expect(vinListSchema.parse(vins)).toEqual([toVin(1), toVin(2), toVin(3)]);
  });
});

describe.each([['GET /api/units/:usdot'], ['GET /api/units/:usdot/:vin'], ['GET /api/vin-numbers/:usdot']])(
  '%s',
  (line) => {
    const toPath = (number: string) => line.slice(4).replace(':usdot', number).replace(':vin', toVin(1));

    it(`${line} refuses another carrier's USDOT number, whether it exists or not`, async () => {
      const bodies = await Promise.all(
        [OTHER_CARRIER.usdot, '1234567'].map(async (number) => {
          const response = await test.ask(toPath(number));
          expect(response.status).toBe(403);
          const { requestId: _, ...problem } = await readProblem(response);
          return problem;
        }),
      );
      expect(bodies[0]).toEqual(bodies[1]);
      expect(bodies[0]!.code).toBe('other_carrier');
    });

    it.each(['0', '00000000', '123456789', '12a', '-1', '1.5', '%20', '٣'])(
      `${line} refuses %s, which is not a USDOT number`,
      async (number) => {
        const response = await test.ask(toPath(number));
        expect(response.status).toBe(400);
        expect((await readProblem(response)).code).toBe('malformed_usdot');
      },
    );
  },
);

describe('GET /api/carrier', () => {
  it('answers the carrier of the key', async () => {
    const account = await (await test.ask('/api/carrier')).json();
    expect(account).toEqual({ companyName: CARRIER.companyName, companyId: CARRIER.companyId, usdot });
    expect(carrierAccountSchema.strict().parse(account)).toEqual(account);
    const other = await (await test.ask('/api/carrier', toHeaders(test.other))).json();
    expect(other).toMatchObject({ usdot: OTHER_CARRIER.usdot });
  });
});

describe('GET /api/carrier/:vin', () => {
  it("answers the fleet's own numbers for a vehicle that is registered nowhere else", async () => {
    const carrier = await (await test.ask(`/api/carrier/${toVin(1)}`)).json();
    expect(carrier).toEqual({ mcNumber: CARRIER.mcNumber, usDotNumber: usdot });
    expect(vinCarrierSchema.strict().parse(carrier)).toEqual(carrier);
  });

  it('answers the carrier that a leased vehicle is registered to', async () => {
    expect(await (await test.ask(`/api/carrier/${toVin(3)}`)).json()).toEqual({
      mcNumber: 'MC-77',
      usDotNumber: OTHER_CARRIER.usdot,
    });
  });

  it("answers for a vehicle that is registered to the key's carrier and drives for another", async () => {
    expect(await (await test.ask(`/api/carrier/${toVin(5)}`)).json()).toEqual({
      mcNumber: CARRIER.mcNumber,
      usDotNumber: usdot,
    });
  });

  it("refuses an unknown VIN, and another carrier's", async () => {
    for (const vin of [toVin(99), toVin(4)]) {
      const response = await test.ask(`/api/carrier/${vin}`);
      expect(response.status).toBe(404);
      expect((await readProblem(response)).code).toBe('unknown_vin');
    }
  });

  it('refuses what is not a VIN', async () => {
    const response = await test.ask('/api/carrier/1234567');
    expect((await readProblem(response)).code).toBe('malformed_vin');
  });
});

describe('any other address', () => {
  it('answers 404 and reveals nothing without credentials', async () => {
    for (const path of ['/nothing', '/api', '/api/units', `/api/units/${usdot}/`, '/API/carrier']) {
      const response = await test.ask(path, {});
      expect([401, 404]).toContain(response.status);
      expect(['unknown_path', 'invalid_credentials']).toContain((await readProblem(response)).code);
    }
    expect((await test.ask('/api/units')).status).toBe(404);
  });
});
