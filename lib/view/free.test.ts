import { expect, it } from 'vitest';
import { createTestFleet } from '@/testing/view/fleet';
import { freeText, isFree, keepFree } from './free';
import { createMarks, withMarks } from './marks';

it.each([
  ['one of the tags', ['empty', 'tx'], { has: ['empty', 'parked'], not: [] }, true],
  ['none of the tags', ['tx'], { has: ['empty'], not: [] }, false],
  ['no tag that takes it away', [], { has: [], not: ['in shop'] }, true],
  ['a tag that takes it away', ['empty', 'in shop'], { has: ['empty'], not: ['in shop'] }, false],
] as const)('a unit with %s', (_, tags, { has, not }, expected) =>
  expect(isFree(tags, { has: [...has], not: [...not] })).toBe(expected),
);

it('keeps the free units of a fleet, also those without any tag', () => {
  const fleet = withMarks(
    createTestFleet([{}, {}, null, {}]),
    createMarks([], [{ tag: 'in shop', units: ['unit:1'] }]),
  );
  expect([...keepFree(fleet, Int32Array.of(0, 1, 2, 3), { has: [], not: ['in shop'] })]).toEqual([0, 3]);
});

it('is written as a phrase', () => {
  expect(freeText({ has: ['empty', 'parked'], not: ['in shop'] })).toBe(
    'with the tag empty or parked, without in shop',
  );
});
