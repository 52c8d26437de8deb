import { IconHistory, IconMapPinSearch, IconRoute, IconRuler2 } from '@tabler/icons-react';
import { Suspense } from 'react';
import { useReading, useView } from '@/components/fleet-state/fleet-context';
import { useSites } from '@/components/fleet-state/sites';
import { MapButton } from '@/components/map/map-button';
import { onDemand } from '@/components/ui/popup/on-demand';
import { Popup } from '@/components/ui/popup/popup';
import { tailSpanText } from '@/lib/view/text';
import type { TimeBarState } from './use-fleet-controller';

export const timeBarPart = onDemand(() =>
  import('@/components/past/time-bar').then(({ TimeBar }) => TimeBar),
);
export const nearPanel = onDemand(() =>
  import('@/components/panel/near/near-panel').then(({ NearPanel }) => NearPanel),
);
const sitesButton = onDemand(() => import('./sites-button').then(({ SitesButton }) => SitesButton));
const tailsItems = onDemand(() => import('./tails-items').then(({ TailsItems }) => TailsItems));

export const MEASURE_BUTTON_ID = 'measure-button';

interface MapButtonsProps {
  timeBar: TimeBarState;
  measuring: { isOn: boolean; toggle: () => void };
  onNear: () => void;
}

export const MapButtons = ({ timeBar, measuring, onNear }: MapButtonsProps) => {
  const hasSites = (useSites()?.length ?? 0) > 0;
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
      <MapButton
        id={MEASURE_BUTTON_ID}
        label="Measure"
        title="Measure a distance or an area (m)"
        Icon={IconRuler2}
        aria-pressed={measuring.isOn}
        data-on={measuring.isOn || undefined}
        onClick={measuring.toggle}
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
      {timeBar.isOffered && !isPast ? <TailsButton /> : null}
      {hasSites ? (
        <Suspense>
          <sitesButton.Part />
        </Suspense>
      ) : null}
    </>
  );
};

const TailsButton = () => {
  const { tails } = useView();
  return (
    <Popup
      kind="menu"
      width={180}
      position="right-start"
      preload={tailsItems.preload}
      target={
        <MapButton
          label={tails === null ? 'Tails' : `Tails of ${tailSpanText(tails)}`}
          title="Tails: where trucks went"
          Icon={IconRoute}
          data-on={tails !== null || undefined}
        />
      }
    >
      <tailsItems.Part />
    </Popup>
  );
};
