import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import { readInput } from '@/lib/access/input';
import { secondStepSchema } from '@/lib/auth/schema';
import { createTooManyAttempts, type AttemptLimit } from '@/lib/base/rate-limits';
import type { Audit } from '@/lib/audit/audit';
import type { Database } from '@/lib/database/database';
import { readUser, toViewer } from '../user-repository';
import type { Auth } from '../auth';
import { type ServeAuth, type Forward, readCode, withCookiesOf } from './forward';
import { pickCookies, readCookie } from '../sessions/cookies';
import { orUnavailable } from '@/lib/database/open-accounts';
import type { VerifyTotp } from './totp';

/** All second steps from one address share this attempt limit. */
const ACCOUNT = 'second-factor';
const TOTP = /^\d{6}$/;
/** The format of better-auth, without separators between the halves. */
const RECOVERY_CODE = /^([0-9a-z]{5})([0-9a-z]{5})$/i;
const LOCKED_FOR_S = 15 * 60;

/**
 * The id of the user whose password was accepted in the first step; null if that step has expired or is done. It serves
 * only the audit log and the code check: better-auth verifies the signature of the cookie before it signs a user in.
 */
const readPendingUserId = async (auth: Auth, cookie: string): Promise<string | null> => {
  const { createAuthCookie, internalAdapter } = await auth.$context;
  const [identifier] = (readCookie(cookie, createAuthCookie('two_factor').name) ?? '').split('.', 1);
  if (identifier === undefined || identifier === '') return null;
  const pending = await internalAdapter.findVerificationValue(identifier);
  return pending !== null && pending.expiresAt > new Date() ? pending.value : null;
};

/** The second step of sign-in: an authenticator code, or a recovery code, which is valid once. */
export const createSecondStep =
  (options: {
    attempts: AttemptLimit;
    audit: Audit;
    forward: Forward;
    verifyTotp: VerifyTotp;
    open: () => Promise<Database>;
  }): ServeAuth =>
  async ({ request, client, auth }) => {
    const { attempts, audit, forward, verifyTotp, open } = options;
    const code = (await readInput(request, secondStepSchema)).code.replace(/[\s-]/g, '');
    const { address } = client;
    const attempt = { address, account: `${ACCOUNT} ${address}` };
    await attempts.take(attempt);
    // Only the cookie of the first step: another session of the same browser plays no part in the second.
    const cookie = pickCookies(client.headers.get('cookie'), 'two_factor');
    const forwarded = { client, auth, cookie };
    const userId = await orUnavailable('A sign-in cannot be looked up.', () =>
      readPendingUserId(auth, cookie),
    );
    const user = userId === null ? null : await readUser((await open()).orm, userId);
    const answer = TOTP.test(code)
      ? await verifyTotp({ ...forwarded, code, userId })
      : await forward({
          ...forwarded,
          path: '/two-factor/verify-backup-code',
          body: { code: code.replace(RECOVERY_CODE, '$1-$2') },
        });
    if (answer.ok) {
      await attempts.succeed(attempt);
      return withCookiesOf(answer, {});
    }
    await audit.record({
      by: user === null ? null : toViewer(user),
      action: 'sign-in.second-factor',
      subject: user?.email,
      address,
      outcome: 'refused',
    });
    switch (await readCode(answer)) {
      case 'INVALID_TWO_FACTOR_COOKIE':
      case 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE':
        throw new AppError('sign-in-too-late');
      case 'ACCOUNT_TEMPORARILY_LOCKED':
        throw createTooManyAttempts(LOCKED_FOR_S);
      default:
        throw new AppError('second-factor-refused');
    }
  };
