import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import { readInput } from '@/lib/access/input';
import type { Database } from '@/lib/database/database';
import { emailSchema, signInSchema } from '@/lib/auth/schema';
import type { Client } from '@/lib/base/viewer';
import type { AttemptLimit } from '@/lib/base/rate-limits';
import type { Audit } from '@/lib/audit/audit';
import { AUTH_PATH } from '../auth';
import { type AuthRequest, type ServeAuth, type Forward, withCookiesOf } from './forward';
import type { OidcSignIn } from './oidc-sign-in';
import { createSecondStep } from './second-step';
import type { VerifyTotp } from './totp';

export interface AuthRoutesOptions {
  attempts: AttemptLimit;
  audit: Audit;

  forward: Forward;
  verifyTotp: VerifyTotp;
  open: () => Promise<Database>;
  /** Null if no identity provider is configured. */
  oidc: OidcSignIn | null;
  onSignOut: (client: Client) => Promise<void>;
}

/** The exposed routes of better-auth, with the checks of this server. Every other path under AUTH_PATH is unknown. */
export const createAuthRoutes = (options: AuthRoutesOptions) => {
  const { attempts, audit, forward, oidc, onSignOut } = options;

  const signIn: ServeAuth = async (authRequest) => {
    const { email, password } = await readInput(authRequest.request, signInSchema);
    const { address } = authRequest.client;
    const known = emailSchema.safeParse(email);
    // Input that is not an e-mail address may be a password in the wrong field, so it is not recorded.
    const subject = known.success ? known.data : undefined;
    // Input that is not an e-mail address has no account, so it counts for its client only.
    const attempt = { address, account: subject ?? `no e-mail address, ${address}` };
    await attempts.take(attempt);
    const { client, auth } = authRequest;
    const body = { email: subject ?? 'no-account@linehaul.invalid', password };
    const answer = await forward({ client, auth, path: '/sign-in/email', body });
    if (!answer.ok) {
      await audit.record({ by: null, action: 'sign-in', subject, address, outcome: 'refused' });
      throw new AppError('sign-in-refused');
    }
    await attempts.succeed(attempt);
    const { twoFactorRedirect } = (await answer.json()) as { twoFactorRedirect?: boolean };
    return withCookiesOf(answer, { needsSecondFactor: twoFactorRedirect === true });
  };

  const signOut: ServeAuth = async ({ client, auth }) => {
    await onSignOut(client);
    return withCookiesOf(await forward({ client, auth, path: '/sign-out' }), {});
  };

  const routes = new Map<string, ServeAuth>([
    ['POST /sign-in/email', signIn],
    ['POST /sign-in/second-factor', createSecondStep(options)],
    ['POST /sign-out', signOut],
  ]);
  if (oidc !== null) {
    routes.set('POST /sign-in/oidc', oidc.start);
    routes.set('GET /callback/oidc', oidc.finish);
  }

  /** @throws AppError 'unknown-address', and the errors of the route */
  return (authRequest: AuthRequest): Promise<Response> => {
    const { pathname } = new URL(authRequest.request.url);
    const serve = routes.get(`${authRequest.request.method} ${pathname.slice(AUTH_PATH.length)}`);
    if (serve === undefined) throw new AppError('unknown-address');
    return serve(authRequest);
  };
};
