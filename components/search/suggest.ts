import { createWordMatcher, fold } from '@/lib/base/text/text';
import { toPeople } from '@/lib/contacts/text';
import { formatPhone } from '@/lib/identity/phone';
import stateNames from '@/lib/gazetteer/state-names.json';
import type { FoundPlace } from '@/lib/gazetteer/place';
import { expand, type Bounds } from '@/lib/geo/geodesy';
import { toMapLng, toMercatorX, toMercatorY, worldSizePx } from '@/lib/geo/projection';
import type { LatLng } from '@/lib/geo/units';
import type { Fleet } from '@/lib/wire/fleet';
import { formatCount } from '@/lib/view/format';
import { marksOf, type UnitTag } from '@/lib/view/marks';
import { coordinatesText, parseCoordinates } from '@/lib/view/near';
import { findBestMatches, searchRows, type SiteNames } from '@/lib/view/search';
import { unitTitle } from '@/lib/view/unit-name';
import { readUnitRow, type UnitRow } from '@/lib/view/unit-row';
import type { MapCamera, NearPlace } from '@/lib/view/view-state';

/** What a suggestion does. */
export type SuggestionAction =
  | { do: 'unit'; key: string; bounds: Bounds | null }
  | { do: 'go'; bounds: Bounds }
  | { do: 'site'; id: number; bounds: Bounds }
  | { do: 'near'; near: NearPlace }
  | { do: 'tag'; tag: string };

export const SUGGESTION_KINDS = ['Trucks', 'Contacts', 'Tags', 'Sites', 'Places'] as const;

/** A line under the search field: what it leads to, and what tells it from others of its name. */
export interface Suggestion {
  kind: (typeof SUGGESTION_KINDS)[number];
  label: string;
  detail: string | null;
  action: SuggestionAction;
}

const MOST_UNITS = 5;
const MOST_CONTACTS = 3;
const MOST_TAGS = 3;
const MOST_SITES = 3;
const MOST_STATES = 2;
/** Towns that are searched for, of which each gives two suggestions. */
export const MOST_TOWNS = 3;
/** The surroundings of a lone unit and of coordinates. */
const ABOUT_M = 8000;

const pointBounds = ({ lat, lng }: LatLng, radiusM: number): Bounds =>
  expand([lat, toMapLng(lng), lat, toMapLng(lng)], radiusM);

/** Part of a map that bounds fill. */
const FILLED = 0.7;
const LEAST_ZOOM = 3;
const MOST_ZOOM = 11;

/** A camera that shows bounds on a map of a size, for an address. */
export const toCamera = (
  [south, west, north, east]: Bounds,
  { width, height }: { width: number; height: number },
): MapCamera => {
  const [lat, lng] = [(south + north) / 2, (west + east) / 2];
  const shares = [
    (toMercatorX(east) - toMercatorX(west)) / width,
    (toMercatorY(south) - toMercatorY(north)) / height,
  ];
  const zoom = Math.log2(FILLED / worldSizePx(0) / Math.max(...shares, 1e-9));
  return { lat, lng, zoom: Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, Math.floor(zoom * 100) / 100)) };
};

const showUnit = ({ identity: { key }, position }: UnitRow): SuggestionAction => ({
  do: 'unit',
  key,
  bounds: position === null ? null : pointBounds(position, ABOUT_M),
});

/** The units that match best, each with what it is. */
const suggestUnits = (units: readonly UnitRow[]): Suggestion[] =>
  units.slice(0, MOST_UNITS).map((unit) => {
    const { year, make, model } = unit.identity;
    const detail = [year, make, model].filter(Boolean).join(' ') || null;
    return { kind: 'Trucks', label: unitTitle(unit.identity), detail, action: showUnit(unit) };
  });

/** The people whose name or number has each word, each with the unit that they are called about. */
const suggestContacts = (units: readonly UnitRow[], query: string): Suggestion[] => {
  const matches = createWordMatcher(query);
  return units
    .flatMap((unit) =>
      toPeople(marksOf(unit.identity).contact)
        .filter(({ name, phone }) => matches(`${name} ${phone} ${formatPhone(phone)}`))
        .map(({ role, name, phone }): Suggestion => ({
          kind: 'Contacts',
          label: [name, phone === '' ? '' : formatPhone(phone)].filter(Boolean).join(' · '),
          detail: `${role}, ${unitTitle(unit.identity)}`,
          action: showUnit(unit),
        })),
    )
    .slice(0, MOST_CONTACTS);
};

/** So many of the units that a text finds are looked at. */
const MOST_READ = 500;

