import { useEffect, useState } from 'react';
import { useReading } from './fleet-context';

/** Safari has no idle callbacks. */
const WAIT_MS = 1000;

/** True once the fleet is on the screen and the browser has nothing else to do: what is wanted later waits for the map. */
export const useIsIdle = (): boolean => {
  const isRead = useReading().fleet !== null;
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    if (!isRead) return;
    const become = (): void => setIdle(true);
    if ('requestIdleCallback' in window) requestIdleCallback(become);
    else setTimeout(become, WAIT_MS);
  }, [isRead]);
  return isIdle;
};
