import { fold } from '@/lib/base/text/text';
import { toPeople, type ContactPerson } from '@/lib/contacts/text';
import { formatPhone } from '@/lib/identity/phone';
import stateNames from '@/lib/gazetteer/state-names.json';
import type { FoundPlace } from '@/lib/gazetteer/place';
import { expand, type Bounds } from '@/lib/geo/geodesy';
import { toMapLng, toMercatorX, toMercatorY, worldSizePx } from '@/lib/geo/projection';
import type { LatLng } from '@/lib/geo/units';
import type { Fleet } from '@/lib/wire/fleet';
import { formatCount, formatWhole } from '@/lib/view/format';
import { marksOf, type UnitTag } from '@/lib/view/marks';
import { coordinatesText, parseCoordinates } from '@/lib/gazetteer/coordinates';
import { findBestMatches, searchRows, toSearchTerms, toTextMatcher, type SiteNames } from '@/lib/view/search';
import { unitTitle } from '@/lib/view/unit-name';
import { readUnitRow, type UnitRow } from '@/lib/view/unit-row';
import type { MapCamera, NearPlace } from '@/lib/view/view-state';

/** What a suggestion does. */
export type SuggestionAction =
  | { do: 'unit'; key: string; bounds: Bounds | null }
  | { do: 'go'; bounds: Bounds }
  | { do: 'list'; bounds: Bounds }
  | { do: 'site'; id: number; bounds: Bounds }
  | { do: 'near'; near: NearPlace }
  | { do: 'tag'; tag: string }
  | { do: 'load'; id: number };

/** A choice under the search field: what it leads to, and what tells it from others of its name. */
export interface Suggestion {
  kind: 'Loads' | 'Trucks' | 'Contacts' | 'Tags' | 'Sites' | 'Places';
  label: string;
  detail: string | null;
  action: SuggestionAction;
  /** The beginning of the label, which is enough beside the choice before it. */
  short?: string;
}

const MOST_UNITS = 5;
const MOST_CONTACTS = 4;
const MOST_TAGS = 3;
const MOST_LOADS = 4;
const MOST_SITES = 3;
const MOST_STATES = 2;
const MOST_TOWNS = 6;
/** Towns by what they are called. */
const ALIASES: Readonly<Record<string, string>> = {
  nyc: 'New York City',
  philly: 'Philadelphia',
  vegas: 'Las Vegas',
};
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

/** How well a name matches: it is the text, it begins with it, or has it elsewhere. */
const WHOLE = 0;
const BEGINS = 1;
const ELSEWHERE = 2;

type Ranked = Suggestion & { rank: number };

/** The units that match best, each with what it is. */
const suggestUnits = (units: readonly UnitRow[], part: string): Ranked[] =>
  units.slice(0, MOST_UNITS).map((unit) => {
    const { year, make, model, truckNumber } = unit.identity;
    const detail = [year, make, model].filter(Boolean).join(' ') || null;
    return {
      ...{ kind: 'Trucks', label: unitTitle(unit.identity), detail, action: showUnit(unit) },
      rank: rankOf(truckNumber ?? '', part),
    };
  });

const rankOf = (name: string, part: string): number => {
  const folded = fold(name);
  return folded === part ? WHOLE : folded.startsWith(part) ? BEGINS : ELSEWHERE;
};

/** How well a person matches: by a whole name or its beginning, or by the last digits of a number. */
const rankOfPerson = ({ name, phone }: ContactPerson, part: string): number => {
  const digits = part.replace(/\D/g, '');
  const isEnd = digits.length > 3 && phone.replace(/;.*/, '').endsWith(digits);
  const names = ` ${fold(name)} `;
  if (names.includes(` ${part} `)) return WHOLE;
  return isEnd || names.includes(` ${part}`) ? BEGINS : ELSEWHERE;
};

