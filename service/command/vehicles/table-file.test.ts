import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { CellValue } from 'hucre';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { IS_LONG } from '@/testing/long';
import { createWorkbook, type SheetCell } from '@/testing/service/workbook';
import { readTableFile } from '@/lib/table-files/table-file';
import { readVehicles } from './vehicle-table';

/** A heap of 384 MB has to fill up. */
const SLOW_MS = 60_000;

const VIN = '1XKYD49X8KJ900001';
const OTHER_VIN = '1M8GDM9AXKP042788';

const read = async (bytes: Uint8Array) => readVehicles(await readTableFile(bytes), '9000201');
const readSheet = (rows: SheetCell[][], merged?: string[]) => read(createWorkbook(rows, merged));
const refusalOf = (bytes: Uint8Array): Promise<string> =>
  readTableFile(bytes).then(
    () => 'none',
    (error: Error) => `${error.name}: ${error.message}`,
  );

const toUtf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('CSV as Excel writes it', () => {
  it.each<[string, Uint8Array]>([
    [
      '"CSV (MS-DOS)" of a country with semicolons',
      Buffer.from(`VIN;Truck Number;Make\r\n${VIN};7;Citro\xebn\r\n`, 'latin1'),
    ],
    ['"CSV UTF-8"', Buffer.from(`\ufeffVIN,Truck Number,Make\r\n${VIN},7,Citroën\r\n`)],
    ['"Unicode Text"', toUtf16(`VIN\tTruck Number\tMake\r\n${VIN}\t7\tCitroën\r\n`)],
    [
      'sep= and empty columns',
      Buffer.from(`sep=;\r\nVIN;Truck Number;Make;;\r\n${VIN};7;Citroën;;\r\n;;;;\r\n`),
    ],
    ['quoted names with line breaks', Buffer.from(`"VIN";"Truck\nNumber";"Make"\r\n${VIN};7;"Citroën"`)],
    [
      'a title above the header',
      Buffer.from(`Fleet list\r\n2026;;\r\nVIN;Truck Number;Make\r\n${VIN};7;Citroën`),
    ],
  ])('%s', async (_, bytes) => {
    const { vehicles, faults } = await read(bytes);
    expect(faults).toEqual([]);
    expect(vehicles).toMatchObject([{ vin: VIN, fields: { truckNumber: '7', make: 'Citroën' } }]);
  });
});

describe('a text that a spreadsheet was to keep', () => {
  it.each([
    ['="00451231" without quotes', `vin,device_id\n${VIN},="00451231"`],
    ['="00451231" in quotes', `vin,device_id\n${VIN},"=""00451231"""`],
    ['="00451231" in the middle', `device_id;vin\n="00451231";${VIN}`],
    ["'00451231", `vin,device_id\n${VIN},'00451231`],
  ])('%s is read as what it means', async (_, text) => {
    const { vehicles, faults } = await read(Buffer.from(text));
    expect(faults).toEqual([]);
    expect(vehicles).toMatchObject([{ vin: VIN, fields: { deviceId: '00451231' } }]);
  });
});

