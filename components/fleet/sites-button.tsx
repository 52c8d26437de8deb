import { IconBuildingWarehouse } from '@tabler/icons-react';
import { useView, useViewActions } from '@/components/fleet-state/fleet-context';
import { isMapShown } from '@/components/fleet-state/map-link';
import { MapButton } from '@/components/map/map-button';
import { useShortcuts } from '@/components/ui/shortcuts';

export const SitesButton = () => {
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
