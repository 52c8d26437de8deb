import { expect, it } from 'vitest';
import { getOrMake, getOrRead, groupBy } from './maps';

it('makes a value once for each key', () => {
  const made = new Map<string, number>();
  expect([
    getOrMake(made, 'a', () => 1),
    getOrMake(made, 'a', () => 2),
    getOrMake(made, 'b', () => 3),
  ]).toEqual([1, 1, 3]);
});

it('shares a reading, and reads again after a failure', async () => {
  const held = new Map<string, Promise<number>>();
  const failed = getOrRead(held, 'a', () => Promise.reject(new Error('away')));
  expect(getOrRead(held, 'a', () => Promise.resolve(1))).toBe(failed);
  await expect(failed).rejects.toThrow('away');
  await expect(getOrRead(held, 'a', () => Promise.resolve(2))).resolves.toBe(2);
});

it('groups items in the order of the first of each group', () => {
  expect([...groupBy([3, 1, 4, 5], (number) => number % 2)]).toEqual([
    [1, [3, 1, 5]],
    [0, [4]],
  ]);
});