describe('an Excel workbook', () => {
  it('is read with numbers in full, below a title of merged cells, without its empty rows', async () => {
    const { vehicles, faults, warnings } = await readSheet(
      [
        ['Fleet list of the yard', null, null],
        [],
        ['VIN', 'TRUCK NUMBER', 'device_id', 'Year', null],
        [VIN, 7, 353816051234567, 2019],
        ['', null, ''],
        [OTHER_VIN, '0012', 'imei é & <7>', null],
      ],
      ['A1:C1', 'D3:E3'],
    );
    expect([faults, warnings]).toEqual([[], []]);
    expect(vehicles).toMatchObject([
      { line: 4, vin: VIN, fields: { truckNumber: '7', deviceId: '353816051234567', year: 2019 } },
      { line: 6, vin: OTHER_VIN, fields: { truckNumber: '0012', deviceId: 'imei é & <7>', year: null } },
    ]);
  });

  it('is refused cell by cell for what Excel has spoiled: digits, dates, formulas', async () => {
    const { faults, warnings } = await readSheet([
      ['vin', 'device_id', 'truck_number', 'make'],
      [VIN, 8_901_260_123_456_789_504, { serial: 46093 }, { error: '#N/A' }],
      [OTHER_VIN, 8901260123456780, null, null, 'note'],
    ]);
    expect(faults.map(({ line, column, message }) => [line, column, message])).toEqual([
      [
        2,
        'device_id',
        expect.stringMatching(/shortened a number to "8\.901\d+E\+18"; give the column the format Text/),
      ],
      [2, 'truck_number', expect.stringContaining('made a date of the value')],
      [2, 'make', expect.stringContaining('shows the error #N/A')],
      [3, null, 'column 5 has a value and no name in the header'],
    ]);
    expect(warnings).toMatchObject([
      { line: 3, message: expect.stringContaining('has zeros from the 16th digit on') as string },
    ]);
  });

  it('has the text of a formula that is a text, although no result is stored', async () => {
    const parts = unzipSync(
      createWorkbook([
        ['vin', 'truck_number', 'device_id'],
        [VIN, 1],
      ]),
    );
    const name = 'xl/worksheets/sheet1.xml';
    const formulas = strFromU8(parts[name]!).replace(
      /<c r="B2".*<\/c>(?=<\/row>)/,
      '<c r="B2"><f>&quot;0042&quot;</f></c><c r="C2"><f>"00451231"</f></c>',
    );
    const { vehicles, faults } = await read(zipSync({ ...parts, [name]: strToU8(formulas) }));
    expect(faults).toEqual([]);
    expect(vehicles).toMatchObject([{ fields: { truckNumber: '0042', deviceId: '00451231' } }]);
  });

  it('is refused by line and cell where a formula has no stored result', async () => {
    const parts = unzipSync(
      createWorkbook([
        ['vin', 'device_id', 'truck_number'],
        [VIN, 1, 'x'],
      ]),
    );
    const name = 'xl/worksheets/sheet1.xml';
    const formulas = strFromU8(parts[name]!).replace(
      /<c r="B2".*<\/c>(?=<\/row>)/,
      '<c r="B2"><f>1+1</f></c><c r="C2"><f>A2</f><v></v></c>',
    );
    const { vehicles, faults } = await read(zipSync({ ...parts, [name]: strToU8(formulas) }));
    expect(vehicles).toEqual([]);
    expect(faults.map(({ line, column, message }) => [line, column, message])).toEqual([
      [2, 'device_id', expect.stringContaining('a formula whose result is not in the file')],
      [2, 'truck_number', expect.stringContaining('a formula whose result is not in the file')],
    ]);
  });

  it('is read from the sheet that people see whose header names a VIN, and never from a chart', async () => {
    const sheet = (rows: CellValue[][], more: object = {}) => ({ rows, ...more });
    const bytes = await writeXlsx({
      sheets: [
        { name: 'Old', ...sheet([['vin'], [OTHER_VIN]], { hidden: true }) },
        { name: 'Notes', ...sheet([['Call Bob']]) },
        { name: 'Fleet', ...sheet([['Trucks'], ['VIN'], [VIN]]) },
      ],
    });
    expect(await read(bytes)).toMatchObject({ vehicles: [{ vin: VIN }], warnings: [] });
    const two = await writeXlsx({
      sheets: [
        { name: 'Dallas', rows: [['vin'], [VIN]] },
        { name: 'Tulsa', rows: [['vin'], [OTHER_VIN]] },
      ],
    });
    expect((await read(two)).warnings).toMatchObject([
      { line: 1, message: 'the sheet “Tulsa” has vehicles too and is not read; import it by itself' },
    ]);
    const parts = unzipSync(bytes);
    const relations = 'xl/_rels/workbook.xml.rels';
    const chart = strFromU8(parts[relations]!).replace(
      /relationships\/worksheet"([^>]*sheet2\.xml)/,
      'relationships/chartsheet"$1',
    );
    expect(chart).toContain('chartsheet');
    const withChart = zipSync({ ...parts, [relations]: strToU8(chart) });
    expect((await read(withChart)).vehicles).toMatchObject([{ vin: VIN }]);
  });

  it('is refused as ZIP64 where a record of it is there, or a number stands in one', async () => {
    const workbook = Buffer.from(createWorkbook([['vin'], [VIN]]));
    const end = workbook.lastIndexOf(Buffer.from('PK\u0005\u0006'));
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50);
    expect(
      await refusalOf(Buffer.concat([workbook.subarray(0, end), locator, workbook.subarray(end)])),
    ).toContain('ZIP64');
    for (const [at, bytes] of [
      [10, 2],
      [12, 4],
      [16, 4],
    ] as const)
      expect(
        await refusalOf(Buffer.from(workbook).fill(0xff, end + at, end + at + bytes)),
        String(at),
      ).toContain('ZIP64');
    const directory = workbook.readUInt32LE(end + 16);
    expect(await refusalOf(Buffer.from(workbook).fill(0xff, directory + 24, directory + 28))).toContain(
      'ZIP64',
    );
  });

  it.each([
    ['0 bytes', 0, 'or it is damaged'],
    ['100 bytes', 100, 'or it is damaged'],
    ['200 MB', 200 * 1024 * 1024, 'The workbook is too large.'],
  ])('is refused before it is unpacked to more than it says, which is %s', async (_, declared, sentence) => {
    const workbook = Buffer.from(createWorkbook([['vin'], ...Array.from({ length: 2000 }, () => [VIN])]));
    const entry = workbook.lastIndexOf('xl/worksheets/sheet1.xml') - 46;
    workbook.writeUInt32LE(declared, entry + 24);
    expect(await refusalOf(workbook)).toContain(sentence);
  });

  it('costs no memory for cells at the far corner of the sheet', async () => {
    const parts = unzipSync(createWorkbook([['vin'], [VIN], [null]]));
    const name = 'xl/worksheets/sheet1.xml';
    const withSheet = (from: string, to: string) =>
      zipSync({ ...parts, [name]: strToU8(strFromU8(parts[name]!).replace(from, to)) });
    expect(await refusalOf(withSheet('r="A2"', 'r="XFD2"'))).toContain('The workbook is too large.');
    expect(await refusalOf(withSheet('r="A2"', 'r="ZZZZZZZ2"'))).toContain('or it is damaged');
    const { vehicles } = await read(withSheet('row r="2"', 'row r="999999999999"'));
    expect(vehicles).toMatchObject([{ vin: VIN, line: 2 }]);
  });

  it.runIf(IS_LONG)('that needs too much memory ends only its own thread', { timeout: SLOW_MS }, async () => {
    const parts = unzipSync(createWorkbook([['vin'], [VIN]]));
    const hostile = { ...parts, 'xl/sharedStrings.xml': strToU8(`<sst>${'<a/>'.repeat(4_000_000)}</sst>`) };
    expect(await refusalOf(zipSync(hostile))).toContain('The workbook is too large.');
  });
});

