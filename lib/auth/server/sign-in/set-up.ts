import 'server-only';
import type { Clock } from '@/lib/base/clock';
import { AppError } from '@/lib/base/http/problems';
import type { Database } from '@/lib/database/database';
import { hasUsers, insertFirstUser } from '../user-repository';
import type { SetUp } from '@/lib/auth/schema';
import type { Client } from '@/lib/base/viewer';
import type { Attempt, AttemptLimit } from '@/lib/base/rate-limits';
import type { Audit } from '@/lib/audit/audit';
import { deleteSetting, insertSetting, readSetting } from '@/lib/database/setting-repository';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Crockford's base 32, without letters that resemble digits. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 4;
const GROUP_CHARACTERS = 4;

/** Names the setting with the random part of the code, from which nothing but the secret makes the code. */
const SALT = 'set-up-salt';

/** A code for manual entry: 80 bits as "7K3M-…" in four groups of four. */
const toSetUpCode = (secret: string, salt: string): string => {
  const bytes = createHmac('sha256', secret).update(`set-up code ${salt}`).digest();
  const letters = [...bytes.subarray(0, GROUPS * GROUP_CHARACTERS)].map((byte) => LETTERS[byte % 32]);
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
};

/** Normalizes to upper case without separators, with look-alike letters as digits. */
const normalize = (code: string): string =>
  code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');

const toHash = (code: string): Buffer => createHash('sha256').update(normalize(code)).digest();

/** Compares in constant time. */
export const isSetUpCode = (given: string, code: string): boolean =>
  timingSafeEqual(toHash(given), toHash(code));

/** Counted per address only: wrong codes of one client must not block the set-up for another. */
const toAttempt = (address: string): Attempt => ({ address, account: `set-up ${address}` });

/** The set-up of the first manager, guarded by a code of the servers' secret and of a random part in the database. */
export const createFirstRun = (options: {
  /** False if sign-in is not required. */
  isEnabled: () => boolean;
  open: () => Promise<Database>;
  hash: (password: string) => Promise<string>;
  attempts: AttemptLimit;
  audit: Audit;
  clock: Clock;
  /** The secret of all servers of the database. */
  secret: string;
  /** Writes to the server's standard output, at any log level. */
  announce: (message: string) => void;
}) => {
  const { isEnabled, open, hash, attempts, audit, clock, secret, announce } = options;
  const readCode = async ({ orm }: Database): Promise<string> => {
    const made = { value: randomBytes(16).toString('hex'), changedBy: '', changedAtMs: clock.nowMs() };
    // Of several servers that start together, the salt of the first one counts.
    const { value } = (await readSetting(orm, SALT)) ?? (await insertSetting(orm, SALT, made));
    return toSetUpCode(secret, String(value));
  };
  const isOpenIn = async ({ orm }: Database): Promise<boolean> => isEnabled() && !(await hasUsers(orm));

  return {
    /** Prints the code to the operator if no account exists. */
    announce: async (database: Database): Promise<void> => {
      if (!(await isOpenIn(database))) return;
      const code = await readCode(database);
      announce(`There is no account yet. Make the first manager at /set-up with the code ${code}`);
    },
    /** Whether the first manager does not exist yet. @throws AppError 'accounts-unavailable' */
    isOpen: async (): Promise<boolean> => isEnabled() && (await isOpenIn(await open())),
    /** @throws AppError 'set-up-closed', 'set-up-code', 'too-many-attempts', 'accounts-unavailable' */
    setUp: async ({ code, name, email, password }: SetUp, { address }: Client): Promise<void> => {
      if (!isEnabled()) throw new AppError('set-up-closed');
      const attempt = toAttempt(address);
      await attempts.take(attempt);
      const database = await open();
      if (!(await isOpenIn(database))) throw new AppError('set-up-closed');
      if (!isSetUpCode(code, await readCode(database))) {
        await audit.record({ by: null, action: 'set-up', address, outcome: 'refused' });
        throw new AppError('set-up-code');
      }
      await attempts.succeed(attempt);
      const manager = {
        id: crypto.randomUUID(),
        name,
        email,
        role: 'manager',
        usdots: null,
        tags: null,
      } as const;
      const passwordHash = await hash(password);
      await database.orm.transaction(async (tx) => {
        if (!(await insertFirstUser(tx, { ...manager, passwordHash }, clock.nowMs())))
          throw new AppError('set-up-closed');
        await deleteSetting(tx, SALT);
        const by = { kind: 'user', ...manager } as const;
        await audit.record({ by, action: 'set-up', subject: email, address }, tx);
      });
    },
  };
};
