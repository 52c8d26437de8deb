import { beforeAll, beforeEach, expect } from 'vitest';
import { problemSchema, type Problem } from '@/service/problem';
import type { ServiceOptions } from '@/service/context';
import { createTestService } from './service';
import { NOW_MS } from './store';
import { CARRIER, OTHER_CARRIER, toFix, toVehicle } from './vehicles';
import { MINUTE_MS } from '@/lib/base/time';

/**
 * A service in which vehicle 1 is active, 2 has not reported for an hour and 3 never has; 3 is leased.
 * 4 and 5 drive for the other carrier, 5 registered to the first.
 */
export const createTestFleet = (options: Partial<ServiceOptions> = {}) => {
  const test = createTestService(options);
  const { usdot } = CARRIER;
  beforeAll(async () => {
    const { store } = test.stored;
    await store.vehicles.upsertMany([
      toVehicle(1),
      toVehicle(2),
      toVehicle(3, { registeredUsdot: OTHER_CARRIER.usdot, registeredMcNumber: 'MC-77' }),
      toVehicle(4, { usdot: OTHER_CARRIER.usdot }),
      toVehicle(5, { usdot: OTHER_CARRIER.usdot, registeredUsdot: usdot }),
    ]);
    test.stored.nowMs = NOW_MS - 60 * MINUTE_MS;
    await store.fixes.record(usdot, [toFix(2, NOW_MS - 60 * MINUTE_MS)]);
    test.stored.nowMs = NOW_MS;
    await store.fixes.record(usdot, [
      toFix(1, NOW_MS - 1_500, { lat: 35.19938, lng: -101.8453, speedKph: 98 }),
    ]);
  });
  beforeEach(() => {
    test.stored.nowMs = NOW_MS;
  });
  return test;
};

/** The problem in a response, after a check of the properties common to all refusals. */
export const readProblem = async (response: Response): Promise<Problem> => {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const problem = problemSchema.parse(await response.json());
  expect(problem.status).toBe(response.status);
  expect(problem.requestId).toBe(response.headers.get('x-request-id'));
  expect(problem.type).toBe(`/docs#${problem.code}`);
  return problem;
};
