import { IconBuildingWarehouse, IconRoute, IconRuler2 } from '@tabler/icons-react';
import { useView, useViewActions } from '@/components/fleet-state/fleet-context';
import { isMapShown } from '@/components/fleet-state/map-link';
import { useSites } from '@/components/fleet-state/sites';
import { MapButton } from '@/components/map/map-button';
import { onDemand } from '@/components/ui/popup/on-demand';
import { Popup } from '@/components/ui/popup/popup';
import { useShortcuts } from '@/components/ui/shortcuts';
import { tailSpanText } from '@/lib/view/text';

const tailsItems = onDemand(() => import('./tails-items').then(({ TailsItems }) => TailsItems));

/** The tool that measures on the map. */
export interface Measuring {
  isOn: boolean;
  toggle: () => void;
  buttonId: string;
}

interface LaterButtonsProps {
  hasTails: boolean;
  measuring: Measuring;
}

/** Buttons of the map that need a fleet, whose code is loaded after it. */
export const LaterButtons = ({ hasTails, measuring }: LaterButtonsProps) => {
  const hasSites = (useSites()?.length ?? 0) > 0;
  useShortcuts({ m: measuring.toggle }, isMapShown);
  return (
    <>
      {hasTails ? <TailsButton /> : null}
      <MapButton
        id={measuring.buttonId}
        label="Measure"
        title="Measure a distance or an area (m)"
        Icon={IconRuler2}
        aria-keyshortcuts="m"
        aria-pressed={measuring.isOn}
        data-on={measuring.isOn || undefined}
        onClick={measuring.toggle}
      />
      {hasSites ? <SitesButton /> : null}
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

const SitesButton = () => {
  const { showsSites } = useView();
  const { showSites } = useViewActions();
  const toggle = (): void => showSites(!showsSites);
  useShortcuts({ s: toggle }, isMapShown);
  return (
    <MapButton
      label="Sites"
      title={showsSites ? 'Hide sites (s)' : 'Show sites (s)'}
      Icon={IconBuildingWarehouse}
      aria-keyshortcuts="s"
      aria-pressed={showsSites}
      data-on={showsSites || undefined}
      onClick={toggle}
    />
  );
};
