import { expect, it } from 'vitest';
import { normalizeVins } from './vin';

it('trims and upper-cases VINs, keeps each once in order, and leaves out what is none or only fills the field', () => {
  const { vins, unreadable, report } = normalizeVins([
    '1M8GDM9AXKP042788',
    ' 11111111111111111',
    '1m8gdm9axkp042788',
    null,
    7,
    '',
    'SHORT',
  ]);
  expect(vins).toEqual(['1M8GDM9AXKP042788']);
  expect(unreadable).toBe(5);
  expect(report).toMatchObject({ dropped: 6, repaired: 1 });
  expect(report.examples).toContain('vins[3]: left out, null is not a VIN');
});

it('reads VINs in objects, and takes no placeholder for a VIN', () => {
  const { vins, unreadable } = normalizeVins([
    { vin: '1m8gdm9axkp042788' },
    'N/A',
    '0',
    '-',
    { id: 4 },
    '#REF!',
    '1FUJGLDR0NLM1???1',
  ]);
  expect(vins).toEqual(['1M8GDM9AXKP042788']);
  expect(unreadable).toBe(6);
});
