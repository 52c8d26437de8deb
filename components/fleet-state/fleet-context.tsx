import {
  createContext,
  useContext,
  useDeferredValue,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { getOrMake } from '@/lib/base/maps';
import { useLiveFleet } from '@/lib/live/live';
import type { LiveReading } from '@/lib/live/live-reader';
import { useUnitDetail } from '@/lib/live/unit-queries';
import { useFleetList } from '@/lib/fleets/queries';
import type { FirstFleet } from '@/lib/view/first-rows';
import { toFreshness, type Freshness } from '@/lib/view/freshness';
import { EVERYTHING, type ViewState } from '@/lib/view/view-state';
import type { CarrierAccount } from '@/lib/wire/fleet';
import { MomentContext, RenderedAtContext, useNowMs } from '../ui/use-now';
import { useIsMapShown } from './map-link';
import { MarksContext, useMarkedReading, useReadMarks } from './marks';
import { OldCopyProvider } from './old-copy';
import { PastContext, useChosenPast, useIsPastNamed, useShownReading } from './past';
import { createViewActions, createViewStore, type ChosenView, type ViewStore } from './view-store';

interface FleetPage {
  usdot: string;
  isDemo: boolean;
  hasOtherFleets: boolean;
}

const stores = new WeakMap<QueryClient, Map<string, ViewStore>>();

/** The view of a fleet, which is kept while pages are shown that belong to none. */
const useStoreOf = (usdot: string): ViewStore => {
  const client = useQueryClient();
  const held = getOrMake(stores, client, () => new Map<string, ViewStore>());
  return getOrMake(held, usdot, createViewStore);
};

const FleetPageContext = createContext<FleetPage | null>(null);
const ReadingContext = createContext<LiveReading | null>(null);
const IsHeldContext = createContext(false);
const FirstFleetContext = createContext<FirstFleet | null>(null);
const ViewContext = createContext<ViewStore | null>(null);

const required = <T,>(value: T | null, hook: string): T => {
  if (value === null) throw new Error(`${hook} is used outside of <FleetProvider>.`);
  return value;
};

export interface FleetProviderProps extends FleetPage {
  /** A wall screen sees the live fleet alone: not its past, and not what people wrote on its units. */
  isWallScreen?: boolean;
  /** The fleet as of the HTML; null where it has none. */
  first: FirstFleet | null;
  children: ReactNode;
}

/** One fleet, live or of the past, and one view of it, for every page under it. */
export const FleetProvider = (props: FleetProviderProps) => {
  const { usdot, isDemo, hasOtherFleets, isWallScreen = false, first, children } = props;
  const page = useMemo(() => ({ usdot, isDemo, hasOtherFleets }), [usdot, isDemo, hasOtherFleets]);
  const view = useStoreOf(usdot);
  const isNamed = useIsPastNamed(view);
  // No other page shows it.
  const isPast = useIsMapShown() && isNamed;
  const live = useLiveFleet(usdot, !isPast);
  const past = useChosenPast(usdot, view, isPast, live.skewMs);
  const newest = useShownReading(live, isPast, past?.state.reading ?? null);
  const deferred = useDeferredValue(newest);
  // A poll is rendered in slices, after whatever the user is doing; a moment that the user drags to, at once.
  const plain = newest.past?.pace === 0 ? newest : deferred;
  const marks = useReadMarks(usdot, !isWallScreen, plain);
  const reading = useMarkedReading(plain, marks);
  // The first live answer replaces it, and so does the reason why there is none.
  const isFirst = reading.fleet === null && reading.failure === null && reading.past === null;
  const shown = isFirst ? first : null;
  return (
    <FleetPageContext value={page}>
      <ViewContext value={view}>
        <PastContext value={past}>
          <MarksContext value={marks}>
            <ReadingContext value={reading}>
              <FirstFleetContext value={shown}>
                <RenderedAtContext value={shown?.nowMs ?? null}>
                  <MomentContext value={reading.past?.atMs ?? null}>
                    <OldCopyProvider reading={reading}>{children}</OldCopyProvider>
                  </MomentContext>
                </RenderedAtContext>
              </FirstFleetContext>
            </ReadingContext>
          </MarksContext>
        </PastContext>
      </ViewContext>
    </FleetPageContext>
  );
};

/** Holds the reading for what is mounted but not shown, so that no poll renders it. */
export const HeldReading = ({ isHeld, children }: { isHeld: boolean; children: ReactNode }) => {
  const reading = useReading();
  const [held, setHeld] = useState(reading);
  if (!isHeld && held !== reading) setHeld(reading);
  return (
    <IsHeldContext value={isHeld}>
      <ReadingContext value={isHeld ? held : reading}>{children}</ReadingContext>
    </IsHeldContext>
  );
};

/** Whether the reading is held here: another page covers this part of the screen. */
export const useIsHeld = (): boolean => useContext(IsHeldContext);

const useFleetPage = (): FleetPage => required(useContext(FleetPageContext), 'useFleetPage');

export const useUsdot = (): string => useFleetPage().usdot;

export const useIsDemo = (): boolean => useFleetPage().isDemo;

export const useHasOtherFleets = (): boolean => useFleetPage().hasOtherFleets;

/** The fleet on the screen, as of the last poll, or of a moment in the past. */
export const useReading = (): LiveReading => required(useContext(ReadingContext), 'useReading');

/** The server's clock at the moment that is shown, Unix ms; the component renders again every second. */
export const useServerNowMs = (): number => useNowMs() + useReading().skewMs;

/** The fleet as of the HTML, while that is shown; null afterwards. */
export const useFirstFleet = (): FirstFleet | null => useContext(FirstFleetContext);

export const useViewStore = (): ViewStore => required(useContext(ViewContext), 'useViewStore');

const readPlainView = () => EVERYTHING;

/** The view without the map's position: moving the map renders nothing else. */
export const useView = (): ChosenView => {
  const store = useViewStore();
  return useSyncExternalStore(store.subscribe, store.readChosen, readPlainView);
};

/** The view with the map's position. */
export const useViewWithCamera = (): ViewState => {
  const store = useViewStore();
  return useSyncExternalStore(store.subscribe, store.read, readPlainView);
};

export const useViewActions = () => {
  const store = useViewStore();
  return useMemo(() => createViewActions(store), [store]);
};

/** The feed's detail of one unit of the screen beyond its row; null until it is there, and in the past, which has none. */
export const useShownDetail = (key: string | null) => {
  const { fleet, past } = useReading();
  const isLive = past === null;
  return useUnitDetail(useUsdot(), isLive ? key : null, fleet?.version ?? '').data ?? null;
};

export const useFreshness = (): Freshness => {
  const { fleet, skewMs, receivedAtMs, failure, pollMs, past } = useReading();
  const nowMs = useNowMs();
  const first = useFirstFleet();
  const feed = (fleet ?? first)?.feed ?? null;
  return toFreshness({ nowMs, skewMs, feed, receivedAtMs, failure, pollMs, isPast: past !== null });
};

/**
 * The carrier account that the fleet is read with; null where it is not known. The live answer names the fleet's own
 * carrier alone, because all viewers share it; another's is in the list of fleets, which depends on the viewer.
 */
export const useCarrierAccount = (): CarrierAccount | null => {
  const usdot = useUsdot();
  const { fleet, past } = useReading();
  const first = useFirstFleet();
  const own = (fleet ?? first)?.account ?? null;
  // Of a past moment there may be no fleet, and its account is never recorded.
  const isRead = past !== null || (fleet !== null && fleet.feed.fetchedAtMs !== null);
  const { data } = useFleetList(isRead && own === null);
  if (own !== null || data === undefined) return own;
  return (data.fleets.find((each) => each.usdot === usdot) ?? data.fleets[0])?.account ?? null;
};
