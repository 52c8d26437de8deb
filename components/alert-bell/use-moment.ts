import { useCallback } from 'react';
import { formatAge, formatMoment } from '@/lib/view/format';
import { useReading } from '../fleet-state/fleet-context';
import { useClockMs } from '../ui/use-now';
import { MINUTE_MS, SECOND_MS } from '@/lib/base/time';

/** The browser's clock in whole minutes, Unix ms, also where a moment of the past is on the screen. */
const useMinuteMs = (): number => Math.floor(useClockMs() / MINUTE_MS) * MINUTE_MS;

/** The server's clock less the browser's, in whole seconds, so that a poll changes no text. */
const useSkewMs = (): number => Math.round(useReading().skewMs / SECOND_MS) * SECOND_MS;

/** A moment of the server by the browser's clock: "2:03 PM", "Nov 20, 2:03 PM". Another function once a minute. */
export const useMoment = (): ((ms: number) => string) => {
  const minuteMs = useMinuteMs();
  const skewMs = useSkewMs();
  return useCallback((ms: number) => formatMoment(ms - skewMs, minuteMs), [minuteMs, skewMs]);
};

/** How long ago a moment of the server is: "12 min", and "now" in its first minute. */
export const useAge = (): ((ms: number) => string) => {
  const minuteMs = useMinuteMs();
  const skewMs = useSkewMs();
  return useCallback(
    (ms: number) => {
      const ageMs = minuteMs + MINUTE_MS - (ms - skewMs);
      return ageMs < MINUTE_MS ? 'now' : formatAge(ageMs);
    },
    [minuteMs, skewMs],
  );
};
