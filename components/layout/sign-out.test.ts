import { afterEach, expect, it, vi } from 'vitest';
import { signOutAndLeave } from './sign-out';

afterEach(() => vi.unstubAllGlobals());

const ENDPOINT = 'https://push.example.com/phone';

/** A browser with a push subscription; resolves to what happens at signing out. */
const signOut = async (unsubscribe: () => Promise<boolean>): Promise<string[]> => {
  const done: string[] = [];
  const subscription = { endpoint: ENDPOINT, unsubscribe: () => (done.push('unsubscribed'), unsubscribe()) };
  const registration = { pushManager: { getSubscription: async () => subscription } };
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } });
  vi.stubGlobal('window', { location: { assign: (path: string) => done.push(path) } });
  vi.stubGlobal('reportError', (error: Error) => done.push(error.message));
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    done.push(`${method} ${url} ${String(body)}`);
    return new Response('{}');
  });
  await signOutAndLeave();
  return done;
};

const LEAVES = ['POST /api/auth/sign-out {}', '/sign-in'];

it('ends the push messages to this browser, which its next user would see', async () => {
  const ends = `DELETE /api/push-subscriptions ${JSON.stringify({ endpoint: ENDPOINT })}`;
  expect(await signOut(async () => true)).toEqual(['unsubscribed', ends, ...LEAVES]);
});

it('signs out also where the push service fails', async () => {
  const fail = () => Promise.reject(new Error('no push service'));
  expect(await signOut(fail)).toEqual(['unsubscribed', 'no push service', ...LEAVES]);
});
