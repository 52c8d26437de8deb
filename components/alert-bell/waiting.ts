import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Severity } from '@/lib/rules/severity';

/** A badge counts no further. */
const MOST = 99;

/** Unacknowledged open alerts, by severity. */
export type Waiting = Record<Severity, number>;

const NONE: Waiting = { info: 0, warning: 0, critical: 0 };
/** The word for one alert, and for several. */
const NAMES = {
  critical: ['critical', 'critical'],
  warning: ['warning', 'warnings'],
  info: ['info', 'info'],
} satisfies Record<Severity, [string, string]>;

const toKey = (usdot: string) => ['fleets', usdot, 'waiting alerts'];

/** The alerts of a fleet that need someone, once the code that reads alerts, which is loaded after the map, has set their number. */
export const useWaitingAlerts = (usdot: string): Waiting =>
  useQuery({ queryKey: toKey(usdot), queryFn: () => NONE, enabled: false }).data ?? NONE;

/** Sets how many alerts need someone; undefined while that is not known. */
export const useSetWaitingAlerts = (usdot: string, waiting: Waiting | undefined): void => {
  const client = useQueryClient();
  useEffect(() => {
    if (waiting !== undefined) client.setQueryData(toKey(usdot), waiting);
  }, [client, usdot, waiting]);
};

/** "7", "99+". */
export const badgeText = (count: number): string => (count > MOST ? `${MOST}+` : String(count));

/** Each severity that has some, the most severe first, as a badge and in words: "2 critical". */
export const listWaiting = (waiting: Waiting) =>
  (Object.keys(NAMES) as Severity[])
    .filter((severity) => waiting[severity] > 0)
    .map((severity) => {
      const badge = badgeText(waiting[severity]);
      return { severity, badge, text: `${badge} ${NAMES[severity][waiting[severity] === 1 ? 0 : 1]}` };
    });

export const totalOf = ({ info, warning, critical }: Waiting): number => info + warning + critical;