/** The people whose name or number has each word, each once, with the unit that they are called about: one that is silent first. */
const suggestContacts = (units: readonly UnitRow[], query: string, part: string): Ranked[] => {
  const matches = toTextMatcher(query);
  const people = new Map<string, { person: ContactPerson; units: UnitRow[] }>();
  for (const unit of units.toSorted((a, b) => Number(isSilent(b)) - Number(isSilent(a))))
    for (const person of toPeople(marksOf(unit.identity).contact)) {
      const { name, phone } = person;
      if (!matches([name, phone, formatPhone(phone)])) continue;
      const label = [name, phone === '' ? '' : formatPhone(phone)].filter(Boolean).join(' · ');
      const known = people.get(label);
      if (known === undefined) people.set(label, { person, units: [unit] });
      else known.units.push(unit);
    }
  return [...people].map(
    ([
      label,
      {
        person,
        units: [unit, ...others],
      },
    ]): Ranked => {
      const more = others.length === 0 ? '' : ` and ${formatCount(others.length, 'other')}`;
      return {
        ...{ kind: 'Contacts', label, detail: `${person.role}, ${unitTitle(unit!.identity)}${more}` },
        ...{ action: showUnit(unit!), rank: rankOfPerson(person, part) },
      };
    },
  );
};

const isSilent = ({ status }: UnitRow): boolean => status === 'silent';

/** So many of the units that a text finds are looked at. */
const MOST_READ = 500;

const findUnits = (fleet: Fleet, query: string, sites: SiteNames | null): UnitRow[] => {
  const rows = searchRows(fleet, query, sites);
  if (rows === null) return [];
  return Array.from(findBestMatches(fleet, rows, query))
    .slice(0, MOST_READ)
    .flatMap((row) => readUnitRow(fleet, row) ?? []);
};

const byRank = (a: Ranked, b: Ranked): number => a.rank - b.rank;

const suggestTags = (tags: readonly UnitTag[], part: string): Ranked[] =>
  tags
    .filter(({ tag }) => fold(tag).includes(part))
    .map(({ tag, units }): Ranked => ({
      kind: 'Tags',
      label: `Trucks with the tag ${tag}`,
      detail: formatCount(units.length, 'truck'),
      action: { do: 'tag', tag },
      rank: rankOf(tag, part),
    }))
    .sort(byRank)
    .slice(0, MOST_TAGS);

/** A site as it is suggested. */
export interface SuggestedSite extends LatLng {
  id: number;
  name: string;
  kind: string;
  radiusM: number;
}

/** A load as it is suggested, by its load, PO and BOL number. */
export interface SuggestedLoad {
  id: number;
  references: readonly string[];
  /** What tells it from others. */
  detail: string | null;
}

const goAndNear = (
  kind: Suggestion['kind'],
  rank: number,
  go: SuggestionAction,
  near: NearPlace & { name: string },
): Ranked[] => [
  { kind, rank, label: `Go to ${near.name}`, detail: null, action: go },
  {
    kind,
    rank,
    label: `Nearest trucks to ${near.name}`,
    short: 'Nearest trucks',
    detail: null,
    action: { do: 'near', near },
  },
];

/** The loads whose load, PO or BOL number has the text, also those without a truck. */
const suggestLoads = (loads: readonly SuggestedLoad[], part: string): Ranked[] =>
  loads
    .filter(({ references }) => references.some((reference) => fold(reference).includes(part)))
    .map(({ id, references, detail }): Ranked => ({
      kind: 'Loads',
      label: `Load ${references[0]!}`,
      detail,
      action: { do: 'load', id },
      rank: Math.min(...references.map((reference) => rankOf(reference, part))),
    }))
    .sort(byRank)
    .slice(0, MOST_LOADS);

