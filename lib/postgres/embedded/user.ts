import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The account that PostgreSQL runs as when we are root, because it refuses to run as root. */
export interface Account {
  uid: number;
  gid: number;
  name: string;
}

/** Accounts by preference; an account that already owns the folder comes before all of them. */
const UNPRIVILEGED = ['nobody', 'postgres', 'daemon'];

/** The accounts of a passwd(5) file. */
export const parsePasswd = (text: string): Account[] =>
  text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });

/**
 * The account that PostgreSQL should run as when we are root; null when we are not, and it runs as our own
 * user. It must have an entry in /etc/passwd, because initdb looks its own name up.
 *
 * @param owners users that own the data or the checkout, most significant first
 */
export const chooseAccount = (owners: number[], accounts: Account[]): Account | null => {
  const candidates = [
    ...owners.map((uid) => accounts.find((account) => account.uid === uid)),
    ...UNPRIVILEGED.map((name) => accounts.find((account) => account.name === name)),
  ];
  return candidates.find((account) => account !== undefined && account.uid !== 0) ?? null;
};

export const isRoot = (): boolean => process.getuid?.() === 0;

export const readAccounts = (): Account[] => parsePasswd(readFileSync('/etc/passwd', 'utf8'));

/** The owner of a path; undefined if it does not exist. */
export const readOwners = (path: string): number[] => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? [stat.uid] : [];
};

/** Whether an account may pass a folder and all its parents, by their permission bits. */
export const canPass = (folder: string, account: Account): boolean => {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat) {
    const bit = stat.uid === account.uid ? 0o100 : stat.gid === account.gid ? 0o010 : 0o001;
    if (!(stat.mode & bit)) return false;
  }
  return dirname(folder) === folder || canPass(dirname(folder), account);
};
