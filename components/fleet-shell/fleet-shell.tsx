'use client';

import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { ViewerProvider, useViewer } from '@/components/layout/viewer-context';
import type { FleetSource } from '@/lib/view/demo';
import type { Viewer } from '@/lib/auth/viewer';
import { Announcer } from '../ui/announcer';
import { FleetProvider } from '../fleet-state/fleet-context';
import { KeyboardHelp } from './keyboard-help';
import { isPlainKey, isTyping } from '../ui/keys';
import { Rail } from '../layout/navigation';
import { BuildProvider } from '../fleet-state/newer-build';
import { NoticesProvider } from './notices';
import { useFleetDestinations } from './use-fleet-destinations';
import { Shell } from '../layout/shell';
import { TopBar } from './top-bar';
import { useLeaveWhenRefused } from './use-leave-when-refused';

interface FleetShellProps {
  usdot: string;
  source: FleetSource;
  /** There are others to switch to. */
  hasOtherFleets: boolean;
  /** The build that rendered the page; null in development. */
  build: string | null;
  viewer: Viewer;
  children: ReactNode;
}

/** What every page of a fleet sits in: the bar and the rail, and what pages share. */
export const FleetShell = (props: FleetShellProps) => {
  const { usdot, source, hasOtherFleets, build, viewer, children } = props;
  const [isHelpOpen, setHelpOpen] = useState(false);

  useEffect(() => {
    const openHelp = (event: KeyboardEvent) => {
      if (event.key === '?' && isPlainKey(event) && !isTyping(event.target)) setHelpOpen(true);
    };
    window.addEventListener('keydown', openHelp);
    return () => window.removeEventListener('keydown', openHelp);
  }, []);

  return (
    <ViewerProvider viewer={viewer}>
      <FleetProvider usdot={usdot} source={source} hasOtherFleets={hasOtherFleets}>
        <BuildProvider build={build}>
          <Announcer>
            <Frame onShortcuts={() => setHelpOpen(true)}>{children}</Frame>
            <KeyboardHelp opened={isHelpOpen} onClose={() => setHelpOpen(false)} />
          </Announcer>
        </BuildProvider>
      </FleetProvider>
    </ViewerProvider>
  );
};

const Frame = ({ onShortcuts, children }: { onShortcuts: () => void; children: ReactNode }) => {
  useLeaveWhenRefused();
  const destinations = useFleetDestinations(useViewer());
  return (
    <Shell
      bar={<TopBar destinations={destinations} />}
      rail={<Rail destinations={destinations} onShortcuts={onShortcuts} />}
    >
      <NoticesProvider>{children}</NoticesProvider>
    </Shell>
  );
};
