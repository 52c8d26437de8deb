'use client';

import { createContext, useContext, useDeferredValue, useMemo, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useLiveFleet } from '@/lib/browser/live';
import type { LiveReading } from '@/lib/browser/live-reader';
import type { FleetSource } from '@/lib/view/demo';
import { EVERYTHING } from '@/lib/view/view-state';
import type { ViewState } from '@/lib/view/view-state';
import { OldCopyProvider } from './old-copy';
import { createViewStore } from './view-store';
import type { ChosenView, ViewStore } from './view-store';

const UsdotContext = createContext<string | null>(null);
const SourceContext = createContext<FleetSource | null>(null);
const OtherFleetsContext = createContext<boolean | null>(null);
const ReadingContext = createContext<LiveReading | null>(null);
const ViewContext = createContext<ViewStore | null>(null);

const required = <T,>(value: T | null, hook: string): T => {
  if (value === null) throw new Error(`${hook} is used outside of <FleetProvider>.`);
  return value;
};

interface FleetProviderProps {
  usdot: string;
  source: FleetSource;
  hasOtherFleets: boolean;
  children: ReactNode;
}

/** One live fleet and one view of it, for every page under it. */
export const FleetProvider = ({ usdot, source, hasOtherFleets, children }: FleetProviderProps) => {
  // A poll is rendered in slices, after whatever the user is doing.
  const reading = useDeferredValue(useLiveFleet(usdot));
  const [view] = useState(createViewStore);
  return (
    <UsdotContext value={usdot}>
      <SourceContext value={source}>
        <OtherFleetsContext value={hasOtherFleets}>
          <ViewContext value={view}>
            <ReadingContext value={reading}>
              <OldCopyProvider reading={reading}>{children}</OldCopyProvider>
            </ReadingContext>
          </ViewContext>
        </OtherFleetsContext>
      </SourceContext>
    </UsdotContext>
  );
};

/** The USDOT number of the fleet on the screen. */
export const useUsdot = (): string => required(useContext(UsdotContext), 'useUsdot');

/** Where the server has its fleets from. */
export const useSource = (): FleetSource => required(useContext(SourceContext), 'useSource');

/** Whether there are fleets to switch to. */
export const useHasOtherFleets = (): boolean => required(useContext(OtherFleetsContext), 'useHasOtherFleets');

/** The fleet on the screen, as of the last poll. */
export const useReading = (): LiveReading => required(useContext(ReadingContext), 'useReading');

export const useViewStore = (): ViewStore => required(useContext(ViewContext), 'useViewStore');

const readPlainView = () => EVERYTHING;

/** The view without the map's position: moving the map renders nothing else. */
export const useView = (): ChosenView => {
  const store = useViewStore();
  return useSyncExternalStore(store.subscribe, store.readChosen, readPlainView);
};

/** The view with the map's position. */
export const useViewWithPlace = (): ViewState => {
  const store = useViewStore();
  return useSyncExternalStore(store.subscribe, store.read, readPlainView);
};

/** The changes of the view, named by what the user does. */
export const useViewActions = () => {
  const store = useViewStore();
  return useMemo(() => createViewActions(store), [store]);
};

const createViewActions = (store: ViewStore) => ({
  /** Selects a unit. Going through a list is one step back, not fifty. */
  select: (unit: string | null, by: 'choice' | 'browsing' = 'choice') => {
    const { unit: before } = store.read();
    if (unit === before) return;
    store.change({ unit }, by === 'browsing' && before !== null && unit !== null ? 'quiet' : 'step');
  },
  search: (query: string) => store.change({ query }, 'quiet'),
  toggleStatus: (status: ViewState['statuses'][number]) => {
    const { statuses } = store.read();
    const without = statuses.filter((other) => other !== status);
    store.change({ statuses: without.length < statuses.length ? without : [...statuses, status] }, 'quiet');
  },
  toggleFlagged: () => store.change({ flagged: !store.read().flagged }, 'quiet'),
  chooseFlags: (flags: ViewState['flags']) => store.change({ flags }, 'quiet'),
  chooseReasons: (reasons: ViewState['reasons']) => store.change({ reasons }, 'quiet'),
  showInView: (inView: boolean) => store.change({ inView }, 'quiet'),
  sortBy: (sort: ViewState['sort']) => store.change({ sort }, 'quiet'),
  moveMap: (place: ViewState['place']) => store.change({ place }, 'quiet'),
  showAll: () =>
    store.change({ query: '', statuses: [], reasons: [], flagged: false, flags: [], inView: false }, 'quiet'),
});
