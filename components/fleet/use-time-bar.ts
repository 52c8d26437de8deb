import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { useViewActions, useViewStore } from '@/components/fleet-state/fleet-context';
import { isMapShown } from '@/components/fleet-state/map-link';
import { useIsPastNamed } from '@/components/fleet-state/past';
import { useIsWallScreen } from '@/components/layout/viewer-context';
import { useShortcuts } from '@/components/ui/shortcuts';

/** The bar that turns the screen back: open by the user's wish, and always while the past is shown. */
export const useTimeBar = (isOffered: boolean) => {
  const store = useViewStore();
  const { showPast } = useViewActions();
  const [isOpened, setOpened] = useState(false);
  const isNamed = useIsPastNamed(store);
  const isPast = !useIsWallScreen() && isNamed;
  const isOpen = isPast || (isOpened && isOffered);
  const { ref, height } = useElementSize();
  const close = (): void => {
    setOpened(false);
    if (store.read().past !== null) showPast(null, 'step');
  };
  const toggle = (): void => (isOpen ? close() : setOpened(true));
  useShortcuts(isOffered ? { p: toggle } : {}, isMapShown);
  return { isOffered, isOpen, ref, heightPx: isOpen ? height : 0, close, toggle };
};

export type TimeBarState = Omit<ReturnType<typeof useTimeBar>, 'ref'>;
