import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  mkdirSync,
  realpathSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The embedded PostgreSQL cannot start; the message explains the reason and the remedy to a person. */
export class PostgresStartError extends Error {
  override name = 'PostgresStartError';
}

/** Another process owns the data folder. */
export class PostgresInUseError extends PostgresStartError {
  override name = 'PostgresInUseError';
}

/** The account that PostgreSQL runs as when we are root, because it refuses to run as root. */
export interface SystemAccount {
  uid: number;
  gid: number;
  name: string;
}

/** Accounts by preference; an account that already owns the folder comes before all of them. */
const UNPRIVILEGED = ['nobody', 'postgres', 'daemon'];

export const parsePasswd = (text: string): SystemAccount[] =>
  text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });

/**
 * The account for PostgreSQL when we are root, else null; initdb needs its entry in /etc/passwd.
 * @param owners users that own the data or the checkout, most significant first
 */
export const chooseAccount = (owners: number[], accounts: SystemAccount[]): SystemAccount | null => {
  const candidates = [
    ...owners.map((uid) => accounts.find((account) => account.uid === uid)),
    ...UNPRIVILEGED.map((name) => accounts.find((account) => account.name === name)),
  ];
  return candidates.find((account) => account !== undefined && account.uid !== 0) ?? null;
};

const isRoot = (): boolean => process.getuid?.() === 0;

const readAccounts = (): SystemAccount[] => parsePasswd(readFileSync('/etc/passwd', 'utf8'));

/** The owner of a path; undefined if it does not exist. */
const readOwners = (path: string): number[] => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? [stat.uid] : [];
};

/** Whether an account may pass a folder and all its parents, by their permission bits. */
const canPass = (folder: string, account: SystemAccount): boolean => {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat) {
    const bit = stat.uid === account.uid ? 0o100 : stat.gid === account.gid ? 0o010 : 0o001;
    if (!(stat.mode & bit)) return false;
  }
  return dirname(folder) === folder || canPass(dirname(folder), account);
};

/** The folder of PostgreSQL's files, and the account that it runs as (null: our own). */
export interface DataDirectory {
  folder: string;
  account: SystemAccount | null;
}

const SHARED_ROOT = '/var/lib/linehaul';

/** A folder that root owns and every user may enter, whatever the umask. */
export const openSharedFolder = (name: string): string => {
  const folder = join(SHARED_ROOT, name);
  mkdirSync(folder, { recursive: true });
  for (const path of [SHARED_ROOT, folder]) chmodSync(path, 0o755);
  return folder;
};

/** A separate folder per clone, for a checkout that an unprivileged user cannot reach. */
const openFallbackFolder = (folder: string): string => {
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  const name = basename(dirname(folder)).replace(/[^\w.-]/g, '_') || 'clone';
  return openSharedFolder(`${name}-${hash}`);
};

const realFolder = (folder: string): string => {
  mkdirSync(folder, { recursive: true });
  return realpathSync(folder);
};

/**
 * The data directory of the database that belongs to `dataFolder`; its folder exists afterwards and belongs to the account.
 * As root it is a folder under /var/lib/linehaul if the account cannot reach `dataFolder`.
 * @throws PostgresStartError when we are root and there is no other account, or a folder cannot be used
 */
export const openDataDirectory = (dataFolder: string): DataDirectory => {
  try {
    const own = join(realFolder(dataFolder), 'postgres');
    if (!isRoot()) {
      mkdirSync(own, { recursive: true, mode: 0o700 });
      accessSync(own, constants.R_OK | constants.W_OK | constants.X_OK);
      return { folder: own, account: null };
    }
    const owners = [own, dirname(dirname(own))].flatMap(readOwners);
    const account = chooseAccount(owners, readAccounts());
    if (!account)
      throw new PostgresStartError(
        'PostgreSQL refuses to run as root, and this system has no unprivileged account to run it as. ' +
          'Start Linehaul as another user, or set DATABASE_URL.',
      );
    const folder = canPass(dirname(own), account) ? own : openFallbackFolder(dirname(own));
    mkdirSync(folder, { recursive: true });
    chownSync(folder, account.uid, account.gid);
    return { folder, account };
  } catch (error) {
    if (error instanceof PostgresStartError) throw error;
    throw new PostgresStartError(
      `The folder for the database cannot be used (${(error as Error).message}). ` +
        'Let this user write there, or set DATABASE_URL to a PostgreSQL of your own.',
      { cause: error },
    );
  }
};
