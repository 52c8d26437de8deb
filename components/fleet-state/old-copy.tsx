'use client';

import { createContext, useContext, useMemo } from 'react';
import type { ReactNode } from 'react';
import { momentWords } from '@/lib/view/clock';
import { toOldCopy } from '@/lib/view/freshness';
import type { LiveReading } from '@/lib/browser/live-reader';
import { useNowMs } from '../ui/use-now';

/** What is shown is of a moment in the past. */
export interface OldCopy {
  /** The moment by the server's clock, Unix ms, and by the browser's in words: "10:12", "Nov 20, 10:12". */
  asOfMs: number;
  at: string;
  state: 'delayed' | 'lost';
}

const OldCopyContext = createContext<OldCopy | null>(null);

interface OldCopyProviderProps {
  reading: LiveReading;
  children: ReactNode;
}

/** Judges the age of the copy each second. What is below renders again only when the outcome changes. */
export const OldCopyProvider = ({ reading, children }: OldCopyProviderProps) => {
  const { fleet, skewMs, receivedAtMs, failure, pollMs } = reading;
  const nowMs = useNowMs();
  const feed = fleet?.feed ?? null;
  const old = toOldCopy({ nowMs, skewMs, feed, receivedAtMs, failure, pollMs });
  const at = old === null ? '' : momentWords(old.asOfMs - skewMs, nowMs);
  const [asOfMs, state] = [old?.asOfMs ?? 0, old?.state ?? null];
  const value = useMemo(() => (state === null ? null : { asOfMs, at, state }), [asOfMs, at, state]);
  return <OldCopyContext value={value}>{children}</OldCopyContext>;
};

/** The moment of which the fleet is shown; null while what is shown is of now. */
export const useOldCopy = (): OldCopy | null => useContext(OldCopyContext);
