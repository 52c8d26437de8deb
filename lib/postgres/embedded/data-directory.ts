import { createHash } from 'node:crypto';
import { accessSync, chmodSync, chownSync, constants, mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PostgresStartError } from './errors';
import { canPass, chooseAccount, isRoot, readAccounts, readOwners } from './user';
import type { Account } from './user';

/** The folder of PostgreSQL's files, and the account that it runs as (null: our own). */
export interface Place {
  folder: string;
  account: Account | null;
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
const openStandIn = (folder: string): string => {
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  const name = basename(dirname(folder)).replace(/[^\w.-]/g, '_') || 'clone';
  return openSharedFolder(`${name}-${hash}`);
};

const realFolder = (folder: string): string => {
  mkdirSync(folder, { recursive: true });
  return realpathSync(folder);
};

/**
 * The data directory of the database that belongs to `dataFolder`; its folder exists afterwards and belongs
 * to the account. As root it is a folder under /var/lib/linehaul if the account cannot reach `dataFolder`.
 *
 * @throws PostgresStartError when we are root and there is no other account, or a folder cannot be used
 */
export const openPlace = (dataFolder: string): Place => {
  try {
    const own = join(realFolder(dataFolder), 'postgres');
    if (!isRoot()) {
      mkdirSync(own, { recursive: true, mode: 0o700 });
      accessSync(own, constants.R_OK | constants.W_OK | constants.X_OK);
      return { folder: own, account: null };
    }
    const owners = [own, dirname(dirname(own))].flatMap(readOwners);
    const account = chooseAccount(owners, readAccounts());
    if (!account) {
      throw new PostgresStartError(
        'PostgreSQL refuses to run as root, and this system has no account "nobody" to run it as. ' +
          'Start Linehaul as another user, or set DATABASE_URL.',
      );
    }
    const folder = canPass(dirname(own), account) ? own : openStandIn(dirname(own));
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
