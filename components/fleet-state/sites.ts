import { useCallback, useEffect, useRef } from 'react';
import { useFleetSites } from '@/lib/sites/queries';
import type { Site } from '@/lib/rules/site';
import { countAtSites, toSiteTable } from '@/lib/sites/site-table';
import type { SiteNames } from '@/lib/view/search';
import type { UnitRow } from '@/lib/view/unit-row';
import { usePlaces } from '../ui/use-places';
import { useReading, useUsdot } from './fleet-context';

const useSitesQuery = () => {
  const { fleet, failure } = useReading();
  // After the fleet, which must not wait for them.
  return useFleetSites(useUsdot(), fleet?.feed.fetchedAtMs != null || failure !== null);
};

/** The sites of the fleet on the screen; null until they are loaded, which begins once the fleet is. */
export const useSites = (): readonly Site[] | null => useSitesQuery().data ?? null;

export const useSiteNames = (): SiteNames | null => {
  const sites = useSites();
  return sites === null ? null : toSiteTable(sites);
};

/** Reads the sites again when a unit is at one that is not known. */
export const useKnownSites = (): void => {
  const { fleet } = useReading();
  const { data: sites, refetch } = useSitesQuery();
  /** Ids that were not known; one that is not known afterwards either was removed. */
  const missed = useRef(new Set<number>());
  useEffect(() => {
    if (fleet === null || sites === undefined) return;
    const { byId } = toSiteTable(sites);
    const unknown = [...countAtSites(fleet).keys()].filter((id) => !byId.has(id) && !missed.current.has(id));
    if (unknown.length === 0) return;
    for (const id of unknown) missed.current.add(id);
    void refetch();
  }, [fleet, sites, refetch]);
};

type Located = Pick<UnitRow, 'position' | 'siteId'>;

/** The name of a unit’s site, else of its place ("8 mi NE of Amarillo, TX"); null until the names are loaded. */
export const usePlaceOf = (isWanted = true): ((unit: Located) => string | null) => {
  const placeAt = usePlaces(isWanted);
  const sites = useSites();
  return useCallback(
    ({ position, siteId }) => {
      const site = siteId === null || sites === null ? undefined : toSiteTable(sites).byId.get(siteId);
      return site?.name ?? (position === null ? null : (placeAt?.(position) ?? null));
    },
    [placeAt, sites],
  );
};
