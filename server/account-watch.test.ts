import { expect, it } from 'vitest';
import { TrackingError } from '@/lib/tracking/errors';
import { clockOf } from '@/testing/clock';
import { createAccountWatch } from './account-watch';

const ACCOUNT = { companyName: 'Prairie Star', companyId: 'ps', usdot: '9000001' };

it('answers at once, requests in the background, and keeps the last account when a request fails', async () => {
  const clock = { nowMs: 0 };
  const codes: string[] = [];
  let asked = 0;
  let isDown = false;
  const peek = createAccountWatch({
    read: async () => {
      asked++;
      if (isDown) throw new TrackingError('network', 'refused');
      return ACCOUNT;
    },
    clock: clockOf(() => clock.nowMs),
    onProblem: ({ code }) => codes.push(code),
  });
  expect(peek()).toEqual({ account: null, problem: null });
  await expect.poll(peek).toEqual({ account: ACCOUNT, problem: null });
  expect(asked).toBe(1);
  isDown = true;
  clock.nowMs += 61_000;
  peek();
  await expect.poll(peek).toMatchObject({
    account: ACCOUNT,
    problem: { code: 'provider-unreachable', detail: 'The tracking API cannot be reached.' },
  });
  clock.nowMs += 30_000;
  peek();
  expect(asked).toBe(2);
  clock.nowMs += 31_000;
  peek();
  await expect.poll(() => asked).toBe(3);
  expect(codes).toEqual(['provider-unreachable']);
});
