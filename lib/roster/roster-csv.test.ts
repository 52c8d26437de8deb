import { expect, it } from 'vitest';
import { toRosterLines } from './roster';
import { toRosterCsv } from './roster-csv';
import { createTestFleet } from '@/testing/view/fleet';

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
  expect(toRosterCsv(fleet, toRosterLines(['A', 'B'], fleet)).split('\r\n')).toEqual([
    'vin,state,status,truck_number,year,make,model,plate_state,plate_number,device_id,last_fix,lat,lng',
    'A,active,moving,412,2022,,,,,,2023-11-14T22:13:20.000Z,35.1904,-101.35117',
    'B,silent,silent,,,,,,,,,,',
    '',
  ]);
});

it('quotes fields that would break a line, and neutralizes spreadsheet formulas', () => {
  const fleet = createTestFleet([{ key: 'A', vin: 'A', make: 'a,"b"', model: '=1+1' }]);
  const [, line] = toRosterCsv(fleet, toRosterLines(['A'], fleet)).split('\r\n');
  expect(line).toContain('"a,""b"""');
  expect(line).toContain(`,'=1+1,`);
});
