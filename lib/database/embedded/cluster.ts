import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries';
import { PostgresStartError, type DataDirectory } from './data-directory';

export const SUPERUSER = 'linehaul';

export interface Cluster {
  folder: string;
  password: string;
}

export interface OpenOptions {
  /** False for a database that may be lost with the machine. */
  durable: boolean;
  say: (line: string) => void;
  /** Aborted when the database is no longer needed. */
  signal?: AbortSignal;
}

/** The environment of PostgreSQL's programs: none of our variables can change their behavior. */
const CLEAN_ENV: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  NODE_ENV: process.env.NODE_ENV,
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Their user, and a working folder that this user may enter. */
export const spawnIdentity = ({ folder, account }: DataDirectory) => ({
  cwd: folder,
  env: CLEAN_ENV,
  ...(account && { uid: account.uid, gid: account.gid }),
});

const runInitdb = async (
  initdb: string,
  args: string[],
  directory: DataDirectory,
  signal: AbortSignal | undefined,
): Promise<void> => {
  // In its own process group, because this process handles a Ctrl-C on the terminal.
  const child = spawn(initdb, args, {
    ...spawnIdentity(directory),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // initdb syncs to the end even after a signal; the next start removes what it leaves unfinished.
  const killInitdb = () => void process.kill(-child.pid!, 'SIGKILL');
  signal?.addEventListener('abort', killInitdb);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  }).finally(() => signal?.removeEventListener('abort', killInitdb));
  if (code !== 0)
    throw new PostgresStartError(
      `A new database could not be made in ${directory.folder}: ${errors.trim() || `initdb ended with ${code}`}`,
    );
};

const createCluster = async (
  directory: DataDirectory,
  { initdb }: Binaries,
  { durable, signal }: OpenOptions,
): Promise<void> => {
  const fresh = join(directory.folder, 'cluster.new');
  const passwordFile = join(directory.folder, 'password');
  rmSync(fresh, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (directory.account) chownSync(passwordFile, directory.account.uid, directory.account.gid);
  const args = [
    `--pgdata=${fresh}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
  await runInitdb(initdb, args, directory, signal);
  // Renamed when complete, so that an interrupted start leaves nothing that looks like a database.
  renameSync(fresh, join(directory.folder, 'cluster'));
};

const requireSameMajor = (folder: string, { postgres }: Binaries): void => {
  const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  const share = join(postgres, '..', '..', 'share', 'postgresql');
  // The version of the programs' catalog begins with their major version.
  const expected = readFileSync(join(share, 'postgres.bki'), 'utf8').match(/^# PostgreSQL (\d+)/)?.[1];
  if (expected !== undefined && found !== expected)
    throw new PostgresStartError(
      `${folder} was written by PostgreSQL ${found}, and the embedded one is ${expected}. ` +
        'Move the data with pg_dump, or move the folder away to start with an empty database.',
    );
};

/** The data directory's cluster, created first if there is none: UTF-8, SCRAM, a random password in a private file. */
export const openCluster = async (
  directory: DataDirectory,
  binaries: Binaries,
  options: OpenOptions,
): Promise<Cluster> => {
  const folder = join(directory.folder, 'cluster');
  if (!existsSync(folder)) {
    options.say(`PostgreSQL makes a new database in ${directory.folder}`);
    await createCluster(directory, binaries, options);
  }
  if (!readdirSync(folder).includes('PG_VERSION'))
    throw new PostgresStartError(
      `${folder} is not a database: PG_VERSION is missing. Move it away to start with an empty database.`,
    );
  requireSameMajor(folder, binaries);
  return { folder, password: readFileSync(join(directory.folder, 'password'), 'utf8') };
};
