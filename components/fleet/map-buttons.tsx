import { IconHistory, IconMapPinSearch } from '@tabler/icons-react';
import { Suspense } from 'react';
import { useReading } from '@/components/fleet-state/fleet-context';
import { useIsIdle } from '@/components/fleet-state/use-is-idle';
import { MapButton } from '@/components/map/map-button';
import { onDemand } from '@/components/ui/popup/on-demand';
import type { Measuring } from './later-buttons';
import type { TimeBarState } from './use-fleet-controller';

export const timeBarPart = onDemand(() =>
  import('@/components/past/time-bar').then(({ TimeBar }) => TimeBar),
);
export const nearPanel = onDemand(() =>
  import('@/components/panel/near/near-panel').then(({ NearPanel }) => NearPanel),
);
const laterButtons = onDemand(() => import('./later-buttons').then(({ LaterButtons }) => LaterButtons));

interface MapButtonsProps {
  timeBar: TimeBarState;
  measuring: Measuring;
  onNear: () => void;
}

export const MapButtons = ({ timeBar, measuring, onNear }: MapButtonsProps) => {
  const isPast = useReading().past !== null;
  return (
    <>
      <MapButton
        label="Nearest trucks"
        title="Nearest trucks to the middle of the map (d)"
        Icon={IconMapPinSearch}
        onPointerEnter={nearPanel.preload}
        onClick={onNear}
      />
      {timeBar.isOffered ? (
        <MapButton
          label="Back in time"
          title="Back in time (p)"
          Icon={IconHistory}
          aria-expanded={timeBar.isOpen}
          onPointerEnter={timeBarPart.preload}
          onClick={timeBar.toggle}
        />
      ) : null}
      {useIsIdle() ? (
        <Suspense>
          <laterButtons.Part hasTails={timeBar.isOffered && !isPast} measuring={measuring} />
        </Suspense>
      ) : null}
    </>
  );
};
