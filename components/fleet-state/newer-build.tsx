import { Suspense, createContext, useContext, useEffect, type ReactNode } from 'react';
import type { LiveFailure } from '@/lib/live/live-reader';
import { useReading } from './fleet-context';
import { onDemand } from '../ui/popup/on-demand';
import { useIsIdle } from './use-is-idle';

const BuildContext = createContext<string | null>(null);

const holds = new Set<symbol>();

/** Whether there is anything on the page that a reload would lose. */
const isHolding = (): boolean => holds.size > 0;

/** Whether the server answers what this page cannot read. */
export const isUnreadable = (failure: LiveFailure | null): boolean =>
  failure?.kind === 'refused' && failure.status === null;

/** The server's build if it differs from this page's; null otherwise. */
export const useNewerBuild = (): string | null => {
  const own = useContext(BuildContext);
  const { serverBuild } = useReading();
  return own === null || serverBuild === own ? null : serverBuild;
};

/** Prevents the automatic reload while the page holds something that a reload would lose. */
export const useHoldReload = (isHeld: boolean): void => {
  useEffect(() => {
    if (!isHeld) return;
    const hold = Symbol('held');
    holds.add(hold);
    return () => void holds.delete(hold);
  }, [isHeld]);
};

const quietReload = onDemand(() => import('./quiet-reload').then(({ QuietReload }) => QuietReload));

const Reload = () => {
  const newer = useNewerBuild();
  // Loaded before the server runs another build, which has its code no longer.
  const isIdle = useIsIdle();
  const { failure } = useReading();
  const isBlind = isUnreadable(failure);
  if (newer === null && !isIdle) return null;
  return (
    <Suspense>
      <quietReload.Part {...{ newer, isBlind, isHolding }} isAnswered={failure === null || isBlind} />
    </Suspense>
  );
};

/** Reloads the page in an idle moment when the server runs another build. */
export const BuildProvider = ({ build, children }: { build: string | null; children: ReactNode }) => (
  <BuildContext value={build}>
    <Reload />
    {children}
  </BuildContext>
);
