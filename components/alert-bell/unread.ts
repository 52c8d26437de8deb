import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** The server counts no further. */
const MOST = 100;

const toKey = (usdot: string) => ['fleets', usdot, 'unread alerts'];

/** The unread alerts of a fleet, once the code that reads alerts, which is loaded after the map, has set their number. */
export const useUnreadAlerts = (usdot: string): number =>
  useQuery({ queryKey: toKey(usdot), queryFn: () => 0, enabled: false }).data ?? 0;

/** Sets how many alerts are unread; undefined while that is not known. */
export const useSetUnreadAlerts = (usdot: string, unread: number | undefined): void => {
  const client = useQueryClient();
  useEffect(() => {
    if (unread !== undefined) client.setQueryData(toKey(usdot), unread);
  }, [client, usdot, unread]);
};

/** "7", "99+". */
export const unreadText = (unread: number): string => (unread >= MOST ? `${MOST - 1}+` : String(unread));
