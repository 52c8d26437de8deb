import { flag, object, text } from '../wire/shape';
import type { ShapeOf } from '../wire/shape';
import type { SetUp, SignIn } from './schema';
import { sendJson } from '../browser/fetch-json';

const signedInSchema = object({ needsSecondFactor: flag });

/** @throws ServerUnreachableError, ServerProblemError */
export const signIn = async (input: SignIn): Promise<ShapeOf<typeof signedInSchema>> =>
  signedInSchema.parse(await (await sendJson('POST', '/api/auth/sign-in/email', input)).json());

/** The second step: an authenticator code or a recovery code. @throws ServerUnreachableError, ServerProblemError */
export const signInWithCode = async (code: string): Promise<void> => {
  await sendJson('POST', '/api/auth/sign-in/second-factor', { code });
};

const oidcStartSchema = object({ url: text });

/** URL of the identity provider's sign-in page. @throws ServerUnreachableError, ServerProblemError */
export const startOidc = async (nextPath: string): Promise<string> =>
  oidcStartSchema.parse(await (await sendJson('POST', '/api/auth/sign-in/oidc', { next: nextPath })).json())
    .url;

/** Ends this browser's session. @throws ServerUnreachableError, ServerProblemError */
export const signOut = async (): Promise<void> => {
  await sendJson('POST', '/api/auth/sign-out', {});
};

/** Creates the first manager and signs in as that manager. @throws ServerUnreachableError, ServerProblemError */
export const setUp = async (input: SetUp): Promise<void> => {
  await sendJson('POST', '/api/set-up', input);
  await signIn({ email: input.email, password: input.password });
};
