import { describe, expect, it } from 'vitest';
import { parseCsv } from '@/lib/table-files/csv';
import type { UnitContact } from '@/lib/view/marks';
import { CONTACT_PARTS } from './contact';
import { planContacts } from './contact-table';
import { toContactCells } from './text';
import { CONTACT_COLUMNS } from '@/lib/table-files/contact-columns';

const VIN = '1M8GDM9AXKP042788';
const UNITS = [
  { key: VIN, vin: VIN, truckNumber: '116' },
  { key: 'truck:204', vin: null, truckNumber: 'T-204' },
  { key: 'A', vin: null, truckNumber: '7' },
  { key: 'B', vin: null, truckNumber: '7' },
];
const KNOWN: UnitContact = {
  ...{ unit: VIN, driver: 'Ann Lee', driverPhone: '+15125550123', secondDriver: '', secondDriverPhone: '' },
  ...{ dispatcher: 'Kim', dispatcherPhone: '', text: '' },
};
const plan = (text: string) => planContacts(parseCsv(text), UNITS, [KNOWN]);

describe('a file of contacts', () => {
  it('finds trucks by VIN or number, under the names that people give columns, below a title', () => {
    const { planned, faults, warnings } = plan(
      `Drivers\nTruck Number,VIN,Driver name,Driver's phone,Co-driver\n,${VIN},Ann Lee,512.555.0199,\nt-204,,Bo,(512) 555-0101 x7,Al\n999,,Cy,,\n`,
    );
    expect(faults).toEqual([]);
    expect(warnings).toMatchObject([{ line: 5, message: expect.stringMatching(/999/) as string }]);
    expect(planned.map(({ name, kind, changes }) => [name, kind, changes])).toEqual([
      ['116', 'changed', [{ column: 'driver_phone', before: '(512) 555-0123', after: '(512) 555-0199' }]],
      ['T-204', 'added', expect.arrayContaining([{ column: 'second_driver', before: null, after: 'Al' }])],
    ]);
    // Of a column that is not there, nothing is sent.
    expect(planned[0]!.contact).not.toHaveProperty('dispatcher');
  });

  it.each([
    ['vin,driver_phone\n1M8GDM9AXKP042788,555-0123', 2, /area code/],
    ['vin,driver_phone\n1M8GDM9AXKP042788,5.12555E+9', 2, /spreadsheet has shortened/],
    ['truck_number,driver\n7,Ann', 2, /more than one truck/],
    ['truck_number,vin,driver\n116,,Ann\n,1M8GDM9AXKP042788,Bo', 3, /on line 2 already/],
    ['truck_number,phone,driver_phone\n116,,', 1, /means the same/],
    ['truck_number,driver,truck\n116,Ann,117', 1, /means the same as truck_number/],
    ['truck_number,color\n116,red', 1, /no column of contacts/],
    ['driver\nAnn', 1, /no column vin/],
    ['truck_number,driver\n,Ann', 2, /names no truck/],
    ['truck_number,driver,driver_phone\n116,Ann', 2, /expected 3 cells as in the header, got 2/],
    ['truck_number,driver\n116,Lee, Ann', 2, /expected 2 cells as in the header, got 3/],
  ])('says where it cannot be imported: %j', (text, line, message) => {
    expect(plan(text).faults).toContainEqual(
      expect.objectContaining({ line, message: expect.stringMatching(message) as string }),
    );
  });

  it('is read by its VIN where its number is of another truck, and says so; 116.0 is 116', () => {
    const { planned, warnings } = plan(`vin,truck_number,driver\n${VIN},T-204,Ann\n,116.0,Bo`);
    expect(planned.map(({ name }) => name)).toEqual(['116']);
    expect(warnings).toMatchObject([
      { line: 2, message: expect.stringMatching(/VIN is of 116, not of T-204/) as string },
    ]);
    expect(plan('truck_number,driver\n116.0,Bo').planned).toMatchObject([{ name: '116' }]);
  });

  it('with a mistyped VIN is about no truck, also in a fleet with trucks without a VIN', () => {
    const { planned, warnings } = plan('vin,driver\n1M8GDM9AXKP04278O,Ann');
    expect([planned, warnings.map(({ line }) => line)]).toEqual([[], [2]]);
  });

  it('of a workbook says which cells have no text, and changes nothing', () => {
    const table = parseCsv('truck_number,driver,driver_phone\n116,2026-11-28,');
    const rows = table.rows.map((row) => ({ ...row, faults: { 1: 'a date', 2: 'no result' } }));
    const { planned, faults } = planContacts({ ...table, rows }, UNITS, [KNOWN]);
    expect(planned).toEqual([]);
    expect(faults).toEqual([
      { line: 2, column: 'driver', message: 'a date' },
      { line: 2, column: 'driver_phone', message: 'no result' },
    ]);
  });

  it('that was saved here changes nothing', () => {
    const cells = ['116', ...toContactCells(KNOWN)].map((cell) => `"${cell}"`).join();
    const { planned, faults } = plan(`truck_number,${Object.values(CONTACT_COLUMNS).join()}\n${cells}`);
    expect([faults, planned.map(({ kind }) => kind)]).toEqual([[], ['unchanged']]);
    expect(Object.keys(CONTACT_COLUMNS)).toEqual(Object.keys(CONTACT_PARTS));
  });
});
