import { expect, test, vi } from 'vitest';
import { createLazy } from './lazy';

test('calls share one opening, and the one after a failure opens again', async () => {
  const start = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error('away'))
    .mockResolvedValue('open');
  const lazy = createLazy(start);
  const [first, second] = [lazy.open(), lazy.open()];
  await expect(first).rejects.toThrow('away');
  await expect(second).rejects.toThrow('away');
  expect(await Promise.all([lazy.open(), lazy.open()])).toEqual(['open', 'open']);
  expect(start).toHaveBeenCalledTimes(2);
});

test('for a pause after a failure nothing is opened', async () => {
  let nowMs = 0;
  const start = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error('away'))
    .mockResolvedValue('open');
  const lazy = createLazy(start, { pauseMs: 3000, clock: { monotonicMs: () => nowMs } });
  await expect(lazy.open()).rejects.toThrow('away');
  nowMs = 2999;
  await expect(lazy.open()).rejects.toThrow('away');
  nowMs = 3000;
  expect(await lazy.open()).toBe('open');
  expect(start).toHaveBeenCalledTimes(2);
});

test('what was opened is ended once; what was not opened, or failed to, is not', async () => {
  const end = vi.fn();
  await createLazy(() => Promise.resolve('never')).close(end);
  const failed = createLazy(() => Promise.reject(new Error('away')));
  await failed.open().catch(() => undefined);
  await failed.close(end);
  expect(end).not.toHaveBeenCalled();
  const lazy = createLazy(() => Promise.resolve('open'));
  await lazy.open();
  await lazy.close(end);
  expect(end.mock.calls).toEqual([['open']]);
});