describe('another file', () => {
  const ole = (text: string) =>
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(text, 'utf16le')]);
  it.each<[string, Uint8Array, string]>([
    [
      'an .xls',
      ole('Workbook'),
      'a format of Excel before 2007 (.xls). Save it as Excel Workbook (.xlsx) or as CSV.',
    ],
    ['an encrypted workbook', ole('EncryptedPackage'), 'protected by a password'],
    ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ'), 'The file is a PDF.'],
    ['a web page named .xls', Buffer.from('\n<html><table><tr><td>VIN'), 'The file is a web page'],
    [
      'a picture',
      Buffer.from('89504e470d0a1a0a0000000d', 'hex'),
      'neither an Excel workbook (.xlsx) nor CSV',
    ],
    ['another archive', zipSync({ 'word/document.xml': strToU8('<w/>') }), 'not an Excel workbook (.xlsx)'],
    [
      'OpenDocument',
      zipSync({ mimetype: strToU8('x'), 'content.xml': strToU8('<x/>') }),
      'an OpenDocument file (.ods)',
    ],
    [
      'an .xlsb',
      zipSync({ 'xl/workbook.bin': strToU8('x') }),
      'an Excel Binary Workbook (.xlsb). Save it as',
    ],
    ['CSV with a zero byte', Buffer.from(`vin,make\n${VIN},Mack\0\n`), 'Line 2 has a zero byte'],
    ['a damaged workbook', createWorkbook([['vin'], [VIN]]).slice(0, 900), 'or it is damaged'],
    ['nothing', new Uint8Array(), 'The file is empty.'],
  ])('is refused in a sentence: %s', async (_, bytes, sentence) => {
    expect(await refusalOf(bytes)).toContain(sentence);
  });
});
