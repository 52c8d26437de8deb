import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { formatMoment } from '@/lib/view/format';
import { toOldCopy } from '@/lib/view/freshness';
import type { LiveReading } from '@/lib/live/live-reader';
import { useNowMs } from '../ui/use-now';

/** What is shown is of a moment in the past. */
export interface OldCopy {
  /** The moment by the server's clock, Unix ms, and as text by the browser's clock: "10:12 AM", "Nov 20, 10:12 AM". */
  asOfMs: number;
  at: string;
  state: 'delayed' | 'lost';
}

const OldCopyContext = createContext<OldCopy | null>(null);

/** Judges the age of the copy each second. What is below renders again only when the outcome changes. */
export const OldCopyProvider = ({ reading, children }: { reading: LiveReading; children: ReactNode }) => {
  const { fleet, skewMs, receivedAtMs, failure, pollMs, past } = reading;
  const nowMs = useNowMs();
  const feed = fleet?.feed ?? null;
  const old = toOldCopy({ nowMs, skewMs, feed, receivedAtMs, failure, pollMs, isPast: past !== null });
  const at = old === null ? '' : formatMoment(old.asOfMs - skewMs, nowMs);
  const [asOfMs, state] = [old?.asOfMs ?? 0, old?.state ?? null];
  const value = useMemo(() => (state === null ? null : { asOfMs, at, state }), [asOfMs, at, state]);
  return <OldCopyContext value={value}>{children}</OldCopyContext>;
};

/** The time of an old copy; null while the copy is current. */
export const useOldCopy = (): OldCopy | null => useContext(OldCopyContext);
