import { toFreshness } from '@/lib/view/freshness';
import type { Freshness } from '@/lib/view/freshness';
import { useReading } from './fleet-context';
import { useNowMs } from '../ui/use-now';

/** How fresh the screen is, this second. */
export const useFreshness = (): Freshness => {
  const { fleet, skewMs, receivedAtMs, failure, pollMs } = useReading();
  const nowMs = useNowMs();
  return toFreshness({ nowMs, skewMs, feed: fleet?.feed ?? null, receivedAtMs, failure, pollMs });
};
