import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDataDirectory } from '../lib/database/embedded/data-directory';
import { createWorkbook } from '../testing/service/workbook';
import { createScratchFolder, removeScratchFolder } from '../testing/scratch';

// Each test starts real servers.
const WITHIN_MS = 120_000;

/** Every variable of .env.example, set to nothing. */
const EMPTY = Object.fromEntries(
  [...readFileSync('.env.example', 'utf8').matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => [
    name!,
    '',
  ]),
);

let dataFolder: string;
beforeAll(() => {
  dataFolder = createScratchFolder('linehaul-service-');
});
afterAll(() => removeScratchFolder(dataFolder), WITHIN_MS);

/** Runs a command of the service as systemd would: with its folder in STATE_DIRECTORY and settings that are empty. */
const start = (...args: string[]): ChildProcess =>
  spawn(process.execPath, ['--import', 'tsx', 'service/main.ts', ...args], {
    env: { ...process.env, ...EMPTY, STATE_DIRECTORY: dataFolder },
    stdio: 'pipe',
  });

const readText = async (stream: NodeJS.ReadableStream): Promise<string> => {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
};

/** Runs a command to its end. */
const run = (...args: string[]) => runWith(new Uint8Array(), ...args);

/** Runs a command with a standard input. */
const runWith = async (input: Uint8Array, ...args: string[]) => {
  const child = start(...args);
  child.stdin!.end(input);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const [stdout, stderr] = await Promise.all([readText(child.stdout!), readText(child.stderr!)]);
  const [code] = await exited;
  return { code, stdout, stderr };
};

const runJson = async (...args: string[]): Promise<Record<string, string>> => {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Record<string, string>;
};

const serve = async () => {
  const child = start('serve', '--port', '0', '--json');
  let stderr = '';
  child.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const lines = createInterface({ input: child.stdout! });
  const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [stderr])])) as [
    string,
  ];
  expect(line).toMatch(/^\{/);
  return { child, url: (JSON.parse(line) as { url: string }).url, readStderr: () => stderr };
};

const addDevice = async (): Promise<string> => {
  expect((await run('carriers', 'add', '9000001', '--name', 'Prairie Freight')).code).toBe(0);
  const vehicle = ['1XKYD49X7KJ900001', '--usdot', '9000001', '--device-id', 'truck-7'];
  expect((await run('vehicles', 'add', ...vehicle)).code).toBe(0);
  return (await runJson('tokens', 'create', '--usdot', '9000001', '--name', 'phones')).token!;
};

/** The process of the embedded server, as it writes it down itself. */
const readPostmasterPid = (): number => {
  const { folder } = openDataDirectory(dataFolder);
  return Number(readFileSync(join(folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
};

test(
  'settings that are empty count as unset, so that its files are where systemd gives it a folder',
  async () => {
    const listed = await run('carriers', 'list');
    expect(listed).toMatchObject({ code: 0 });
    expect(existsSync(join(openDataDirectory(dataFolder).folder, 'cluster'))).toBe(true);
    expect(listed.stderr).toContain(openDataDirectory(dataFolder).folder);
  },
  WITHIN_MS,
);

test(
  'a service alone starts its PostgreSQL again when that is killed, and takes reports again',
  async () => {
    const service = await serve();
    const token = await addDevice();
    const report = async () =>
      (await fetch(`${service.url}/ingest/${token}/osmand?id=truck-7&lat=35&lon=-101`)).status;
    expect(await report()).toBe(200);
    process.kill(readPostmasterPid(), 'SIGKILL');
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 300 && statuses.at(-1) !== 200; attempt++) {
      statuses.push(await report());
      // The first reports may still find a connection of the server that was killed.
      if (statuses.length === 1 && statuses[0] === 200) statuses[0] = 0;
      await sleep(50);
    }
    expect(statuses.at(-1)).toBe(200);
    const unexpected = statuses.filter((status) => ![200, 0, 503].includes(status));
    expect(unexpected, service.readStderr()).toEqual([]);
    expect(statuses).toContain(503);
    expect(service.readStderr()).toContain('PostgreSQL runs again');
    expect(service.readStderr()).not.toMatch(/^\s+at |"stack"/m);
    const exited = once(service.child, 'exit');
    service.child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  },
  WITHIN_MS,
);

test(
  'a workbook from standard input is imported',
  async () => {
    await run('carriers', 'add', '9000003', '--name', 'Salt Flat Lines');
    const workbook = createWorkbook([
      ['VIN', 'Device ID'],
      ['1M8GDM9AXKP042788', 353816051234567],
    ]);
    const { code, stdout, stderr } = await runWith(workbook, 'vehicles', 'import', '-', '--usdot', '9000003');
    expect([code, stdout], stderr).toEqual([0, 'standard input: 1 vehicle added, 0 changed, 0 unchanged.\n']);
    const { stdout: listed } = await run('vehicles', 'list', '--usdot', '9000003');
    expect(listed).toMatch(/1M8GDM9AXKP042788 +– +353816051234567/);
  },
  WITHIN_MS,
);

test(
  'a command whose reader goes away ends without a word',
  async () => {
    const child = start('carriers', 'list');
    child.stdout!.destroy();
    const exited = once(child, 'exit');
    const stderr = await readText(child.stderr!);
    expect(stderr).not.toMatch(/EPIPE|^\s+at /m);
    expect(await exited).toEqual([0, null]);
  },
  WITHIN_MS,
);
