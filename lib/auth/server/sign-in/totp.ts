import 'server-only';
import { createHmac } from 'node:crypto';
import { symmetricDecrypt } from 'better-auth/crypto';
import type { Database } from '@/lib/database/database';
import { and, eq, isNull, lt, or } from 'drizzle-orm';
import { secondFactors } from '../tables';
import type { Auth } from '../auth';
import { orUnavailable } from '@/lib/database/open-accounts';
import type { Forward, ForwardRequest } from './forward';

/** The parameters of better-auth's codes: six digits, 30 s each, one step before and after the current one. */
const DIGITS = 6;
const STEP_MS = 30_000;
const STEPS_AROUND = [1, 0, -1];

/** The code of one time step: RFC 4226 with SHA-1. */
export const toTotpCode = (secret: string, step: number): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const bits = mac.readUInt32BE(mac[mac.length - 1]! & 0xf) & 0x7fffffff;
  return String(bits % 10 ** DIGITS).padStart(DIGITS, '0');
};

/** `used`: this code or a newer one has been accepted before. */
type Claim = 'claimed' | 'used' | 'wrong';

/** Verifies a code with better-auth. `userId` is the user of the code; null if unknown. */
export type VerifyTotp = (
  forwarded: Pick<ForwardRequest, 'client' | 'auth' | 'cookie'> & { code: string; userId: string | null },
) => Promise<Response>;

/** Claims the time step of each code in the database, because better-auth accepts a valid code repeatedly. */
export const createVerifyTotp = (options: {
  open: () => Promise<Database>;
  forward: Forward;
}): VerifyTotp => {
  const { open, forward } = options;

  const claim = async (auth: Auth, userId: string, code: string): Promise<Claim> => {
    const { orm } = await open();
    const isOfUser = eq(secondFactors.userId, userId);
    const [row] = await orm.select({ data: secondFactors.secret }).from(secondFactors).where(isOfUser);
    if (row === undefined) return 'wrong';
    const secret = await symmetricDecrypt({ key: (await auth.$context).secretConfig, ...row });
    // better-auth reads the system clock as well.
    const now = Math.floor(Date.now() / STEP_MS);
    const step = STEPS_AROUND.map((by) => now + by).find((each) => toTotpCode(secret, each) === code);
    if (step === undefined) return 'wrong';
    // Only one request can claim a step, and none after a later one.
    const isFree = or(isNull(secondFactors.lastUsedStep), lt(secondFactors.lastUsedStep, step));
    const claimed = await orm.update(secondFactors).set({ lastUsedStep: step }).where(and(isOfUser, isFree));
    return claimed.rowCount === 1 ? 'claimed' : 'used';
  };

  return async ({ code, userId, ...forwarded }) => {
    const outcome =
      userId === null
        ? 'wrong'
        : await orUnavailable('A code cannot be checked.', () => claim(forwarded.auth, userId, code));
    // Answered here: better-auth would count it as a wrong code, against the attempts of the request that claimed the
    // step.
    if (outcome === 'used') return Response.json({ code: 'INVALID_CODE' }, { status: 401 });
    return forward({
      ...forwarded,
      path: '/two-factor/verify-totp',
      body: { code: outcome === 'claimed' ? code : '' },
    });
  };
};
