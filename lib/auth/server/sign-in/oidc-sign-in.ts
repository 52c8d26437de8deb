import 'server-only';
import { AppError } from '@/lib/base/http/problems';
import { readInput } from '@/lib/access/input';
import type { Database } from '@/lib/database/database';
import { toNextPath } from '@/lib/auth/next-path';
import { OIDC_REFUSALS, oidcStartSchema, type OidcRefusal } from '@/lib/auth/schema';
import type { Client } from '@/lib/base/viewer';
import { createKeyLimit, type AttemptLimit } from '@/lib/base/rate-limits';
import type { Audit } from '@/lib/audit/audit';
import type { Auth } from '../auth';
import { type ServeAuth, type Forward, withCookiesOf } from './forward';
import { pickCookies } from '../sessions/cookies';
import { OIDC_PROVIDER } from './oidc';

export interface OidcSignIn {
  /** The redirect URL of the identity provider. @throws AppError 'identity-provider', 'too-many-attempts' */
  start: ServeAuth;
  finish: ServeAuth;
}

/** All identity provider sign-ins from one address share this attempt limit. */
const ACCOUNT = 'identity-provider';

/** Failed provider callbacks that are recorded per address; any client can forge them. */
const RECORDED_REFUSALS = { points: 10, durationS: 1800 };

const toAttempt = ({ address }: Client) => ({ address, account: `${ACCOUNT} ${address}` });

/** better-auth accepts fewer characters in a URL than this server does. */
const toPlainQuery = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The reason why better-auth redirects a browser without a session, if it gives one. */
const toRefusal = (code: string): OidcRefusal => {
  // A disabled user gets the same refusal as an unknown one.
  if (code === 'signup_disabled' || code === 'INVALID_EMAIL_OR_PASSWORD') return 'no-account';
  return OIDC_REFUSALS.find((refusal) => refusal === code) ?? 'provider';
};

const toRedirect = (answer: Response, path: string): Response => {
  const redirect = withCookiesOf(answer, {});
  redirect.headers.set('location', path);
  return new Response(null, { status: 303, headers: redirect.headers });
};

const recordRefusal = (audit: Audit, { address }: Client, refusal: OidcRefusal): Promise<void> => {
  const details = { by: 'identity provider', refusal };
  return audit.record({ by: null, action: 'sign-in', address, outcome: 'refused', details });
};

/** The body of better-auth's route that starts a sign-in. */
const toSocialSignIn = (nextPath: string) => ({
  provider: OIDC_PROVIDER,
  callbackURL: `/sign-in?next=${toPlainQuery(toNextPath(nextPath))}`,
  errorCallbackURL: '/sign-in',
  disableRedirect: true,
});

/** Sign-in at an identity provider, in an instance of its own, created again after a failed discovery. */
export const createOidcSignIn = (options: {
  open: () => Promise<Database>;
  create: (database: Database) => Auth;
  attempts: AttemptLimit;
  audit: Audit;
  forward: Forward;
}): OidcSignIn => {
  const { open, create, attempts, audit, forward } = options;
  const recordedRefusals = createKeyLimit(RECORDED_REFUSALS);
  let opened: { database: Database; auth: Auth } | null = null;

  const readAuth = async (): Promise<Auth> => {
    const database = await open();
    if (opened?.database !== database) opened = { database, auth: create(database) };
    return opened.auth;
  };

  return {
    start: async ({ request, client }) => {
      const { next } = await readInput(request, oidcStartSchema);
      await attempts.take(toAttempt(client));
      const auth = await readAuth();
      const answer = await forward({
        client,
        auth,
        path: '/sign-in/social',
        body: toSocialSignIn(next),
        cookie: '',
      });
      if (!answer.ok) {
        opened = null;
        throw new AppError('identity-provider', {
          message: `The identity provider cannot be used: ${answer.status}.`,
        });
      }
      const { url } = (await answer.json()) as { url: string };
      return withCookiesOf(answer, { url });
    },
    finish: async ({ request, client }) => {
      const { search } = new URL(request.url);
      const answer = await forward({
        client,
        auth: await readAuth(),
        method: 'GET',
        path: `/callback/${OIDC_PROVIDER}${search}`,
        // Only the cookie of the start: another session of the same browser plays no part in the callback.
        cookie: pickCookies(client.headers.get('cookie'), 'state'),
      });
      const location = answer.headers.get('location') ?? '/sign-in?error=unknown';
      const { pathname, searchParams } = new URL(location, 'http://linehaul.invalid');
      const code = searchParams.get('error');
      if (code === null) {
        await attempts.succeed(toAttempt(client));
        return toRedirect(answer, `${pathname}?${searchParams}`);
      }
      const refusal = toRefusal(code);
      if ((await recordedRefusals.take(client.address)) === 0) await recordRefusal(audit, client, refusal);
      return toRedirect(answer, `/sign-in?refused=${refusal}`);
    },
  };
};
