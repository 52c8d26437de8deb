import { describe, expect, it } from 'vitest';
import { countRosterStates, matchRosterLines, sortRosterLines, toRosterLines, toRosterCsv } from './roster';
import { createTestFleet } from '@/testing/view/fleet';

const fleet = createTestFleet([
  { key: 'A', vin: 'A' },
  { key: 'B', vin: 'B', status: 'silent', reason: 'vanishedMoving' },
  { key: 'C', vin: 'C', status: 'silent', reason: 'quiet' },
  null,
  { key: 'X', vin: 'X' },
  { key: 'device:7', vin: null },
]);
const lines = toRosterLines(['C', 'A', 'B', 'D'], fleet);

describe('toRosterLines', () => {
  it('keeps the provider’s order, and appends units that are not on the roster', () => {
    expect(lines.map((line) => line.key)).toEqual(['C', 'A', 'B', 'D', 'X', 'device:7']);
  });

  it('marks a VIN active while the provider lists it, however old its fix', () => {
    expect(lines[0]).toEqual({ key: 'C', vin: 'C', row: 2, state: 'active' });
  });

  it('marks a VIN silent once it has left the list, or was never on it', () => {
    expect(lines.filter((line) => line.state === 'silent').map((line) => [line.key, line.row])).toEqual([
      ['B', 1],
      ['D', null],
    ]);
  });

  it('counts every line once', () => {
    expect(countRosterStates(lines)).toEqual({ active: 2, silent: 2, unrostered: 2 });
  });
});

describe('a roster that is searched and sorted', () => {
  const named = createTestFleet([
    { key: 'V1', vin: 'V1', truckNumber: '10', fixAtS: 100 },
    { key: 'V2', vin: 'V2', truckNumber: '9', fixAtS: 300 },
    { key: 'V3', vin: 'V3', truckNumber: '200', fixAtS: 200 },
  ]);
  const roster = toRosterLines(['V1', 'V2', 'ZZ7'], named);
  const keys = (by: 'truck' | 'vin' | 'state' | 'fix', isDescending = false) =>
    sortRosterLines(named, roster, { by, isDescending }).map(({ key }) => key);

  it('finds units by their fields, and VINs without a unit by their letters', () => {
    expect(matchRosterLines(named, roster, '200').map(({ key }) => key)).toEqual(['V3']);
    expect(matchRosterLines(named, roster, 'zz').map(({ key }) => key)).toEqual(['ZZ7']);
    expect(matchRosterLines(named, roster, ' ')).toHaveLength(4);
  });

  it('sorts truck numbers naturally, with missing ones last', () => {
    expect(keys('truck')).toEqual(['V2', 'V1', 'V3', 'ZZ7']);
  });

  it('sorts lines that need attention first', () => {
    expect(keys('state')).toEqual(['V3', 'ZZ7', 'V2', 'V1']);
  });

  it('sorts by fix, newest first, and by VIN in both directions', () => {
    expect(keys('fix')).toEqual(['V2', 'V3', 'V1', 'ZZ7']);
    expect(keys('vin', true)).toEqual(['ZZ7', 'V3', 'V2', 'V1']);
  });
});

it('writes one line per vehicle, with empty fields for unknown values', () => {
  const fleet = createTestFleet([
    {
      key: 'A',
      vin: 'A',
      truckNumber: '412',
      year: 2022,
      lat: 35.1904,
      lng: -101.35117,
      fixAtS: 1_700_000_000,
    },
  ]);
  const contact = {
    ...{ unit: 'A', driver: 'Ann Lee', driverPhone: '+15125550123', secondDriver: '', secondDriverPhone: '' },
    ...{ dispatcher: '', dispatcherPhone: '', text: '' },
  };
  const contactOf = (unit: string) => (unit === 'A' ? contact : null);
  expect(matchRosterLines(fleet, toRosterLines(['B'], fleet), '555-0123', null, () => contact)).toHaveLength(
    1,
  );
  expect(toRosterCsv(fleet, toRosterLines(['A', 'B'], fleet), contactOf).split('\r\n')).toEqual([
    '\uFEFFvin,state,status,truck_number,year,make,model,plate_state,plate_number,device_id,last_fix,lat,lng,driver,driver_phone,second_driver,second_driver_phone,dispatcher,dispatcher_phone,good_to_know',
    'A,active,moving,412,2022,,,,,,2023-11-14T22:13:20.000Z,35.1904,-101.35117,Ann Lee,(512) 555-0123,,,,,',
    'B,silent,silent,,,,,,,,,,,,,,,,,',
    '',
  ]);
});

it('quotes fields that would break a line, and neutralizes spreadsheet formulas', () => {
  const fleet = createTestFleet([{ key: 'A', vin: 'A', make: 'a,"b"', model: '=1+1' }]);
  const [, line] = toRosterCsv(fleet, toRosterLines(['A'], fleet)).split('\r\n');
  expect(line).toContain('"a,""b"""');
  expect(line).toContain(`,'=1+1,`);
});
