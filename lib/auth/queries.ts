import { flag, object, text, type ShapeOf } from '@/lib/base/shape';
import type { SetUp, SignInForm } from './schema';
import { sendJson } from '../browser/fetch-json';

const signedInSchema = object({ needsSecondFactor: flag });

/** Whether this browser is signed in. The sign-in page then redirects; a request for data would fail, which consoles report. */
export const isSignedIn = async (): Promise<boolean> =>
  (await fetch('/sign-in', { method: 'HEAD', redirect: 'manual', cache: 'no-store' })).type ===
  'opaqueredirect';

const NO_COOKIE =
  'Your browser did not keep the session, so you are not signed in. Allow cookies for this site, then sign in again.';

/** @throws Error where the browser has refused the cookie of the session */
const expectSession = async (): Promise<void> => {
  // A server that is away now has answered a moment ago: the page that opens next says what is wrong.
  if (!(await isSignedIn().catch(() => true))) throw new Error(NO_COOKIE);
};

/** @throws ServerUnreachableError, ServerProblemError; an Error where the browser blocks cookies */
export const signIn = async (input: SignInForm): Promise<ShapeOf<typeof signedInSchema>> => {
  const answer = signedInSchema.parse(
    await (await sendJson('POST', '/api/auth/sign-in/email', input)).json(),
  );
  if (!answer.needsSecondFactor) await expectSession();
  return answer;
};

/** The second step: an authenticator code or a recovery code. @throws as signIn does */
export const signInWithCode = async (code: string): Promise<void> => {
  await sendJson('POST', '/api/auth/sign-in/second-factor', { code });
  await expectSession();
};

const oidcStartSchema = object({ url: text });

/** URL of the identity provider's sign-in page. @throws ServerUnreachableError, ServerProblemError */
export const startOidc = async (nextPath: string): Promise<string> =>
  oidcStartSchema.parse(await (await sendJson('POST', '/api/auth/sign-in/oidc', { next: nextPath })).json())
    .url;

/** Creates the first manager and signs in as that manager. @throws ServerUnreachableError, ServerProblemError */
export const setUp = async (input: SetUp): Promise<void> => {
  await sendJson('POST', '/api/set-up', input);
  await signIn({ email: input.email, password: input.password });
};
