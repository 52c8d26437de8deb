'use client';

import { useState } from 'react';
import type { ReactNode } from 'react';
import { ViewerProvider, useViewer } from '@/components/layout/viewer-context';
import type { FleetSource } from '@/lib/view/demo';
import type { Viewer } from '@/lib/auth/viewer';
import { Announcer } from '../ui/announcer';
import { FleetProvider } from '../fleet-state/fleet-context';
import { KeyboardHelp } from './keyboard-help';
import { useShortcuts } from '../ui/use-shortcuts';
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

/** The frame of every page of a fleet: the bar, the rail, and the state that the pages share. */
export const FleetShell = (props: FleetShellProps) => {
  const { usdot, source, hasOtherFleets, build, viewer, children } = props;
  const [isHelpOpen, setHelpOpen] = useState(false);

  const openHelp = () => setHelpOpen(true);
  useShortcuts({ '?': openHelp, 'shift+?': openHelp });
  return (
    <ViewerProvider viewer={viewer}>
      <FleetProvider usdot={usdot} source={source} hasOtherFleets={hasOtherFleets}>
        <BuildProvider build={build}>
          <Announcer>
            <Frame onShortcuts={openHelp}>{children}</Frame>
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
