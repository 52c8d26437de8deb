import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScratchFolder, removeScratchFolder } from '@/testing/scratch';
import { PostgresInUseError } from './data-directory';
import { findRunningPostgres, openPostgres } from './embedded-postgres';

// Each test starts real servers, some of them after a crash.
const WITHIN_MS = 120_000;

let dataFolder: string;
beforeAll(() => {
  dataFolder = createScratchFolder('linehaul-postgres-');
});
afterAll(() => removeScratchFolder(dataFolder), WITHIN_MS);

const open = () => openPostgres({ root: dataFolder, dataFolder, purpose: 'a test' });
const join = () => findRunningPostgres({ root: dataFolder, dataFolder });

const note = async (connectionString: string, words: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString });
  // A killed server breaks its connections.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('create table if not exists note (words text)');
  await client.query('insert into note values ($1)', [words]);
  const { rows } = await client.query<{ words: string }>('select words from note');
  await client.end();
  return rows.map((row) => row.words);
};

test(
  'a second owner is refused with the name of the first, and a command may join',
  async () => {
    expect(await join()).toBeNull();
    const first = await open();
    await expect(open()).rejects.toThrow(PostgresInUseError);
    await expect(open()).rejects.toThrow(`in use by a test (process ${process.pid})`);
    expect(await join()).toEqual({ databaseUrl: first.databaseUrl });
    await first.stop();
    expect(await join()).toBeNull();
  },
  WITHIN_MS,
);

test(
  'the database keeps committed rows over a clean stop and over a kill of the server',
  async () => {
    const first = await open();
    await note(first.databaseUrl, 'before the stop');
    await first.stop();
    const second = await open();
    await note(second.databaseUrl, 'before the kill');
    process.kill(second.pid!, 'SIGKILL');
    await second.ended;
    await second.stop();
    const third = await open();
    expect(await note(third.databaseUrl, 'after')).toEqual(['before the stop', 'before the kill', 'after']);
    await third.stop();
  },
  WITHIN_MS,
);

test(
  'a new owner takes over from a killed one whose server still runs',
  async () => {
    const owner = spawn(process.execPath, ['--import', 'tsx', 'service/main.ts', 'serve', '--port', '0'], {
      env: { ...process.env, DATABASE_URL: '', LINEHAUL_DATA_DIR: dataFolder },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => owner.on('exit', resolve));
    let joined: Awaited<ReturnType<typeof join>> = null;
    while (!(joined = await join())) await sleep(100);
    await note(joined.databaseUrl, 'left behind');
    owner.kill('SIGKILL');
    await ended;
    const said: string[] = [];
    const next = await openPostgres({ root: dataFolder, dataFolder, say: (line) => said.push(line) });
    expect(said.join('\n')).toMatch(/of an earlier run \(process \d+\) is stopped first/);
    expect(await note(next.databaseUrl, 'taken over')).toContain('left behind');
    await next.stop();
  },
  WITHIN_MS,
);
