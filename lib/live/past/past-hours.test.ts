import { QueryClient, QueryObserver, environmentManager, isServer } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { pastHoursOptions } from './past-hours';
import { HOUR_MS } from '@/lib/base/time';

const TO_MS = Date.UTC(2026, 10, 18);

afterEach(() => {
  vi.useRealTimers();
  environmentManager.setIsServer(() => isServer);
});

it.each([
  ['of this computer', 0],
  ['of a server two hours ahead', 2 * HOUR_MS],
])('a day over whose end the computer slept is read once more, by the clock %s', async (_, skewMs) => {
  vi.useFakeTimers({ now: TO_MS - skewMs - 2 * HOUR_MS });
  environmentManager.setIsServer(() => false);
  const read = vi.fn(async () => ({ coverage: [], counts: [] }));
  const toOptions = () => ({
    ...pastHoursOptions('9000001', TO_MS - 24 * HOUR_MS, TO_MS, skewMs),
    queryFn: read,
  });
  const client = new QueryClient();
  const observer = new QueryObserver(client, toOptions());
  const stop = observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(90_000);
  expect(read).toHaveBeenCalledTimes(2);
  // Timers stand still while a computer sleeps.
  vi.setSystemTime(TO_MS - skewMs + HOUR_MS);
  // The clock of the page renders it again.
  observer.setOptions(toOptions());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read).toHaveBeenCalledTimes(3);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(read).toHaveBeenCalledTimes(3);
  stop();
  client.clear();
});
