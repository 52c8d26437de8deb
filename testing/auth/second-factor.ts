import type { SignIn } from '@/server/sign-in';
import type { Client } from '@/lib/base/viewer';
import { PASSWORD, ask, toClient, toCookie, toCookies } from './sign-in';
import { toAppCode } from './totp';

/** Sets up a second factor; returns the otpauth URI, the recovery codes, the confirmed code and the new session cookie. */
export const setUpSecondFactor = async (app: SignIn, cookie: string) => {
  const start = await app.profile.startSecondFactor({ password: PASSWORD }, toClient(cookie));
  const { uri, recoveryCodes } = (await start.json()) as { uri: string; recoveryCodes: string[] };
  const code = toAppCode(uri, Date.now());
  const done = await app.profile.confirmSecondFactor({ code }, toClient(cookie));
  return { uri, recoveryCodes, code, cookie: toCookie(done) };
};

/** Signs in by password; returns the cookies for the second step. */
export const firstStep = async (app: SignIn, email: string) => {
  const answer = await ask(app, '/api/auth/sign-in/email', { email, password: PASSWORD }, toClient());
  return { answer, cookies: toCookies(answer) };
};

export const secondStep = (app: SignIn, cookies: string, code: string, client: Partial<Client> = {}) =>
  ask(app, '/api/auth/sign-in/second-factor', { code }, toClient(cookies, client));
