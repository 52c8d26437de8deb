import 'server-only';
import type { ZodType } from 'zod';
import { emailSchema, signInSchema } from '@/lib/wire/sign-in';
import type { Asker } from './asker';
import type { AttemptLimit } from './attempt-limit';
import type { Audit } from './audit';
import { AUTH_PATH, CLIENT_HEADER } from './auth';
import type { Auth } from './auth';
import {
  AccountsUnavailableError,
  NoSuchAuthRouteError,
  SignInRefusedError,
  TooManyAttemptsError,
} from './errors';

/** One request to better-auth, and what is known of who makes it. */
export interface AuthAsked {
  request: Request;
  asker: Asker;
  auth: Auth;
}

export interface AuthRoutesOptions {
  attempts: AttemptLimit;
  audit: Audit;
  /** The checked body of a request. @throws where it is none */
  readInput: <T>(request: Request, schema: ZodType<T>) => Promise<T>;
  /** Scheme, host and port under which this server was asked. */
  toOrigin: (asker: Asker) => string;
  /** Notes that whoever asks ends their session. */
  onSignOut: (asker: Asker) => Promise<void>;
}

type Serve = (asked: AuthAsked) => Promise<Response>;

/** The cookies of better-auth's answer, under an answer of our own: its body holds what no page needs. */
const withCookiesOf = (answer: Response, body: unknown): Response => {
  const headers = new Headers({ 'cache-control': 'no-store' });
  for (const cookie of answer.headers.getSetCookie()) headers.append('set-cookie', cookie);
  return Response.json(body, { headers });
};

/**
 * The routes of better-auth that may be reached, each with what this server adds to it. Whatever else better-auth
 * answers under its path does not exist here.
 */
export const createAuthRoutes = (options: AuthRoutesOptions) => {
  const { attempts, audit, readInput, toOrigin, onSignOut } = options;

  /** Hands a request on as ours: with the client's address, and without what could make it another's. */
  const handOn = async ({ request, asker, auth }: AuthAsked, body: unknown): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const headers = new Headers({ [CLIENT_HEADER]: asker.address, 'content-type': 'application/json' });
    for (const name of ['cookie', 'user-agent', 'accept-language']) {
      const value = asker.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    const handed = new Request(`${toOrigin(asker)}${pathname}`, {
      method: request.method,
      headers,
      body: JSON.stringify(body),
    });
    try {
      return await auth.handler(handed);
    } catch (cause) {
      throw new AccountsUnavailableError('Nobody can sign in or out now.', { cause });
    }
  };

  const signIn: Serve = async (asked) => {
    const { email, password } = await readInput(asked.request, signInSchema);
    const { address } = asked.asker;
    const known = emailSchema.safeParse(email);
    // What is no e-mail address may be a password in the wrong field: it is written nowhere.
    const subject = known.success ? known.data : undefined;
    const attempt = { address, account: subject ?? '' };
    const waitS = attempts.take(attempt);
    if (waitS > 0) throw new TooManyAttemptsError(waitS);
    const answer = await handOn(asked, { email: subject ?? 'nobody@linehaul.invalid', password });
    if (!answer.ok) {
      await audit.note({ by: null, action: 'sign-in', subject, address, outcome: 'refused' });
      throw new SignInRefusedError('The e-mail address and the password do not go together.');
    }
    attempts.succeed(attempt);
    const { twoFactorRedirect } = (await answer.json()) as { twoFactorRedirect?: boolean };
    return withCookiesOf(answer, { needsSecondFactor: twoFactorRedirect === true });
  };

  const signOut: Serve = async (asked) => {
    await onSignOut(asked.asker);
    const answer = await handOn(asked, {});
    return withCookiesOf(answer, {});
  };

  const routes = new Map<string, Serve>([
    ['POST /sign-in/email', signIn],
    ['POST /sign-out', signOut],
  ]);

  /** @throws NoSuchAuthRouteError, and what the route says */
  return (asked: AuthAsked): Promise<Response> => {
    const { pathname } = new URL(asked.request.url);
    const serve = routes.get(`${asked.request.method} ${pathname.slice(AUTH_PATH.length)}`);
    if (serve === undefined) throw new NoSuchAuthRouteError(`Got ${asked.request.method} ${pathname}.`);
    return serve(asked);
  };
};
