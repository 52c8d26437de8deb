import { fold } from '@/lib/base/text/text';
import { coordinatesText, parseCoordinates } from '@/lib/gazetteer/coordinates';
import type { FoundPlace } from '@/lib/gazetteer/place';
import type { LatLng } from '@/lib/geo/units';
import { centerOf } from '@/lib/rules/polygon';
import type { Site } from '@/lib/rules/site';

/** A place that a stop can be at: a site of the fleet, or a circle of its own. */
export interface StopPlace extends LatLng {
  name: string;
  /** Null: it is no site. */
  siteId: number | null;
  /** The radius of the circle; undefined: as large as a dock. */
  radiusM?: number;
}

export interface PlaceSources {
  sites: readonly Site[];
  /** Finds towns and ZIP codes; null until their tables are there. */
  findPlaces: ((text: string, most: number) => FoundPlace[]) | null;
  /** The place that the stop has now. */
  held?: StopPlace | null;
}

const MOST_SITES = 5;
const MOST_TOWNS = 5;
const [LEAST_TOWN_M, MOST_TOWN_M] = [2000, 8000];

/** Coordinates at the end of an address: "4500 Dock Rd, Dallas @ 32.77, -96.79". */
const ADDRESS_AND_PAIR = /^(.*?\D)[\s,;@(]+(-?\d{1,3}\.\d+\s*[,;\s]\s*-?\d{1,3}\.\d+)\)?$/;

const ownPlace = (typed: string): StopPlace | null => {
  const at = parseCoordinates(typed);
  if (at !== null) return { ...at, siteId: null, name: coordinatesText(at) };
  const [, address = '', pair = ''] = ADDRESS_AND_PAIR.exec(typed.trim()) ?? [];
  const found = pair === '' ? null : parseCoordinates(pair);
  const name = address.replace(/[\s,;@(]+$/, '').slice(0, 100);
  return found === null || name === '' ? null : { ...found, siteId: null, name };
};

const toTown = ({ name, lat, lng, radiusM }: FoundPlace): StopPlace => ({
  ...{ name, lat, lng, siteId: null },
  radiusM: Math.min(MOST_TOWN_M, Math.max(LEAST_TOWN_M, radiusM)),
});

const rankOf = (name: string, part: string): number =>
  name === part ? 0 : name.startsWith(part) ? 1 : ` ${name}`.includes(` ${part}`) ? 2 : 3;

const findSites = (sites: readonly Site[], part: string): StopPlace[] =>
  sites
    .map(({ id, name, shape }) => ({ id, name, shape, folded: fold(name) }))
    .filter(({ folded }) => folded.includes(part))
    .sort((a, b) => rankOf(a.folded, part) - rankOf(b.folded, part) || (a.folded < b.folded ? -1 : 1))
    .slice(0, MOST_SITES)
    .map(({ id, name, shape }) => ({ ...centerOf(shape), siteId: id, name }));

/** The places that a text may mean, the best first: what was pasted, sites, towns. Each has a name of its own. */
export const suggestPlaces = (typed: string, { sites, findPlaces }: PlaceSources): StopPlace[] => {
  const part = fold(typed.trim());
  if (part === '') return [];
  const own = ownPlace(typed);
  if (own !== null) return [own];
  const towns = part.length < 2 ? [] : (findPlaces?.(typed.trim(), MOST_TOWNS) ?? []);
  const found = [...findSites(sites, part), ...towns.map(toTown)];
  return found.filter(({ name }, i) => found.findIndex((other) => other.name === name) === i);
};

/** The place that a text means; null where it is none, or more than one. */
export const choosePlace = (typed: string, sources: PlaceSources): StopPlace | null => {
  const part = fold(typed.trim());
  if (sources.held && fold(sources.held.name) === part) return sources.held;
  const found = suggestPlaces(typed, sources);
  const whole = found.find(({ name }) => fold(name) === part);
  const town = sources.findPlaces?.(typed.trim(), 1).find(({ isWhole }) => isWhole);
  return whole ?? (found.length === 1 ? found[0]! : town === undefined ? null : toTown(town));
};
