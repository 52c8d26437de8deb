import { describe, expect, it } from 'vitest';
import { UNNAMED, type UnitIdentity } from '@/lib/wire/fleet';
import { unitName, unitTitle } from './unit-name';

const NOTHING: UnitIdentity = { ...UNNAMED, key: 'device:phone-7' };

describe('unitName and unitTitle', () => {
  it.each([
    [{ truckNumber: '412', plateNumber: 'R48 4107' }, '412', 'Truck 412'],
    [{ plateNumber: 'R48 4107', vin: '1FUJGLDR0NLM12041' }, 'R48 4107', 'Plate R48 4107'],
    [{ vin: '1FUJGLDR0NLM12041', deviceId: 'phone-7' }, 'M12041', 'VIN …M12041'],
    [{ deviceId: 'phone-7' }, 'phone-7', 'Device phone-7'],
    [{}, 'device:phone-7', 'Device device:phone-7'],
    [{ truckNumber: 'שלום 7' }, '\u2068שלום 7\u2069', 'Truck \u2068שלום 7\u2069'],
  ])('calls %o %s, in full %s', (known, name, title) => {
    const identity = { ...NOTHING, ...known };
    expect(unitName(identity)).toBe(name);
    expect(unitTitle(identity)).toBe(title);
  });
});
