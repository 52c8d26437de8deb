'use client';

import {
  IconBell,
  IconBuildingWarehouse,
  IconCalendarStats,
  IconCertificate,
  IconListDetails,
  IconMap2,
  IconPackage,
  IconTransfer,
} from '@tabler/icons-react';
import { Link } from '@/components/ui/link';
import { usePathname } from 'next/navigation';
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { Brand } from '@/components/layout/brand';
import { toDestinations, useServerDestinations, type Destinations } from '@/components/layout/destinations';
import { ViewerProvider, useViewer } from '@/components/layout/viewer-context';
import { LAST_FLEET_COOKIE } from '@/lib/base/http/protocol';
import { toViewSearch } from '@/lib/view/view-state';
import type { Viewer } from '@/lib/base/viewer';
import { AlertBell } from '../alert-bell/alert-bell';
import { badgeText, totalOf, useWaitingAlerts } from '../alert-bell/waiting';
import { Announcer } from '../ui/announcer';
import {
  FleetProvider,
  HeldReading,
  useReading,
  useUsdot,
  useViewWithCamera,
  type FleetProviderProps,
} from '../fleet-state/fleet-context';
import { toMapLink, useIsMapShown } from '../fleet-state/map-link';
import { SearchTextProvider, useFilteredPage } from '../fleet-state/search-text';
import { useKnownSites } from '../fleet-state/sites';
import { useOfflineCopy } from '../layout/offline-copy';
import { useReloadWhenRefused } from '../layout/refused';
import { onDemand } from '../ui/popup/on-demand';
import { useIsIdle } from '../fleet-state/use-is-idle';
import { useOpenPage, useViewAddress } from '../fleet-state/use-view-address';
import { useShortcuts } from '../ui/shortcuts';
import { useNextFrame } from '../ui/use-next-frame';
import { ThemeSwitch } from '../layout/menus/theme-switch';
import { PhoneMenu, Rail } from '../layout/navigation';
import { BuildProvider } from '../fleet-state/newer-build';
import styles from './fleet-shell.module.css';
import { FleetSwitcher, fleetItems } from './fleet-switcher';
import { FreshnessPill } from './freshness-pill';
import { NoticesProvider } from './notices';
import { SearchField } from './search-field';
import { DemoNote, Shell } from '../layout/shell';

const pastPill = onDemand(() => import('./past-pill').then(({ PastPill }) => PastPill));
const searchAddress = onDemand(() =>
  import('../fleet-state/search-address').then(({ SearchAddress }) => SearchAddress),
);
const printHead = onDemand(() => import('./fleet-print-head').then(({ FleetPrintHead }) => FleetPrintHead));
const keyboardHelp = onDemand(() => import('./keyboard-help').then(({ KeyboardHelp }) => KeyboardHelp));

/** Codes that mean: not signed in, or not allowed to see this fleet. */
const REFUSALS = ['sign-in-needed', 'second-factor-needed', 'unknown-fleet'];

interface FleetShellProps extends FleetProviderProps {
  /** The build that rendered the page; null in development. */
  build: string | null;
  viewer: Viewer;
  /** The live map, which is kept while other pages of the fleet are shown; null where the page belongs to no fleet. */
  map: ReactNode;
}

export const FleetShell = (props: FleetShellProps) => {
  const { build, viewer, map, children, ...fleet } = props;
  // Null until it is first opened.
  const [isHelpOpen, setHelpOpen] = useState<boolean | null>(null);

  const openHelp = () => setHelpOpen(true);
  useShortcuts({ '?': openHelp });
  return (
    <ViewerProvider viewer={viewer}>
      <FleetProvider {...fleet}>
        <BuildProvider build={build}>
          <Announcer>
            <SearchTextProvider>
              <Frame build={build} map={map} onShortcuts={openHelp}>
                {children}
              </Frame>
            </SearchTextProvider>
            {isHelpOpen === null ? null : (
              <Suspense>
                <keyboardHelp.Part opened={isHelpOpen} onClose={() => setHelpOpen(false)} />
              </Suspense>
            )}
          </Announcer>
        </BuildProvider>
      </FleetProvider>
    </ViewerProvider>
  );
};

interface FrameProps extends Pick<FleetShellProps, 'build' | 'map' | 'children'> {
  onShortcuts: () => void;
}

const YEAR_S = 365 * 86_400;

/** The pages that belong to no fleet keep the bar of the one that was shown last. */
const useLastFleet = (usdot: string): void => {
  useEffect(() => {
    document.cookie = `${LAST_FLEET_COOKIE}=${usdot}; path=/; max-age=${YEAR_S}; samesite=lax`;
  }, [usdot]);
};

