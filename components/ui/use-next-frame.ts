import { startTransition, useEffect, useState } from 'react';

/** Follows `isOn`: a frame after it becomes true, so that what the same render shows is painted first, and at once when it becomes false. */
export const useNextFrame = (isOn: boolean): boolean => {
  const [isLater, setLater] = useState(false);
  if (!isOn && isLater) setLater(false);
  useEffect(() => {
    if (!isOn) return;
    const frame = requestAnimationFrame(() => startTransition(() => setLater(true)));
    return () => cancelAnimationFrame(frame);
  }, [isOn]);
  return isOn && isLater;
};
