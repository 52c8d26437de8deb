import 'server-only';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { asc, eq, isNull, max } from 'drizzle-orm';
import { seal, unseal } from '@/lib/base/sealed';
import type { Executor } from '@/lib/database/database';
import type { PublicKey } from '../keys';
import { proofDocuments, proofKeys } from './tables';

const PURPOSE = 'linehaul proof keys';

type KeyRow = typeof proofKeys.$inferSelect;

/** A key that signs, with its private part as `d` of its JWK. */
export interface SigningKey {
  kid: string;
  x: string;
  d: string;
  fromMs: number;
}

export const toPublicKey = ({ kid, x, fromMs, untilMs, revokedMs }: KeyRow): PublicKey => ({
  ...{ kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' },
  ...{ fromMs, untilMs, revokedMs },
});

/** All public keys, the oldest first. */
export const listPublicKeys = async (tx: Executor): Promise<PublicKey[]> =>
  (await tx.select().from(proofKeys).orderBy(asc(proofKeys.fromMs), asc(proofKeys.kid))).map(toPublicKey);

/** Stores a new key that signs, unless there is one: of several servers at once one stores its key. */
const addKey = async (tx: Executor, secret: string, fromMs: number): Promise<void> => {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const { x, d } = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x: x! });
  await tx
    .insert(proofKeys)
    .values({ kid, x: x!, sealed: seal(d!, secret, PURPOSE), fromMs })
    .onConflictDoNothing();
};

const findCurrent = async (tx: Executor, strength: 'share' | 'update'): Promise<KeyRow | null> =>
  (await tx.select().from(proofKeys).where(isNull(proofKeys.untilMs)).for(strength))[0] ?? null;

/** Ends the time of a key, not before the newest document that it signed, and returns when that is. */
const endKey = async (tx: Executor, { kid, fromMs }: KeyRow, nowMs: number): Promise<number> => {
  const [newest] = await tx
    .select({ ms: max(proofDocuments.issuedMs) })
    .from(proofDocuments)
    .where(eq(proofDocuments.kid, kid));
  const untilMs = Math.max(nowMs, fromMs, newest?.ms ?? 0);
  await tx.update(proofKeys).set({ untilMs }).where(eq(proofKeys.kid, kid));
  return untilMs;
};

/** The private part; null: it was sealed with another secret, as after a move without the secret. */
const open = ({ sealed }: KeyRow, secret: string): string | null => {
  try {
    return unseal(sealed, secret, PURPOSE);
  } catch {
    // node:crypto has no error of its own for a seal that does not open: a new key takes its place.
    return null;
  }
};

/**
 * The key that signs, which no rotation replaces until the transaction ends. It is made at first use, and where the
 * private part of the last one cannot be opened.
 */
export const lockSigningKey = async (tx: Executor, secret: string, nowMs: number): Promise<SigningKey> => {
  // A round each for: no key, another server's key, and one that cannot be opened.
  for (let round = 0; round < 4; round += 1) {
    const row = await findCurrent(tx, 'share');
    const d = row && open(row, secret);
    if (row && d !== null) return { kid: row.kid, x: row.x, d, fromMs: row.fromMs };
    if (row) await rotateKey(tx, secret, nowMs);
    else await addKey(tx, secret, nowMs);
  }
  throw new Error('No key that signs documents could be made.');
};

/** Lets a new key sign from now on, and returns its id; the one before stays verifiable. */
export const rotateKey = async (tx: Executor, secret: string, nowMs: number): Promise<string> => {
  const row = await findCurrent(tx, 'update');
  const fromMs = row === null ? nowMs : await endKey(tx, row, nowMs);
  await addKey(tx, secret, fromMs);
  return (await findCurrent(tx, 'share'))!.kid;
};

/** Marks a key as no longer to be trusted, and ends its time; false: there is none, or it was revoked before. */
export const revokeKey = async (tx: Executor, kid: string, nowMs: number): Promise<boolean> => {
  const [row] = await tx.select().from(proofKeys).where(eq(proofKeys.kid, kid)).for('update');
  if (!row || row.revokedMs !== null) return false;
  if (row.untilMs === null) await endKey(tx, row, nowMs);
  await tx.update(proofKeys).set({ revokedMs: nowMs }).where(eq(proofKeys.kid, kid));
  return true;
};
