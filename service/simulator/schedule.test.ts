import { expect, it } from 'vitest';
import { createSchedule } from './schedule';

const at = (unit: number, dueAtMs: number) => ({ unit, dueAtMs, reportAtMs: dueAtMs, isFirst: false });

it('hands out what is due, earliest first, and each appointment once', () => {
  const schedule = createSchedule();
  schedule.add(at(1, 5000));
  schedule.add(at(2, 1000));
  schedule.add(at(3, 90_000));
  expect(schedule.takeDue(999)).toEqual([]);
  expect(schedule.takeDue(5000).map(({ unit }) => unit)).toEqual([2, 1]);
  expect(schedule.takeDue(5000)).toEqual([]);
  expect(schedule.takeDue(100_000).map(({ unit }) => unit)).toEqual([3]);
});

it('forgets an appointment that is never due', () => {
  const schedule = createSchedule();
  schedule.add(at(1, Infinity));
  expect(schedule.takeDue(Number.MAX_SAFE_INTEGER)).toEqual([]);
});
