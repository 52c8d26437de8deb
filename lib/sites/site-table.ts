import type { SiteNames } from '../view/search';
import type { Fleet } from '../wire/fleet';
import type { Site } from '@/lib/rules/site';
import { getOrMake } from '@/lib/base/maps';

interface SiteTable extends SiteNames {
  byId: ReadonlyMap<number, Site>;
}

/** Sites by name as people order them: "Yard 9" before "Yard 10". */
export const bySiteName = (a: Pick<Site, 'name'>, b: Pick<Site, 'name'>): number =>
  a.name.localeCompare(b.name, 'en', { numeric: true, sensitivity: 'base' });

export const toSiteNames = (sites: readonly Pick<Site, 'id' | 'name'>[]): SiteNames => ({
  names: new Map(sites.map(({ id, name }) => [id, name])),
  ranks: new Map([...sites].sort(bySiteName).map(({ id }, index) => [id, index + 1])),
});

const held = new WeakMap<readonly Site[], SiteTable>();

/** The table of a list of sites, made once. */
export const toSiteTable = (sites: readonly Site[]): SiteTable =>
  getOrMake(held, sites, () => ({
    ...toSiteNames(sites),
    byId: new Map(sites.map((site) => [site.id, site])),
  }));

/** How many units of a fleet are at each site, by its id. */
export const countAtSites = ({ columns: { siteId }, rows }: Fleet): Map<number, number> => {
  const counts = new Map<number, number>();
  for (let row = 0; row < rows; row++)
    if (siteId[row] !== 0) counts.set(siteId[row]!, (counts.get(siteId[row]!) ?? 0) + 1);
  return counts;
};
