import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toClientAddress } from '../http/http-server';
import { keyAccessSchema, isInNetworks, parseNetwork } from '../store/credentials/key-access';
import { ENCODINGS, chooseEncoding, isNoneMatchFailed } from '@/lib/base/http/negotiation';
import { BackupError, createScriptReader } from '../store/backup/script';
import {
  parseArguments,
  parseDuration,
  requireUsdot,
  toBaseUrl,
  toInteger,
  requireValid,
  CommandUsageError,
  toTable,
} from '../command/command';
import { ACCESS_OPTIONS, toKeyAccess } from '../command/keys';
import { UnknownRecordingError, parseRecording } from '../command/replay/recording';
import { parseMcNumber } from '@/lib/identity/carrier-numbers';
import { parseCsv } from '@/lib/table-files/csv';
import { readVehicles } from '../command/vehicles/vehicle-table';
import {
  FieldFault,
  VEHICLE_COLUMNS,
  parseVehicleField,
  parseVinField,
  type VehicleColumn,
} from '../command/vehicles/vehicle-fields';
import { InvalidRecordError } from '../store/errors';
import {
  carrierInputSchema,
  fixInputSchema,
  keyInputSchema,
  parseRows,
  vehicleInputSchema,
} from '../store/inputs';
import { MAX_TIME_MS } from '../store/schema';
import { expectInTime } from '@/testing/processor-time';

const RUNS = { numRuns: 150 };

type ErrorClass = abstract new (...args: never[]) => Error;

/** Runs `act` in time, to a result or to an error of the documented class. */
const expectSafe = (act: () => void, documented: ErrorClass | null = null): void =>
  expectInTime(() => {
    try {
      act();
    } catch (error) {
      if (documented === null || !(error instanceof documented)) throw error;
    }
  });

const PIECES = [
  '0',
  '1',
  '9',
  '.',
  ':',
  '/',
  ',',
  ';',
  '"',
  '-',
  '+',
  ' ',
  '\t',
  '\n',
  '\0',
  '%',
  '#',
  'MC',
  'e',
  'q=',
  'W/',
  '*',
  '\ud83d',
  '::',
  '255.',
  'T',
  'Z',
  'd',
];
/** Short texts of all kinds, and one piece repeated 20,000 times between two others. */
const textArb = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join('')),
  fc
    .tuple(fc.constantFrom(...PIECES), fc.constantFrom(...PIECES), fc.constantFrom(...PIECES))
    .map(([a, b, c]) => a + b.repeat(5_000) + c),
);
const optionalText = fc.option(textArb);
const valueArb = fc.oneof(textArb, fc.double(), fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined));

describe('headers of a request', () => {
  it('are read without an error', () => {
    fc.assert(
      fc.property(
        optionalText,
        fc.option(textArb, { nil: undefined }),
        fc.nat(10),
        (header, forwarded, proxies) =>
          expectSafe(() => {
            expect(ENCODINGS).toContain(chooseEncoding(header));
            expect(isNoneMatchFailed(header, '"abc"')).toBe(
              header?.trim() === '*' || (header?.includes('"abc"') ?? false),
            );
            const address = toClientAddress(forwarded, forwarded, proxies);
            expect(isInNetworks(address ?? '', ['203.0.113.0/24'])).toBeTypeOf('boolean');
          }),
      ),
      RUNS,
    );
  });

  it('of a network give one that can be matched, or none', () => {
    const networkArb = fc.oneof(
      textArb,
      fc.tuple(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(140)).map(([address, bits]) => `${address}/${bits}`),
    );
    fc.assert(
      fc.property(networkArb, (text) =>
        expectSafe(() => {
          const network = parseNetwork(text);
          if (network === null) return;
          expect(parseNetwork(network)).toBe(network);
          expect(isInNetworks(network.split('/')[0]!, [network])).toBe(true);
        }),
      ),
      RUNS,
    );
  });
});

describe('rows for the store', () => {
  const rowArb = (names: readonly string[]) => fc.dictionary(fc.constantFrom(...names), valueArb);

  it.each([
    ['carriers', carrierInputSchema],
    ['vehicles', vehicleInputSchema],
    ['keys', keyInputSchema],
    ['fixes', fixInputSchema],
  ] as const)('%s are as the store keeps them, or an InvalidRecordError', (what, schema) => {
    const names = Object.keys(schema.shape);
    fc.assert(
      fc.property(fc.array(rowArb(names), { maxLength: 3 }), (rows) =>
        expectSafe(() => {
          const text = JSON.stringify(parseRows(what, schema, rows));
          // PostgreSQL stores neither in a text.
          expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/i);
        }, InvalidRecordError),
      ),
      RUNS,
    );
  });

  it('access settings are limits or issues', () => {
    fc.assert(
      fc.property(rowArb(Object.keys(keyAccessSchema.shape)), (row) =>
        expectSafe(() => void keyAccessSchema.safeParse(row)),
      ),
      RUNS,
    );
  });
});

