import { expect, it } from 'vitest';
import type { Authenticated } from '@/lib/access/access';
import { MANAGER } from '@/testing/auth/sign-in';
import { clockOf } from '@/testing/clock';
import { AppError } from '@/lib/base/http/problems';
import { createRoute } from './route';
import { setRuntime, type Runtime } from './runtime';
import { openStream } from '@/lib/base/http/stream';

const USDOT = '9000001';
const SIGNED_IN: Authenticated = { viewer: MANAGER, sessionId: 's', needsSecondFactor: false };

/** Opens a stream that never ends by itself, changes who is signed in, and returns whether the stream goes on. */
const goesOnAfter = async (authenticate: () => Promise<Authenticated | null>): Promise<boolean> => {
  let [check, now]: [(() => void) | null, typeof authenticate] = [null, async () => SIGNED_IN];
  const clock = clockOf(
    () => 0,
    (run) => {
      check = run;
      return () => undefined;
    },
  );
  const auth = { authenticate: () => now(), takeCookies: () => [] };
  const log = { error: () => undefined, warn: () => undefined };
  setRuntime({
    ...{ auth, clock, log, env: { trustedProxies: 0 }, hasFleet: () => true },
  } as unknown as Runtime);
  let isEnded = false;
  const route = createRoute({
    summary: 'A stream.',
    access: 'fleet',
    params: ['usdot'],
    handle: async (context) => {
      const { body } = await openStream(context, async function* (signal) {
        signal.addEventListener('abort', () => (isEnded = true));
        for (;;) yield 'piece';
      });
      return new Response(body);
    },
  });
  const request = new Request(`http://fleet.test/api/fleets/${USDOT}/export`);
  const response = await route(request, { params: Promise.resolve({ usdot: USDOT }) });
  expect(response.status).toBe(200);
  now = authenticate;
  check!();
  await new Promise((resolve) => setImmediate(resolve));
  const goesOn = !isEnded;
  await response.body!.cancel().catch(() => undefined);
  return goesOn;
};

it.each<[string, boolean, () => Promise<Authenticated | null>]>([
  ['goes on while its viewer is signed in', true, async () => SIGNED_IN],
  ['ends where its viewer signs out or is disabled', false, async () => null],
  [
    'ends where its viewer loses the fleet',
    false,
    async () => ({ ...SIGNED_IN, viewer: { ...MANAGER, usdots: ['9000002'] } }),
  ],
  [
    'ends where its viewer sees some units only',
    false,
    async () => ({ ...SIGNED_IN, viewer: { ...MANAGER, tags: ['flatbeds'] } }),
  ],
  [
    'goes on while the database of accounts is away',
    true,
    () => Promise.reject(new AppError('accounts-unavailable')),
  ],
])('a streamed answer %s', async (_, goesOn, authenticate) => {
  expect(await goesOnAfter(authenticate)).toBe(goesOn);
});
