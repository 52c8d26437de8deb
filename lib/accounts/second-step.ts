import 'server-only';
import type { ZodType } from 'zod';
import { secondStepSchema } from '@/lib/wire/sign-in';
import type { AttemptLimit } from './attempt-limit';
import type { Audit } from './audit';
import type { ServeAuth } from './auth-asked';
import { pickCookies } from './cookies';
import { SecondFactorRefusedError, SignInTooLateError, TooManyAttemptsError } from './errors';
import { readCode, withCookiesOf } from './hand-on';
import type { HandOn } from './hand-on';

/** All second steps from one address are attempts at this. */
const ACCOUNT = 'second-factor';
const TOTP = /^\d{6}$/;
/** As better-auth says them: without what people put between their halves. */
const RECOVERY_CODE = /^([0-9a-z]{5})([0-9a-z]{5})$/i;
const LOCKED_FOR_S = 15 * 60;

/** The second step of signing in: a code of an authenticator app, or a recovery code, which is good once. */
export const createSecondStep =
  (options: {
    attempts: AttemptLimit;
    audit: Audit;
    readInput: <T>(request: Request, schema: ZodType<T>) => Promise<T>;
    handOn: HandOn;
  }): ServeAuth =>
  async ({ request, asker, auth }) => {
    const { attempts, audit, readInput, handOn } = options;
    const code = (await readInput(request, secondStepSchema)).code.replace(/[\s-]/g, '');
    const { address } = asker;
    const attempt = { address, account: `${ACCOUNT} ${address}` };
    const waitS = attempts.take(attempt);
    if (waitS > 0) throw new TooManyAttemptsError(waitS);
    const isTotp = TOTP.test(code);
    const answer = await handOn({
      asker,
      auth,
      path: isTotp ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code',
      body: { code: isTotp ? code : code.replace(RECOVERY_CODE, '$1-$2') },
      // The first step's alone: a session of the same browser has no part in the second.
      cookie: pickCookies(asker.headers.get('cookie'), 'two_factor'),
    });
    if (answer.ok) {
      attempts.succeed(attempt);
      return withCookiesOf(answer, {});
    }
    await audit.note({ by: null, action: 'sign-in.second-factor', address, outcome: 'refused' });
    switch (await readCode(answer)) {
      case 'INVALID_TWO_FACTOR_COOKIE':
      case 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE':
        throw new SignInTooLateError('The first step of this sign-in does not count any more.');
      case 'ACCOUNT_TEMPORARILY_LOCKED':
        throw new TooManyAttemptsError(LOCKED_FOR_S);
      default:
        throw new SecondFactorRefusedError('The code does not fit.');
    }
  };
