'use client';

import { useOldCopy } from '@/components/fleet-state/old-copy';
import { momentWords } from '@/lib/view/clock';
import { shortFixAge } from '@/lib/view/numbers';
import { useNowMs } from '@/components/ui/use-now';

interface UnitAgeProps {
  fixAtMs: number;
  /** The server's clock less the browser's. */
  skewMs: number;
}

/** How old a fix is, ticking; in an old copy, which does not count on, when it was. */
export const UnitAge = (props: UnitAgeProps) => {
  const old = useOldCopy();
  return old === null ? <TickingAge {...props} /> : momentWords(props.fixAtMs - props.skewMs, old.asOfMs);
};

const TickingAge = ({ fixAtMs, skewMs }: UnitAgeProps) => shortFixAge(useNowMs() + skewMs - fixAtMs);
