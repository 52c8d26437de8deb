import { expect, test } from 'vitest';
import { SCREEN_HEADER } from '@/lib/base/http/protocol';
import { clockOf } from '@/testing/clock';
import { Viewers } from './viewers';

const setUp = () => {
  const clock = { nowMs: 0 };
  const viewers = new Viewers(
    90_000,
    clockOf(() => clock.nowMs),
  );
  const see = (screen: string | null, usdot = '1') =>
    viewers.record(usdot, new Headers(screen === null ? {} : { [SCREEN_HEADER]: screen }));
  return { clock, viewers, see };
};

test('counts each screen once, however often it polls and from whatever address', () => {
  const { viewers, see } = setUp();
  for (const screen of ['a', 'b', 'a', 'c', 'a']) see(screen);
  see('a', '2');
  expect(viewers.count('1')).toBe(3);
  expect(viewers.count('2')).toBe(1);
  expect(viewers.count('3')).toBe(0);
});

test('forgets a screen that has not polled for a minute and a half', () => {
  const { clock, viewers, see } = setUp();
  see('a');
  clock.nowMs = 60_000;
  see('b');
  clock.nowMs = 91_000;
  expect(viewers.count('1')).toBe(1);
});

test('counts clients without a valid screen number as one', () => {
  const { viewers, see } = setUp();
  for (const screen of [null, null, 'x'.repeat(41), 'a b']) see(screen);
  expect(viewers.count('1')).toBe(1);
});

test('keeps no more than ten thousand screens of a fleet', () => {
  const { viewers, see } = setUp();
  for (let screen = 0; screen < 10_500; screen++) see(String(screen));
  expect(viewers.count('1')).toBeLessThanOrEqual(10_001);
  expect(viewers.count('1')).toBeGreaterThan(9_000);
});