const suggestSites = (sites: readonly SuggestedSite[], part: string): Ranked[] =>
  sites
    .filter(({ name }) => fold(name).includes(part))
    // A name of the carrier's own counts as a whole one as soon as one of its words begins with the text.
    .map((site) => ({ site, rank: ` ${fold(site.name)}`.includes(` ${part}`) ? WHOLE : ELSEWHERE }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST_SITES)
    .flatMap(({ site, rank }) => {
      const { id, name, kind, lat, lng, radiusM } = site;
      const go: SuggestionAction = { do: 'site', id, bounds: pointBounds(site, radiusM) };
      const [first, second] = goAndNear('Sites', rank, go, { lat, lng, name });
      return [{ ...first!, detail: kind }, second!];
    });

const suggestStates = (part: string, states: Readonly<Record<string, Bounds>> | null): Ranked[] =>
  Object.entries(stateNames)
    .filter(([code, name]) => code.toLowerCase() === part || (part.length > 2 && fold(name).startsWith(part)))
    .slice(0, MOST_STATES)
    .flatMap(([code, name]): Ranked[] => {
      const bounds = states?.[code];
      const rank = code.toLowerCase() === part ? WHOLE : rankOf(name, part);
      if (bounds === undefined) return [];
      return [
        { kind: 'Places', rank, label: `Go to ${name}`, detail: 'State', action: { do: 'go', bounds } },
        {
          kind: 'Places',
          rank,
          label: `List trucks in and around ${name}`,
          short: 'List trucks',
          detail: null,
          action: { do: 'list', bounds },
        },
      ];
    });

const suggestPosition = (query: string): Ranked[] => {
  const at = parseCoordinates(query);
  if (at === null) return [];
  const go: SuggestionAction = { do: 'go', bounds: pointBounds(at, ABOUT_M) };
  return goAndNear('Places', WHOLE, go, { ...at, name: coordinatesText(at) }).map((each) =>
    each.action.do === 'near' ? { ...each, action: { do: 'near', near: { ...at, name: null } } } : each,
  );
};

const suggestTowns = (places: readonly FoundPlace[], part: string): Ranked[] =>
  places.slice(0, MOST_TOWNS).flatMap((place) => {
    const { name, lat, lng, radiusM, isWhole } = place;
    const rank = isWhole ? WHOLE : rankOf(name.replace(/, [A-Z]{2}$/, ''), part);
    return goAndNear('Places', rank, { do: 'go', bounds: pointBounds(place, radiusM) }, { lat, lng, name });
  });

export interface SuggestionSources {
  /** Null before the first answer. */
  fleet: Fleet | null;
  siteNames: SiteNames | null;
  sites: readonly SuggestedSite[];
  tags: readonly UnitTag[];
  loads?: readonly SuggestedLoad[];
  /** Finds towns and ZIP codes; null until their tables are there. */
  findPlaces: ((text: string, most: number) => FoundPlace[]) | null;
  /** Bounds of the states by their codes; null until they are there. */
  states: Readonly<Record<string, Bounds>> | null;
}

/** Suggestions, and how to find towns that are not among them; null: there are none. */
interface Suggested {
  items: Suggestion[];
  /** The load whose number was typed whole, where no truck has that number; null: none. */
  load: Suggestion | null;
  more: string | null;
}

/** The suggestions for a text by kind, the kind with the best match first; none for an empty text. */
export const suggest = (text: string, sources: SuggestionSources): Suggested => {
  const query = text.trim();
  const part = fold(query);
  if (part === '') return { items: [], load: null, more: null };
  const { fleet, siteNames, sites, tags, loads = [], findPlaces, states } = sources;
  const units = fleet === null ? [] : findUnits(fleet, query, siteNames);
  const towns = part.length < 2 ? [] : (findPlaces?.(ALIASES[part] ?? query, MOST_TOWNS + 1) ?? []);
  const hidden = towns[MOST_TOWNS];
  const people = suggestContacts(units, query, part).sort(byRank);
  const trucks = suggestUnits(units, toSearchTerms(query).join(' '));
  const suggestedLoads = suggestLoads(loads, part);
  const [load] = trucks.some(({ rank }) => rank === WHOLE) ? [] : suggestedLoads;
  const groups = [
    suggestedLoads,
    trucks,
    people.slice(0, MOST_CONTACTS),
    suggestTags(tags, part),
    suggestSites(sites, part),
    [...suggestPosition(query), ...suggestStates(part, states), ...suggestTowns(towns, part)].sort(byRank),
  ];
  const bestOf = (group: readonly Ranked[]): number => Math.min(...group.map(({ rank }) => rank));
  return {
    items: groups
      .sort((a, b) => bestOf(a) - bestOf(b))
      .flat()
      .map(({ rank: _, ...suggestion }) => suggestion),
    load: load?.rank === WHOLE ? load : null,
    more:
      hidden !== undefined
        ? `There are more. Add the state, as in “${hidden.name.toLowerCase()}”.`
        : people.length > MOST_CONTACTS
          ? `${formatWhole(people.length - MOST_CONTACTS)} more people have this name. Add more of it.`
          : null,
  };
};
