import { useEffect, useState } from 'react';

/** Loads the table of all makers, which is too large for the first load, and renders again once it is there. */
export const useAllMakers = (): void => {
  const [, setLoaded] = useState(false);
  useEffect(() => {
    let isShown = true;
    const show = (): void => {
      if (isShown) setLoaded(true);
    };
    // Without it, as offline, the VINs of small makers say less.
    import('@/lib/identity/all-makers').then(show, () => undefined);
    return () => {
      isShown = false;
    };
  }, []);
};
