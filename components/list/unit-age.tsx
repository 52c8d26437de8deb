'use client';

import { shortFixAge } from '@/lib/view/numbers';
import { useNowMs } from '@/components/screen/use-now';

/** How old a fix is, ticking; `skewMs` is the server's clock less the browser's. */
export const UnitAge = ({ fixAtMs, skewMs }: { fixAtMs: number; skewMs: number }) =>
  shortFixAge(useNowMs() + skewMs - fixAtMs);