describe('files and command lines', () => {
  const csvArb = fc
    .tuple(
      fc.constantFrom(
        'vin,usdot',
        'vin,device_id,year',
        'sep=;\nvin;usdot',
        'sep="\nvin',
        'sep= \nvin',
        'id,timestamp,lat,lon,speed_kph',
        'vehicle_id,timestamp,speed,latitude,longitude',
        'trace_id,timestamp,x,y,speed,heading',
        '"',
        '',
      ),
      fc.array(
        fc.array(textArb, { maxLength: 5 }).map((cells) => cells.join(',')),
        { maxLength: 4 },
      ),
    )
    .map(([header, rows]) => [header, ...rows].join('\n'));

  it('a CSV file gives rows and faults', () => {
    fc.assert(
      fc.property(csvArb, (text) =>
        expectSafe(() => {
          parseCsv(text);
          const { vehicles, faults } = readVehicles(parseCsv(text), '9000001');
          for (const { vin, fields } of vehicles)
            expect(`${vin}${JSON.stringify(fields)}`).not.toContain('\\u0000');
          for (const { line } of faults) expect(line).toBeGreaterThan(0);
        }),
      ),
      { numRuns: 60 },
    );
  });

  it('a CSV file of 150,000 faults is reported as such', () => {
    const text = `vin\n${'1XKYD49X8KJ900001\n'.repeat(150_000)}`;
    expect(readVehicles(parseCsv(text), '9000001').faults).toHaveLength(149_999);
    expect(
      toTable(
        ['A'],
        Array.from({ length: 150_000 }, () => ['b']),
        '',
      ),
    ).toHaveLength(150_001);
  });

  it('a CSV file of a million quotes, or of one endless cell, is refused in time', () => {
    for (const cell of [`0${'"'.repeat(1_000_000)}`, 'x'.repeat(1_000_000), `"${'x\n'.repeat(500_000)}`])
      expectSafe(() => expect(readVehicles(parseCsv(`vin\n${cell}\n`), '9000001').faults).not.toEqual([]));
  });

  it('a recording gives fixes of finite numbers and valid times', () => {
    fc.assert(
      fc.property(csvArb, (text) =>
        expectSafe(() => {
          for (const fix of parseRecording(text).fixes) {
            expect(fix.fixAtMs >= 0 && fix.fixAtMs <= MAX_TIME_MS).toBe(true);
            expect([fix.lat, fix.lng, fix.speedKph ?? 0, fix.headingDeg ?? 0].every(Number.isFinite)).toBe(
              true,
            );
          }
        }, UnknownRecordingError),
      ),
      { numRuns: 60 },
    );
  });

  it('a field of a vehicle is a value or a FieldFault', () => {
    const columnArb = fc.constantFrom(...(Object.keys(VEHICLE_COLUMNS) as VehicleColumn[]));
    fc.assert(
      fc.property(columnArb, textArb, (column, text) =>
        expectSafe(() => void parseVehicleField(column, text), FieldFault),
      ),
      RUNS,
    );
    fc.assert(
      fc.property(textArb, (text) =>
        expectSafe(() => expect(parseVinField(text).vin).toMatch(/^\w{17}$/), FieldFault),
      ),
      RUNS,
    );
  });

  it('a command line is options or a CommandUsageError', () => {
    const argvArb = fc.array(
      fc.oneof(textArb, fc.constantFrom('--endpoints', '--expires', '--from', '--', '-h', '--x=')),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(argvArb, textArb, (argv, text) => {
        for (const act of [
          () => void parseArguments(argv, ACCESS_OPTIONS, ['NAME']),
          () => void toKeyAccess({ expires: text }, null, 0),
          () => void toKeyAccess({ from: text, endpoints: text, 'requests-per-minute': text }, null, 0),
          () => expect(requireUsdot(text)).toMatch(/^[1-9]\d{0,7}$/),
          () => void requireValid(parseMcNumber(text), '--mc', 'an MC number', text),
          () => void toBaseUrl(text),
          () => expect(toInteger(text, 'n', { min: 1, max: 9, fallback: 1 })).toBeLessThan(10),
        ])
          expectSafe(act, CommandUsageError);
        expectSafe(() => expect(parseDuration(text) ?? 0).toBeGreaterThanOrEqual(0));
      }),
      RUNS,
    );
  });

  it('rows of a backup end at their last line, or with a BackupError, wherever its blocks are cut', async () => {
    const blocksArb = fc.array(fc.constantFrom('a\n', 'b', '\n', '\\', '.', '\\.\n', 'c\td\n'), {
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(blocksArb, async (blocks) => {
        const source = (async function* () {
          for (const block of blocks) yield Buffer.from(block);
        })();
        const text = blocks.join('');
        const end = `\n${text}`.indexOf('\n\\.\n');
        let rows = '';
        try {
          for await (const block of createScriptReader(source).readRows()) rows += block.toString();
          expect(rows).toBe(text.slice(0, end));
        } catch (error) {
          if (!(error instanceof BackupError)) throw error;
          expect(end).toBe(-1);
        }
      }),
      RUNS,
    );
  });
});
