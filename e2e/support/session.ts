import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext } from '@playwright/test';

/** The first manager of every application that the tests start. */
export const MANAGER = {
  name: 'Test Manager',
  email: 'manager@linehaul.test',
  password: 'only for end-to-end tests',
};

const CODE = /Make the first manager at \/set-up with the code ([0-9A-Z-]+)/;
const PRINTED_WITHIN_MS = 20_000;

/** Sends JSON as a page of the application would. */
export const sendAsPage = (
  url: string,
  path: string,
  body: unknown,
  cookie = '',
  method = 'POST',
): Promise<Response> =>
  fetch(`${url}${path}`, {
    method,
    headers: { origin: url, 'content-type': 'application/json', ...(cookie && { cookie }) },
    body: JSON.stringify(body),
  });

/** Signs in; returns the session cookie as "name=value", null if sign-in is refused or requires a second factor. */
export const signIn = async (url: string, email: string, password: string): Promise<string | null> => {
  const response = await sendAsPage(url, '/api/auth/sign-in/email', { email, password });
  await response.arrayBuffer();
  const lines = response.headers.getSetCookie().map((line) => line.split(';', 1)[0]!);
  // A cookie with an empty value is a deletion.
  return lines.find((pair) => /session_token=./.test(pair)) ?? null;
};

/** Waits for the set-up code in an application's output. */
export const readSetUpCode = async (readPrinted: () => string): Promise<string> => {
  for (const startedAtMs = Date.now(); Date.now() - startedAtMs < PRINTED_WITHIN_MS; await sleep(50)) {
    const code = CODE.exec(readPrinted())?.[1];
    if (code !== undefined) return code;
  }
  throw new Error(`No code for the set-up was printed:\n${readPrinted()}`);
};

/** Signs in as the first manager, creating it with the printed code if there is none. */
export const signInAsManager = async (url: string, readPrinted: () => string): Promise<string> => {
  const { email, password } = MANAGER;
  const known = await signIn(url, email, password);
  if (known !== null) return known;
  const made = await sendAsPage(url, '/api/set-up', { ...MANAGER, code: await readSetUpCode(readPrinted) });
  const cookie = made.ok ? await signIn(url, email, password) : null;
  if (cookie === null)
    throw new Error(`The first manager could not be made: ${made.status} ${await made.text()}`);
  return cookie;
};

/** A cookie in the form that Playwright adds to a browser. */
export const toBrowserCookie = (url: string, cookie: string) => {
  const at = cookie.indexOf('=');
  const { hostname } = new URL(url);
  return {
    name: cookie.slice(0, at),
    value: cookie.slice(at + 1),
    domain: hostname,
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Lax' as const,
  };
};

/** Adds a session cookie to a browser. */
export const addSession = (context: BrowserContext, url: string, cookie: string): Promise<void> =>
  context.addCookies([toBrowserCookie(url, cookie)]);
