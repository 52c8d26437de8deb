import { describe, expect, it } from 'vitest';
import { clockOf } from '@/testing/clock';
import { SessionCache, type VerifiedSession } from './session-cache';

const VIEWER = {
  kind: 'user',
  id: 'u1',
  name: 'Ann',
  email: 'a@b.test',
  role: 'manager',
  usdots: null,
  tags: null,
} as const;
const session = (over: Partial<VerifiedSession> = {}): VerifiedSession => ({
  sessionId: 's1',
  viewer: VIEWER,
  needsSecondFactor: false,
  expiresAtMs: 1_000_000,
  setCookies: [],
  ...over,
});

const create = (verify: () => Promise<VerifiedSession | null>) => {
  const clock = { ms: 0 };
  const failures: unknown[] = [];
  let looked = 0;
  const cache = new SessionCache({
    verify: () => {
      looked++;
      return verify();
    },
    clock: clockOf(() => clock.ms),
    onFailed: (error) => void failures.push(error),
  });
  return { cache, clock, failures, looked: () => looked };
};

describe('the session cache', () => {
  it('reads a session once in half a minute, and then without delaying a request', async () => {
    let answer: VerifiedSession | null = session();
    const { cache, clock, looked } = create(async () => answer);
    for (let poll = 0; poll < 100; poll++) await cache.read('c', null);
    expect(looked()).toBe(1);
    clock.ms = 31_000;
    answer = null;
    expect(await cache.read('c', null)).not.toBeNull();
    expect(looked()).toBe(2);
    expect(await cache.read('c', null)).toBeNull();
  });

  it('delays the request for a session that was not verified for long', async () => {
    let answer: VerifiedSession | null = session();
    const { cache, clock } = create(async () => answer);
    await cache.read('c', null);
    clock.ms = 121_000;
    answer = null;
    expect(await cache.read('c', null)).toBeNull();
  });

  it('reads again if a session was forgotten during the read', async () => {
    const answers = [session(), null];
    let goOn: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    const { cache, looked } = create(async () => {
      const answer = answers.shift()!;
      if (answer !== null) await waiting;
      return answer;
    });
    const read = cache.read('c', null);
    cache.forget(({ viewer }) => viewer.id === 'u1');
    goOn();
    expect(await read).toBeNull();
    expect(looked()).toBe(2);
  });

  it('drops a session at its end, and keeps one that cannot be verified', async () => {
    let isAway = false;
    const { cache, clock, failures } = create(async () => {
      if (isAway) throw new Error('away');
      return clock.ms < 1_000_000 ? session() : null;
    });
    await cache.read('c', null);
    isAway = true;
    clock.ms = 500_000;
    expect(await cache.read('c', null)).not.toBeNull();
    expect(failures).toHaveLength(1);
    await expect(cache.read('other', null)).rejects.toThrow('away');
    clock.ms = 1_000_001;
    await expect(cache.read('c', null)).rejects.toThrow('away');
    isAway = false;
    expect(await cache.read('c', null)).toBeNull();
    isAway = true;
    await expect(cache.read('c', null)).rejects.toThrow('away');
  });

  it('returns the Set-Cookie lines once, and keeps them over another verification', async () => {
    const answers = [session({ setCookies: ['a=b'] }), session(), session()];
    const { cache, clock } = create(async () => answers.shift()!);
    await cache.read('c', null);
    clock.ms = 121_000;
    await cache.read('c', null);
    expect(cache.takeCookies('c')).toEqual(['a=b']);
    expect(cache.takeCookies('c')).toEqual([]);
    expect(cache.takeCookies('unknown')).toEqual([]);
  });
});
