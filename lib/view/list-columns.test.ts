import { expect, it } from 'vitest';
import { UNNAMED } from '@/lib/wire/fleet';
import { LIST_COLUMNS, columnsText } from './list-columns';

const UNIT = {
  ...UNNAMED,
  key: '1FUJGLDR0NLM12041',
  vin: '1FUJGLDR0NLM12041',
  plateState: 'TX',
  plateNumber: 'R48 2207',
  year: 2022,
  make: 'Freightliner',
  model: 'Cascadia',
  deviceId: 'PT30-0110',
  marks: { notes: [], tags: ['flatbeds', 'night shift'] },
};

it('joins the chosen columns of a unit, and leaves out what it has not', () => {
  expect(columnsText(UNIT, LIST_COLUMNS)).toBe(
    'TX R48 2207 · 1FUJGLDR0NLM12041 · 2022 Freightliner Cascadia · PT30-0110 · flatbeds, night shift',
  );
  expect(columnsText({ ...UNIT, plateState: null, model: null }, ['plate', 'vehicle'])).toBe(
    'R48 2207 · 2022 Freightliner',
  );
  expect(columnsText({ ...UNNAMED, key: 'device:phone-7' }, LIST_COLUMNS)).toBe('');
});
