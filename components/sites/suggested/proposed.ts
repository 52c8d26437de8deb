import { siteAt } from '@/lib/rules/geofence';
import { SITE_COLORS } from '@/lib/sites/palette';
import { DEFAULT_MARGIN_M, type Site, type SiteInput } from '@/lib/rules/site';
import type { SuggestedPlace } from '@/lib/sites/answers';
import type { LatLng } from '@/lib/geo/units';

/** A place and the site that it would become. */
export interface Proposed {
  place: SuggestedPlace;
  site: SiteInput;
  /** The name of the place, such as "8 mi NE of Amarillo, TX"; null until that is known. */
  placeName: string | null;
}

/** A name that no other site has: "Stop in Amarillo, TX", "Stop in Amarillo, TX 2". */
const toName = (placeName: string | null, taken: ReadonlySet<string>): string => {
  const base =
    placeName === null ? 'Stop' : /^\d/.test(placeName) ? `Stop ${placeName}` : `Stop in ${placeName}`;
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base} ${number}`;
  return name;
};

/** The sites that places would become, each with a name of its own. Sites are read sooner than the places that they leave. */
export const toProposed = (
  places: readonly SuggestedPlace[],
  sites: readonly Site[],
  placeAt: ((at: LatLng) => string) | null,
): Proposed[] => {
  const taken = new Set(sites.map(({ name }) => name));
  const uncovered = places.filter((place) => siteAt(sites, place) === null);
  return uncovered.map((place) => {
    const { lat, lng, radiusM } = place;
    const placeName = placeAt?.(place) ?? null;
    const name = toName(placeName, taken);
    taken.add(name);
    const shape = { type: 'circle' as const, lat, lng, radiusM };
    const site = {
      ...{ name, kind: 'other' as const, color: SITE_COLORS.other },
      ...{ notes: '', openingHours: null, marginM: DEFAULT_MARGIN_M, shape },
    };
    return { place, site, placeName };
  });
};

/** Names a place in the list of those that were hidden: to about 100 m, because more stops move its middle. */
export const toPlaceKey = ({ lat, lng }: LatLng): string => `${lat.toFixed(3)},${lng.toFixed(3)}`;