const Frame = ({ build, map, onShortcuts, children }: FrameProps) => {
  const usdot = useUsdot();
  const reading = useReading();
  useReloadWhenRefused(REFUSALS.includes(reading.failure?.code ?? ''));
  useOfflineCopy(usdot, build, reading);
  useKnownSites();
  useLastFleet(usdot);
  const viewer = useViewer();
  const destinations = useFleetDestinations(viewer);
  const isIdle = useIsIdle();
  const isMapShown = useIsMapShown();
  const openPage = useOpenPage();
  useShortcuts({ a: () => openPage(`/fleets/${usdot}/alerts`) });
  return (
    <Shell
      bar={<TopBar destinations={destinations} />}
      rail={<Rail destinations={destinations} onShortcuts={onShortcuts} />}
      printHead={
        isIdle || !isMapShown ? (
          <Suspense>
            <printHead.Part />
          </Suspense>
        ) : null
      }
    >
      {useFilteredPage() === null ? null : (
        <Suspense>
          <searchAddress.Part />
        </Suspense>
      )}
      <NoticesProvider>
        <KeptMap>{map}</KeptMap>
        {isMapShown ? null : children}
      </NoticesProvider>
    </Shell>
  );
};

const TopBar = ({ destinations }: { destinations: Destinations }) => (
  <header className={styles.bar}>
    <div className={styles.left}>
      <Link {...toMapLink(`/fleets/${useUsdot()}`)} className="lh-brand" aria-label="Linehaul, live map">
        <Brand />
      </Link>
      <div className={styles.carrier}>
        <FleetSwitcher />
      </div>
    </div>
    <SearchField />
    <div className={styles.right}>
      {useReading().past === null ? (
        <>
          <DemoNote />
          <FreshnessPill />
        </>
      ) : (
        <Suspense>
          <pastPill.Part />
        </Suspense>
      )}
      <AlertBell />
      <div className={styles.theme}>
        <ThemeSwitch />
      </div>
      <PhoneMenu destinations={destinations} fleets={<fleetItems.Part />} />
    </div>
  </header>
);

/** The map, from when it is first shown: other pages cover it, so that it is there at once, as it was left. */
const KeptMap = ({ children }: { children: ReactNode }) => {
  const isShown = useIsMapShown();
  const [isKept, setKept] = useState(isShown);
  if (isShown && !isKept) setKept(true);
  useViewAddress(isShown);
  // The page that covers the map is painted before the map is rendered as covered; `inert` alone restyles all of it.
  const isCovered = useNextFrame(!isShown);
  if (!isShown && !isKept) return null;
  return (
    <div className={styles.map} aria-hidden={!isShown} inert={isCovered}>
      <HeldReading isHeld={isCovered}>{children}</HeldReading>
    </div>
  );
};

/** What the viewer may open from a page of a fleet. The map's link keeps the view that was left. */
const useFleetDestinations = (viewer: Viewer): Destinations => {
  const usdot = useUsdot();
  const base = `/fleets/${usdot}`;
  const path = usePathname();
  const isMapShown = useIsMapShown();
  const view = useViewWithCamera();
  const { main, ...others } = useServerDestinations(viewer);
  const waiting = totalOf(useWaitingAlerts(usdot));
  const isFor = (): boolean => true;
  const isForWhole = ({ tags }: Viewer): boolean => tags === null;
  const pages = [
    {
      ...{ label: 'Loads', href: `${base}/loads`, Icon: IconPackage, isFor },
      // Most links are for a load.
      subpage: `${base}/links`,
    },
    { label: 'Proof', href: `${base}/proof`, Icon: IconCertificate, isFor },
    { label: 'Roster', href: `${base}/roster`, Icon: IconListDetails, isFor },
    { label: 'History', href: `${base}/history`, Icon: IconCalendarStats, isFor: isForWhole },
    { label: 'Sites', href: `${base}/sites`, Icon: IconBuildingWarehouse, isFor },
    {
      label: 'Alerts',
      href: `${base}/alerts`,
      Icon: IconBell,
      isFor,
      // Its severities are in the bell.
      ...(waiting > 0 && { waiting: badgeText(waiting) }),
    },
    { label: 'Handover', href: `${base}/handover`, Icon: IconTransfer, isFor: isForWhole },
  ];
  return {
    ...others,
    main: [
      { label: 'Map', ...toMapLink(`${base}${toViewSearch(view)}`), Icon: IconMap2, isHere: isMapShown },
      ...toDestinations(pages, viewer, path),
      ...main.slice(1),
    ],
  };
};
