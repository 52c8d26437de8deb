import { describe, expect, it } from 'vitest';
import { parseCsv } from '@/lib/table-files/csv';
import { readVehicles } from './vehicle-table';

const VIN = '1XKYD49X7KJ900001';
const OTHER_VIN = '1M8GDM9AXKP042788';
const parse = (lines: string[], usdot: string | null = '9000201') =>
  readVehicles(parseCsv(lines.join('\n')), usdot);

describe('readVehicles', () => {
  it('reads every column, in any order, behind a byte order mark and with CRLF and quotes', () => {
    const { vehicles, faults } = readVehicles(
      parseCsv(
        '\ufeffVIN,Truck Number,device-id,plate_state,plate_number,asset_type,make,model,year,fuel_type,registered_usdot,registered_mc,usdot\r\n' +
          `${OTHER_VIN.toLowerCase()},"7, the ""old"" one",imei-7,TX,R48 2107,Tractor,Kenworth,T680,2019,Diesel,0009000002,mc 990002,9000201\r\n`,
      ),
      null,
    );
    expect(faults).toEqual([]);
    expect(vehicles).toEqual([
      {
        line: 2,
        usdot: '9000201',
        vin: OTHER_VIN,
        fields: {
          truckNumber: '7, the "old" one',
          deviceId: 'imei-7',
          plateState: 'TX',
          plateNumber: 'R48 2107',
          assetType: 'Tractor',
          make: 'Kenworth',
          model: 'T680',
          year: 2019,
          fuelType: 'Diesel',
          registeredUsdot: '9000002',
          registeredMcNumber: 'MC-990002',
        },
      },
    ]);
  });

  it.each([
    ['semicolons', ['vin;make;truck_number', `${VIN};;7`]],
    ['tabs', ['vin\tmake\ttruck_number', `${VIN}\t\t7`]],
    ['what sep= names', ['sep=|', 'vin|make|truck_number', `${VIN}||7`]],
  ])('reads cells between %s', (_, lines) => {
    const { vehicles, faults } = parse(lines);
    expect(faults).toEqual([]);
    expect(vehicles).toMatchObject([
      { line: lines.length, vin: VIN, fields: { make: null, truckNumber: '7' } },
    ]);
  });

  it('names the faulty line below a line that sets the separator', () => {
    expect(parse(['sep=;', 'vin;color', `${VIN};x`]).faults).toMatchObject([{ line: 2, column: 'color' }]);
    expect(parse(['sep=;', 'vin;year', `${VIN};x`]).faults).toMatchObject([{ line: 3, column: 'year' }]);
  });

  it('refuses a device id that a spreadsheet has shortened', () => {
    expect(parse(['vin,device_id', `${VIN},8.61234E+14`]).faults).toMatchObject([
      { line: 2, column: 'device_id', message: expect.stringContaining('8.61234E+14') as string },
    ]);
  });

  it('finds a duplicate VIN also if one of the rows has another fault', () => {
    const { faults } = parse(['vin,year', `${VIN},x`, `${VIN},2019`]);
    expect(faults.map(({ line, column }) => [line, column])).toEqual([
      [2, 'year'],
      [3, 'vin'],
    ]);
  });

  it('uses the carrier of the command for rows that name none', () => {
    const { vehicles } = parse(['vin,usdot', `${VIN},`, `${OTHER_VIN},9000300`]);
    expect(vehicles.map(({ usdot }) => usdot)).toEqual(['9000201', '9000300']);
  });

  it('distinguishes an empty cell from an absent column', () => {
    const { vehicles } = parse(['vin,make', `${VIN},`]);
    expect(vehicles[0]?.fields).toEqual({ make: null });
  });

  it('lists every fault of every row with line and column', () => {
    const { faults } = parse([
      'vin,year,usdot,registered_mc',
      '1XKYD49X7KJ90000,19,9000201,',
      'IXKYD49X7KJ900001,2019,x,abc',
      `${VIN},2019,9000201`,
      ',2019,9000201,',
    ]);
    expect(faults).toEqual([
      {
        line: 2,
        column: 'vin',
        message: expect.stringContaining('got "1XKYD49X7KJ90000" (16 characters)') as string,
      },
      {
        line: 2,
        column: 'year',
        message: expect.stringContaining('a year from 1900 to 2100, got "19"') as string,
      },
      { line: 3, column: 'vin', message: expect.stringContaining('without I, O and Q') as string },
      { line: 3, column: 'usdot', message: expect.stringContaining('a USDOT number') as string },
      { line: 3, column: 'registered_mc', message: expect.stringContaining('an MC number') as string },
      { line: 4, column: null, message: 'expected 4 cells as in the header, got 3' },
      { line: 5, column: 'vin', message: expect.stringContaining('got nothing') as string },
    ]);
  });

  it('reports duplicate VINs and devices', () => {
    const { faults } = parse([
      'vin,device_id',
      `${VIN},a`,
      `${OTHER_VIN},a`,
      `${VIN},b`,
      '1FTFW1ET5DFC10312,',
    ]);
    expect(faults).toEqual([
      { line: 3, column: 'device_id', message: '"a" is on line 2 already', isDuplicate: true },
      { line: 4, column: 'vin', message: `${VIN} is on line 2 already`, isDuplicate: true },
    ]);
  });

  it('warns of a wrong check digit and accepts the VIN', () => {
    const { vehicles, faults, warnings } = parse(['vin', '1M8GDM9A1KP042788']);
    expect(faults).toEqual([]);
    expect(vehicles).toHaveLength(1);
    expect(warnings).toEqual([
      { line: 2, column: 'vin', message: expect.stringContaining('wrong check digit') as string },
    ]);
  });

  it.each([
    [
      ['vinn,make', 'x,y'],
      ['vinn', 'vin'],
    ],
    [['vin,make,make', `${VIN},a,b`], ['make']],
    [[''], ['vin']],
  ])('tells what is wrong with the header %j and reads no rows', (lines, columns) => {
    const { faults, vehicles } = parse(lines);
    expect(faults.map(({ column }) => column)).toEqual(columns);
    expect(faults.every(({ line }) => line === 1)).toBe(true);
    expect(vehicles).toEqual([]);
  });

  it('names both headers of a column that is there twice', () => {
    expect(parse(['VIN,Truck Number,truck_number', `${VIN},7,8`]).faults).toMatchObject([
      { line: 1, message: 'the column is there twice, as “Truck Number”, “truck_number”; delete one' },
    ]);
  });

  it.each([
    ['device_id', '353816051234567.0', 'ends in .0'],
    ['truck_number', '104.0', 'ends in .0'],
    ['truck_number', '4-Mar', 'is a date'],
    ['truck_number', '3/4/2026', 'is a date'],
    ['plate_number', 'N/A', 'leave the cell empty'],
    ['device_id', 'nan', 'leave the cell empty'],
    ['truck_number', '123456789012345000', 'has zeros from the 16th digit on'],
  ])('warns of a %s %s', (column, cell, message) => {
    const { faults, warnings } = parse([`vin,${column}`, `${OTHER_VIN},${cell}`]);
    expect(faults).toEqual([]);
    expect(warnings).toEqual([{ line: 2, column, message: expect.stringContaining(message) as string }]);
  });

  it.each([
    ['device_id', '12.5E+09', 'shortened a number'],
    ['truck_number', '1,2E+10', 'shortened a number'],
    ['make', '#FIELD!', 'shows the error'],
  ])('refuses a %s %s', (column, cell, message) => {
    expect(parse([`vin;${column}`, `${VIN};${cell}`]).faults).toMatchObject([
      { line: 2, column, message: expect.stringContaining(message) as string },
    ]);
  });

  it('keeps names that only look like numbers, and reads a year that a program wrote', () => {
    const { vehicles, faults, warnings } = parse(['vin,truck_number,year', `${OTHER_VIN},12E5,2019.0`]);
    expect([faults, warnings]).toEqual([[], []]);
    expect(vehicles).toMatchObject([{ fields: { truckNumber: '12E5', year: 2019 } }]);
  });

  it('requires the carrier from the file or from the command', () => {
    expect(parse(['vin', VIN], null).faults).toMatchObject([{ line: 1, column: 'usdot' }]);
  });

  it('reports a quote that breaks a row', () => {
    const { faults } = parse(['vin,make', `${VIN},Ken"worth`, `${OTHER_VIN},Mack`]);
    expect(faults).toMatchObject([{ line: 2, column: null }]);
  });
});
