import 'server-only';
import { MIN_SECRET_CHARACTERS } from '@/lib/config/variables';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The session secret can neither be read nor created; the message names the remedy. */
export class AuthSecretError extends Error {
  override name = 'AuthSecretError';
}

const FILE = 'auth-secret';
const BYTES = 48;

const read = (path: string): string => {
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < MIN_SECRET_CHARACTERS)
    throw new AuthSecretError(
      `${path} holds no secret of at least ${MIN_SECRET_CHARACTERS} characters. Remove the file: a new secret is created, and every user signs in again.`,
    );
  return secret;
};

/**
 * The secret that signs sessions: read from the data directory, where the first start creates it with mode 0600.
 * @throws AuthSecretError
 */
export const readOrCreateSecret = (dataFolder: string): string => {
  const path = join(dataFolder, FILE);
  try {
    mkdirSync(dataFolder, { recursive: true });
    // If two processes start together, one creates the file and the other reads it.
    writeFileSync(path, `${randomBytes(BYTES).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST')
      throw new AuthSecretError(
        `The secret that signs sessions cannot be kept in ${dataFolder} (${code}). Set AUTH_SECRET, AUTH_SECRET_FILE, or LINEHAUL_DATA_DIR to a folder that this user may write to.`,
        { cause: error },
      );
  }
  try {
    return read(path);
  } catch (error) {
    if (error instanceof AuthSecretError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new AuthSecretError(`${path} cannot be read (${code}): it signs sessions.`, { cause: error });
  }
};