const findUnits = (fleet: Fleet, query: string, sites: SiteNames | null): UnitRow[] => {
  const rows = searchRows(fleet, query, sites);
  if (rows === null) return [];
  return Array.from(findBestMatches(fleet, rows, query))
    .slice(0, MOST_READ)
    .flatMap((row) => readUnitRow(fleet, row) ?? []);
};

const suggestTags = (tags: readonly UnitTag[], part: string): Suggestion[] =>
  tags
    .filter(({ tag }) => fold(tag).includes(part))
    .sort((a, b) => Number(fold(b.tag).startsWith(part)) - Number(fold(a.tag).startsWith(part)))
    .slice(0, MOST_TAGS)
    .map(({ tag, units }) => ({
      kind: 'Tags',
      label: `Trucks with the tag ${tag}`,
      detail: formatCount(units.length, 'truck'),
      action: { do: 'tag', tag },
    }));

/** A site as it is suggested. */
export interface SuggestedSite extends LatLng {
  id: number;
  name: string;
  kind: string;
  radiusM: number;
}

const goAndNear = (kind: Suggestion['kind'], go: SuggestionAction, near: NearPlace): Suggestion[] => [
  { kind, label: `Go to ${near.name}`, detail: null, action: go },
  { kind, label: `Nearest trucks to ${near.name}`, detail: null, action: { do: 'near', near } },
];

const suggestSites = (sites: readonly SuggestedSite[], part: string): Suggestion[] =>
  sites
    .filter(({ name }) => fold(name).includes(part))
    .sort((a, b) => Number(fold(b.name).startsWith(part)) - Number(fold(a.name).startsWith(part)))
    .slice(0, MOST_SITES)
    .flatMap((site) => {
      const { id, name, kind, lat, lng, radiusM } = site;
      const go: SuggestionAction = { do: 'site', id, bounds: pointBounds(site, radiusM) };
      const [first, second] = goAndNear('Sites', go, { lat, lng, name });
      return [{ ...first!, detail: kind }, second!];
    });

const suggestStates = (part: string, states: Readonly<Record<string, Bounds>> | null): Suggestion[] =>
  states === null
    ? []
    : Object.entries(stateNames)
        .filter(
          ([code, name]) => code.toLowerCase() === part || (part.length > 2 && fold(name).startsWith(part)),
        )
        .slice(0, MOST_STATES)
        .flatMap(([code, name]) =>
          states[code] === undefined
            ? []
            : [
                {
                  kind: 'Places',
                  label: `Go to ${name}`,
                  detail: 'State',
                  action: { do: 'go', bounds: states[code] },
                },
              ],
        );

const suggestPosition = (query: string): Suggestion[] => {
  const at = parseCoordinates(query);
  if (at === null) return [];
  return goAndNear(
    'Places',
    { do: 'go', bounds: pointBounds(at, ABOUT_M) },
    { ...at, name: coordinatesText(at) },
  ).map((each) =>
    each.action.do === 'near' ? { ...each, action: { do: 'near', near: { ...at, name: null } } } : each,
  );
};

const suggestTowns = (places: readonly FoundPlace[]): Suggestion[] =>
  places.flatMap((place) => {
    const { name, lat, lng, radiusM } = place;
    return goAndNear('Places', { do: 'go', bounds: pointBounds(place, radiusM) }, { lat, lng, name });
  });

export interface SuggestionSources {
  /** Null before the first answer. */
  fleet: Fleet | null;
  siteNames: SiteNames | null;
  sites: readonly SuggestedSite[];
  tags: readonly UnitTag[];
  /** Finds towns and ZIP codes; null until their tables are there. */
  findPlaces: ((text: string, most: number) => FoundPlace[]) | null;
  /** Bounds of the states by their codes; null until they are there. */
  states: Readonly<Record<string, Bounds>> | null;
}

/** The suggestions for a text, by kind; none for an empty one. */
export const suggest = (text: string, sources: SuggestionSources): Suggestion[] => {
  const query = text.trim();
  const part = fold(query);
  if (part === '') return [];
  const { fleet, siteNames, sites, tags, findPlaces, states } = sources;
  const units = fleet === null ? [] : findUnits(fleet, query, siteNames);
  return [
    ...suggestUnits(units),
    ...suggestContacts(units, query),
    ...suggestTags(tags, part),
    ...suggestSites(sites, part),
    ...suggestPosition(query),
    ...suggestStates(part, states),
    ...suggestTowns(part.length < 2 ? [] : (findPlaces?.(query, MOST_TOWNS) ?? [])),
  ];
};
