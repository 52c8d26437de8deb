import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { RESTED, drive, stop, toRestsMs } from './duty';

const hours = (count: number): number => count * HOUR_MS;

it.each([
  ['a short drive', RESTED, 4, 0],
  ['nine hours after a rest: a break', RESTED, 9, 0.5],
  ['twelve hours after a rest: a rest, which is a break', RESTED, 12, 10],
  ['two hours after ten of driving', drive(RESTED, hours(10)), 2, 10],
  [
    'two hours after ten of driving and half an hour of break',
    stop(drive(RESTED, hours(10)), 30 * MINUTE_MS),
    2,
    10,
  ],
  ['two hours after ten of driving and a night', stop(drive(RESTED, hours(10)), hours(10)), 2, 0],
  ['thirty hours: two rests', RESTED, 30, 20.5],
])('%s', (_, duty, drivingH, restsH) => {
  expect(toRestsMs(hours(drivingH), duty) / HOUR_MS).toBe(restsH);
});

it('asks no rest of a truck that was driven for longer than one driver may', () => {
  const team = stop(drive(RESTED, hours(13)), hours(10));
  expect(toRestsMs(hours(30), team)).toBe(0);
});

it('keeps hours through a stop that is too short for a break', () => {
  expect(stop(drive(RESTED, hours(3)), 20 * MINUTE_MS)).toEqual({
    ...drive(RESTED, hours(3)),
    sinceStopMs: 0,
  });
});
