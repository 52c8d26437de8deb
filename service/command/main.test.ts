import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestStore } from '../../testing/service/store';
import { runCommand } from './main';
import type { CommandContext } from './command';

const USDOT = '9000301';
const VIN = '1XKYD49X7KJ900001';
const OTHER_VIN = '1M8GDM9AXKP042788';
const test = createTestStore();
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linehaul-command-'));
});
afterAll(() => rm(folder, { recursive: true }));

const run = (...argv: string[]) => runWith({}, ...argv);

const runWith = async (changed: Partial<CommandContext>, ...argv: string[]) => {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommand(argv, {
    databaseUrl: test.databaseUrl,
    now: test.now,
    stdout: (line) => out.push(line),
    stderr: (line) => err.push(line),
    signal: new AbortController().signal,
    env: {},
    stdin: Readable.from([Buffer.from(`vin,truck_number\n${VIN},77`)]),
    ...changed,
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
};

const writeCsv = async (name: string, lines: string[]): Promise<string> => {
  const file = join(folder, name);
  await writeFile(file, lines.join('\r\n'));
  return file;
};

describe('help', () => {
  it('prints help for all commands and for each one', async () => {
    const { code, out } = await run('help');
    expect(code).toBe(0);
    const names = [
      'serve',
      'carriers',
      'vehicles',
      'keys',
      'tokens',
      'simulate',
      'replay',
      'backup',
      'restore',
    ];
    for (const name of names) {
      expect(out).toContain(`  ${name} `);
      const help = await run('help', name);
      expect(help.code).toBe(0);
      expect(help.out).toContain(`npm run service -- ${name}`);
      expect((await run(name, '--help')).out).toBe(help.out);
    }
  });
});

describe('wrong usage', () => {
  it.each([
    [['fly'], 'There is no command "fly"'],
    [['help', 'fly'], 'There is no command "fly"'],
    [['carriers'], 'Choose one of add, list, remove.'],
    [['carriers', 'toString'], '"toString" is not one of add, list, remove.'],
    [['carriers', 'add'], 'The USDOT number is missing.'],
    [
      ['carriers', 'add', 'abc', '--name', 'x'],
      'The USDOT number is a USDOT number of 1 to 8 digits, got "abc".',
    ],
    [['carriers', 'add', USDOT], '--name is missing.'],
    [['carriers', 'add', USDOT, 'more', '--name', 'x'], 'One argument too many: more.'],
    [['carriers', 'add', USDOT, '--nmae', 'x'], "Unknown option '--nmae'"],
    [['vehicles', 'add', 'IXKYD49X7KJ900001', '--usdot', USDOT], 'The VIN: expected a VIN'],
    [['vehicles', 'add', VIN, '--usdot', USDOT, '--year', '19'], '--year: expected a year'],
    [['keys', 'create', '--name', 'x'], '--usdot is missing.'],
    [['keys', 'change', 'id'], 'Say what to change.'],
    [['keys', 'create', '--usdot', USDOT, '--name', 'x', '--expires', '2027-02-30'], 'is a day, a time'],
    [
      ['keys', 'create', '--usdot', USDOT, '--name', 'x', '--expires', '2027-02-30T12:00Z'],
      'is a day, a time',
    ],
    [['keys', 'rotate', 'id', '--overlap', 'soon'], '--overlap is 0 or a span of at most 90 days'],
    [['replay', 'x.csv'], 'Say --token TOKEN'],
    [['replay', 'x.csv', '--token', 't', '--pace', '0'], '--pace is max or a number above 0, got "0".'],
    [['replay', 'x.csv', '--token', 't', '--url', 'localhost:4000'], '--url is an address'],
    [['backup'], 'The file to write is missing.'],
    [['restore'], 'The file to read is missing.'],
    [['serve', '--port', '70000'], '--port is a whole number from 0 to 65535'],
  ])('exits with 2 and says how it is done: %j', async (argv, message) => {
    const { code, err, out } = await run(...argv);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(out).toBe('');
  });
});

describe('carriers', () => {
  it('adds, changes, lists and removes a carrier', async () => {
    expect((await run('carriers', 'list')).out).toContain('There is no carrier yet.');
    const added = await run('carriers', 'add', USDOT, '--name', 'Prairie', '--mc', 'mc 990009');
    expect(added.out).toBe(`Added carrier ${USDOT}, Prairie.`);
    await run('carriers', 'add', USDOT, '--name', 'Prairie', '--company-id', 'P-1');
    const changed = await run('carriers', 'add', `00${USDOT}`, '--name', 'Prairie Freight');
    expect(changed.out).toBe(`Changed carrier ${USDOT}, Prairie Freight.`);
    expect(JSON.parse((await run('carriers', 'list', '--json')).out)).toEqual([
      { usdot: USDOT, companyName: 'Prairie Freight', companyId: 'P-1', mcNumber: 'MC-990009', vehicles: 0 },
    ]);
    await run('carriers', 'add', '9000309', '--name', 'Short-lived');
    const unsure = await run('carriers', 'remove', '9000309');
    expect(unsure.code).toBe(2);
    expect(unsure.err).toContain('This removes Short-lived with 0 vehicles');
    expect((await run('carriers', 'remove', '9000309', '--yes')).code).toBe(0);
    expect((await run('carriers', 'remove', '9000309', '--yes')).code).toBe(1);
  });
});

describe('vehicles', () => {
  it('adds a vehicle, changes what is mentioned and leaves the rest', async () => {
    await run('vehicles', 'add', VIN, '--usdot', USDOT, '--truck-number', '7', '--make', 'Kenworth');
    await run('vehicles', 'add', VIN, '--usdot', USDOT, '--device-id', 'imei-7', '--make', '');
    const [vehicle] = JSON.parse((await run('vehicles', 'list', '--usdot', USDOT, '--json')).out) as object[];
    expect(vehicle).toMatchObject({ vin: VIN, truckNumber: '7', deviceId: 'imei-7', make: null });
    expect((await run('vehicles', 'list', '--usdot', USDOT)).out).toContain(`${VIN}  7      imei-7`);
  });

  it('takes a vehicle over from another carrier only with --move', async () => {
    await run('carriers', 'add', '9000302', '--name', 'Other');
    const refused = await run('vehicles', 'add', VIN, '--usdot', '9000302');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(`drives for carrier ${USDOT}`);
    expect((await run('vehicles', 'add', VIN, '--usdot', '9000302', '--move')).code).toBe(0);
    await run('vehicles', 'add', VIN, '--usdot', USDOT, '--move');
  });

  it('fails for a carrier that does not exist', async () => {
    const { code, err } = await run('vehicles', 'add', OTHER_VIN, '--usdot', '9999999');
    expect(code).toBe(1);
    expect(err).toContain('No carrier has the USDOT number 9999999');
  });

  it('removes a vehicle only with --yes', async () => {
    await run('vehicles', 'add', OTHER_VIN, '--usdot', USDOT);
    expect((await run('vehicles', 'remove', OTHER_VIN)).code).toBe(2);
    expect((await run('vehicles', 'remove', OTHER_VIN, '--yes')).code).toBe(0);
    expect((await run('vehicles', 'remove', OTHER_VIN, '--yes')).code).toBe(1);
  });
});

describe('vehicles import', () => {
  it('imports a file, and prints what it added and changed', async () => {
    const file = await writeCsv('good.csv', ['vin,truck_number', `${VIN},8`, `${OTHER_VIN},9`]);
    const rehearsal = await run('vehicles', 'import', file, '--usdot', USDOT, '--dry-run');
    expect(rehearsal.out.split('\n')).toEqual([
      `line 2: ${VIN} changed: truck_number 7 → 8`,
      `line 3: ${OTHER_VIN} added: 2019 Motor Coach Industries (by its VIN: 1989 or 2019 Motor Coach Industries)`,
      expect.stringContaining('is in order: 1 vehicle added, 1 changed, 0 unchanged if it were imported'),
    ]);
    expect(await test.store.vehicles.readByVin(OTHER_VIN)).toBeNull();
    const { code, out } = await run('vehicles', 'import', file, '--usdot', USDOT);
    expect(code).toBe(0);
    expect(out).toBe(`${file}: 1 vehicle added, 1 changed, 0 unchanged.`);
    expect(await test.store.vehicles.readByVin(VIN)).toMatchObject({ truckNumber: '8', deviceId: 'imei-7' });
    const again = await run('vehicles', 'import', file, '--usdot', USDOT);
    expect(again.out).toBe(`${file}: 0 vehicles added, 0 changed, 2 unchanged.`);
  });

  it('imports nothing of a file with one bad row, and names its line and column', async () => {
    const file = await writeCsv('bad.csv', ['vin,year', '1FTFW1ET5DFC10312,2013', `${OTHER_VIN},soon`]);
    const { code, err } = await run('vehicles', 'import', file, '--usdot', USDOT);
    expect(code).toBe(1);
    expect(err).toContain('line 3, year: expected a year from 1900 to 2100, got "soon"');
    expect(err).toContain('1 fault. Nothing was imported.');
    expect(await test.store.vehicles.readByVin('1FTFW1ET5DFC10312')).toBeNull();
  });

  it("reports an unknown carrier, another carrier's vehicle and a device that is taken", async () => {
    const file = await writeCsv('taken.csv', [
      'usdot,vin,device_id',
      '9000399,1FTFW1ET5DFC10312,',
      `9000302,${OTHER_VIN},`,
      `${USDOT},3AKJHHDR7JSJV5535,imei-7`,
    ]);
    const { code, out } = await run('vehicles', 'import', file, '--json');
    expect(code).toBe(1);
    const { imported, faults } = JSON.parse(out) as {
      imported: boolean;
      faults: { line: number; message: string }[];
    };
    expect(imported).toBe(false);
    expect(faults.map(({ line, message }) => `${line} ${message}`)).toEqual([
      '2 there is no carrier 9000399; add it with: carriers add 9000399 --name NAME',
      `3 ${OTHER_VIN} drives for carrier ${USDOT}; --move takes it over`,
      `4 "imei-7" belongs to ${VIN} already`,
    ]);
  });

  it('allows two vehicles to swap their devices', async () => {
    await run('vehicles', 'add', OTHER_VIN, '--usdot', USDOT, '--device-id', 'imei-9');
    const file = await writeCsv('swap.csv', ['vin,device_id', `${VIN},imei-9`, `${OTHER_VIN},imei-7`]);
    expect((await run('vehicles', 'import', file, '--usdot', USDOT)).code).toBe(0);
    expect(await test.store.vehicles.readByVin(VIN)).toMatchObject({ deviceId: 'imei-9' });
  });

  it('reads standard input as the file "-"', async () => {
    const { code, out } = await run('vehicles', 'import', '-', '--usdot', USDOT);
    expect([code, out]).toEqual([0, 'standard input: 0 vehicles added, 1 changed, 0 unchanged.']);
  });

  it('waits for standard input no longer than until it is stopped', async () => {
    const waiting = { stdin: new PassThrough(), signal: AbortSignal.abort() };
    const { code, err } = await runWith(waiting, 'vehicles', 'import', '-', '--usdot', USDOT);
    expect([code, err]).toEqual([1, '- cannot be read: The operation was aborted']);
  });

  it('exports what it imports without a change', async () => {
    const { out } = await run('vehicles', 'export', '--usdot', USDOT);
    const file = await writeCsv('exported.csv', [out]);
    expect((await run('vehicles', 'import', file)).out).toMatch(
      /: 0 vehicles added, 0 changed, \d unchanged\.$/,
    );
  });

  it('refuses a file that is no list of vehicles in a sentence', async () => {
    const file = await writeCsv('fleet.pdf', ['%PDF-1.7']);
    const { code, err } = await run('vehicles', 'import', file, '--usdot', USDOT);
    expect([code, err]).toEqual([
      1,
      `${file}: The file is a PDF. Save it as Excel Workbook (.xlsx) or as CSV.`,
    ]);
  });

  it('warns of a wrong check digit', async () => {
    const file = await writeCsv('digit.csv', ['vin', '1M8GDM9A1KP042788']);
    const { code, err } = await run('vehicles', 'import', file, '--usdot', USDOT);
    expect(code).toBe(0);
    expect(err).toContain('warning: line 2, vin: 1M8GDM9A1KP042788 has a wrong check digit');
  });

  it('names the file that it cannot read', async () => {
    const { code, err } = await run('vehicles', 'import', join(folder, 'none.csv'), '--usdot', USDOT);
    expect(code).toBe(1);
    expect(err).toContain('none.csv cannot be read');
  });
});

describe('keys and tokens', () => {
  it('creates a key that works until it is revoked, and never shows it again', async () => {
    const created = await run('keys', 'create', '--usdot', USDOT, '--name', 'dispatch', '--json');
    const key = JSON.parse(created.out) as { id: string; apiKey: string; providerToken: string };
    expect(await test.store.keys.verify(key.apiKey, key.providerToken)).toMatchObject({ usdot: USDOT });
    const listed = await run('keys', 'list', '--usdot', USDOT);
    expect(listed.out).toContain(key.id);
    expect(listed.out + (await run('keys', 'list', '--json')).out).not.toMatch(
      new RegExp(`${key.apiKey}|${key.providerToken}`),
    );
    expect((await run('keys', 'revoke', key.id)).code).toBe(0);
    expect(await test.store.keys.verify(key.apiKey, key.providerToken)).toBeNull();
    expect((await run('keys', 'revoke', key.id)).code).toBe(1);
  });

  it('shows a reader both secrets of a key once, and what to do with a token', async () => {
    expect((await run('keys', 'create', '--usdot', USDOT, '--name', 'x')).out).toMatch(
      /x-api-key: +lh_key_\S+\n +provider-token: lh_provider_\S+\nThis is shown once/,
    );
    const { out } = await run('tokens', 'create', '--usdot', USDOT, '--name', 'phones');
    const token = /token: (\S+)/.exec(out)![1]!;
    expect(out).toContain(`/ingest/${token}/osmand`);
    expect(await test.store.ingestTokens.verify(token)).toMatchObject({ usdot: USDOT });
  });

  it('gives a key limits, changes them and lists them', async () => {
    const created = await run(
      ...['keys', 'create', '--usdot', USDOT, '--name', 'yard', '--json'],
      ...['--endpoints', 'units,carrier', '--from', '203.0.113.0/24,::1', '--requests-per-minute', '60'],
      ...['--expires', '2027-01-31'],
    );
    const { id } = JSON.parse(created.out) as { id: string };
    const listed = async () => (await run('keys', 'list')).out.split('\n').find((line) => line.includes(id));
    expect(await listed()).toMatch(/yard +lh_key_\S{6} .* command line +– +in use/);
    expect(await listed()).toContain(
      'units, carrier · from 203.0.113.0/24, ::1/128 · 60 a minute · until 2027-02-01 00:00 UTC',
    );
    await run('keys', 'change', id, '--endpoints', 'all', '--expires', 'never', '--from', 'anywhere');
    expect(await listed()).toMatch(/in use +60 a minute$/);
    expect(
      (await run('keys', 'change', id, '--name', 'gate', '--requests-per-minute', 'unlimited')).out,
    ).toBe(`Changed API key ${id} (gate). It may use: everything.`);
    expect((await run('keys', 'change', 'unknown', '--name', 'x')).code).toBe(1);
  });

  it('gives a key new secrets, and ends the old ones if requested', async () => {
    const created = JSON.parse(
      (await run('keys', 'create', '--usdot', USDOT, '--name', 'x', '--json')).out,
    ) as {
      id: string;
      apiKey: string;
    };
    const rotated = await run('keys', 'rotate', created.id, '--overlap', '2h');
    expect(rotated.out).toMatch(
      /has new secrets\. The old ones work until \S+ 17:00 UTC\.\n +x-api-key: +lh_key_\S+\n/,
    );
    expect(rotated.out).not.toContain(created.apiKey);
    expect((await run('keys', 'list')).out).toContain(`in use; ${created.apiKey.slice(0, 13)} until`);
    await run('keys', 'change', created.id, '--expires', '1h');
    const ending = await run('keys', 'rotate', created.id, '--overlap', '2h');
    expect(ending.out).toMatch(/The old ones work until \S+ 16:00 UTC/);
    const again = JSON.parse(
      (await run('keys', 'rotate', created.id, '--overlap', '0', '--json')).out,
    ) as object;
    expect(again).toMatchObject({ id: created.id, oldEndsAtMs: test.nowMs });
    await run('keys', 'revoke', created.id);
    expect((await run('keys', 'rotate', created.id)).code).toBe(1);
  });

  it('fails for a carrier that does not exist', async () => {
    expect((await run('tokens', 'create', '--usdot', '9999999', '--name', 'x')).code).toBe(1);
  });
});

describe('a database that cannot be reached', () => {
  it('fails with the reason and without the password', async () => {
    const err: string[] = [];
    const code = await runCommand(['carriers', 'list'], {
      databaseUrl: 'postgres://user:planted-password@127.0.0.1:1/nothing',
      now: test.now,
      stdout: () => undefined,
      stderr: (line) => err.push(line),
      signal: AbortSignal.abort(),
    });
    expect(code).toBe(1);
    expect(err.join()).toContain('The tracking database could not be opened.');
    expect(err.join()).not.toContain('planted-password');
  });
});

describe('simulate --history', () => {
  it('takes days and hours, and needs the application', async () => {
    expect(await run('simulate', '--history', '2x')).toMatchObject({ code: 2 });
    expect(await run('simulate', '--history', '401d')).toMatchObject({ code: 2 });
    const alone = await run('simulate', '--history', '12h');
    expect(alone).toMatchObject({ code: 1 });
    expect(alone.err).toContain('by `npm run service` only');
  });
});
