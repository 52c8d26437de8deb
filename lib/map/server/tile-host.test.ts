import { describe, expect, it, vi } from 'vitest';
import { clockOf } from '@/testing/clock';
import { createTileHostCheck } from './map-sources';

const url = 'https://tiles.example/{z}/{x}/{y}.png';
const image = () => new Response('', { headers: { 'content-type': 'image/png' } });

const createCheck = (answer: () => Promise<Response>) => {
  let nowMs = 0;
  const fetch = vi.fn<typeof globalThis.fetch>(answer);
  const check = createTileHostCheck({ url, fetch, clock: clockOf(() => nowMs) });
  return { check, fetch, setNow: (ms: number) => (nowMs = ms) };
};

describe('createTileHostCheck', () => {
  it('loads one tile for all calls of ten minutes, under a name of its own', async () => {
    const { check, fetch, setNow } = createCheck(async () => image());
    expect(await Promise.all([check(), check()])).toEqual([true, true]);
    setNow(9 * 60_000);
    expect(await check()).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(1);
    const [target, options] = fetch.mock.calls[0]!;
    expect(target).toBe('https://tiles.example/0/0/0.png');
    expect(new Headers(options?.headers).get('user-agent')).toContain('Linehaul');
    setNow(11 * 60_000);
    await check();
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it('tries a host that failed again after a minute', async () => {
    let isAway = true;
    const { check, fetch, setNow } = createCheck(async () => {
      if (isAway) throw new TypeError('fetch failed');
      return image();
    });
    expect(await check()).toBe(false);
    isAway = false;
    setNow(59_000);
    expect(await check()).toBe(false);
    setNow(60_000);
    expect(await check()).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it('is not reached by the page of a network that asks for a sign-in, nor by an error', async () => {
    const page = () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
    expect(await createCheck(async () => page()).check()).toBe(false);
    expect(await createCheck(async () => new Response('', { status: 500 })).check()).toBe(false);
  });
});
