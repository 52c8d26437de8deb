import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadPatiently } from './on-demand';

const fetched = vi.fn<() => Promise<Response>>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetched);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  fetched.mockReset();
});

const missing = new Error('The file did not come.');

test('code that does not come while the server is away is loaded once it answers', async () => {
  fetched.mockRejectedValueOnce(new TypeError('no connection')).mockResolvedValueOnce(new Response('{}'));
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(missing).mockResolvedValueOnce('code');
  const loaded = loadPatiently(load);
  await vi.advanceTimersByTimeAsync(500);
  expect(load).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(500);
  await expect(loaded).resolves.toBe('code');
});

test('code that a server which answers does not have is an error', async () => {
  fetched.mockResolvedValue(new Response('{}'));
  const load = vi.fn<() => Promise<string>>().mockRejectedValue(missing);
  await expect(loadPatiently(load)).rejects.toBe(missing);
  expect(load).toHaveBeenCalledTimes(2);
});
