import { FLAGS, STATUSES } from '@/lib/motion/status';
import type { LatLng } from '@/lib/geo/units';
import type { UnitFilter } from './filter';
import { LIST_COLUMNS, type ListColumn, SILENT_REASONS } from './text';
import { BOARD_VERDICTS } from './load-verdicts';
import { SORT_ORDERS, type SortOrder } from './sort';

/** The map's center in degrees and its zoom. */
export interface MapCamera {
  lat: number;
  lng: number;
  zoom: number;
}

/** A place whose nearest units are listed, degrees; without a name, it has that of its town. */
export interface NearPlace extends LatLng {
  name: string | null;
}

/** How many times faster than life the past is played. */
export const PAST_SPEEDS = [1, 10, 60, 300, 600] as const;
export type PastSpeed = (typeof PAST_SPEEDS)[number];

/** How far back the tails of the units on the map may reach, minutes. */
export const TAIL_MINUTES = [10, 30, 60, 120, 240] as const;
export type TailMinutes = (typeof TAIL_MINUTES)[number];

/** A moment in the past that the screen shows, Unix ms in whole seconds, and how fast it is played. */
export interface PastMoment {
  atMs: number;
  speed: PastSpeed;
}

/** The part of the fleet screen's state that its URL keeps. */
export interface ViewState extends UnitFilter {
  /** Key of the selected unit. */
  unit: string | null;
  inView: boolean;
  sort: SortOrder;
  columns: readonly ListColumn[];
  camera: MapCamera | null;
  /** Null: no unit but the selected one shows where it went. */
  tails: TailMinutes | null;
  /** Null: the nearest units of no place are listed. */
  near: NearPlace | null;
  /** Whether the list of nearest units has only the free ones. */
  isFreeOnly: boolean;
  /** The map shows the sites of the fleet. */
  showsSites: boolean;
  /** Null: the live fleet. */
  past: PastMoment | null;
}

/** No filter: all units of a fleet. */
export const UNFILTERED: UnitFilter & Pick<ViewState, 'inView'> = {
  query: '',
  statuses: [],
  reasons: [],
  flagged: false,
  flags: [],
  tags: [],
  sites: [],
  loads: [],
  inView: false,
};

export const EVERYTHING: ViewState = {
  ...UNFILTERED,
  unit: null,
  sort: 'attention',
  columns: [],
  camera: null,
  tails: null,
  near: null,
  isFreeOnly: false,
  showsSites: false,
  past: null,
};

const LONGEST_TEXT = 100;
const [LONGEST_TAG, MOST_TAGS] = [40, 20];
const MAX_ZOOM = 22;
const ID_PATTERN = /^[1-9]\d{0,8}$/;
const CAMERA_PATTERN = /^@?(-?\d{1,3}(?:\.\d+)?),(-?\d{1,4}(?:\.\d+)?),(\d{1,2}(?:\.\d+)?)z?$/;

const parseCamera = (text: string | null): MapCamera | null => {
  const match = CAMERA_PATTERN.exec(text ?? '');
  if (!match) return null;
  const [lat, lng, zoom] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (Math.abs(lat) > 85 || zoom > MAX_ZOOM) return null;
  // Normalizes the longitude of a map that was dragged round the world.
  const turns = Math.floor((lng + 180) / 360);
  return { lat, lng: turns === 0 ? lng : lng - turns * 360, zoom };
};

const NEAR_PATTERN = /^(-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)(?:,(.*))?$/;
const LONGEST_PLACE = 100;

const parseNear = (text: string | null): NearPlace | null => {
  const match = NEAR_PATTERN.exec(text ?? '');
  if (!match) return null;
  const [lat, lng] = [Number(match[1]), Number(match[2])];
  if (Math.abs(lat) > 85 || Math.abs(lng) > 180) return null;
  const name = (match[3] ?? '').trim();
  return { lat, lng, name: name === '' || name.length > LONGEST_PLACE ? null : name };
};

const toNearText = ({ lat, lng, name }: NearPlace): string =>
  [Number(lat.toFixed(5)), Number(lng.toFixed(5)), ...(name === null ? [] : [name])].join(',');

/** Names of a list in a URL, in any case. */
const parseNames = <T extends string>(text: string | null, names: readonly T[]): T[] => {
  const requested = new Set((text ?? '').toLowerCase().split(','));
  return names.filter((name) => requested.has(name.toLowerCase()));
};

/** The tags of a list in a URL, in small letters as they are stored. */
const parseTags = (text: string | null): string[] => {
  const tags = (text ?? '')
    .toLowerCase()
    .split(',')
    .map((tag) => tag.trim());
  return [...new Set(tags)].filter((tag) => tag !== '' && tag.length <= LONGEST_TAG).slice(0, MOST_TAGS);
};

/** The time of day is optional, so that people can write such an address: 2026-11-17, 2026-11-17T19:36:12Z. */
const MOMENT_PATTERN = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$/;

const parsePast = (params: URLSearchParams): PastMoment | null => {
  const text = params.get('past') ?? '';
  const atMs = MOMENT_PATTERN.test(text) ? Date.parse(text) : NaN;
  if (!(atMs > 0)) return null;
  return { atMs, speed: PAST_SPEEDS.find((speed) => String(speed) === params.get('speed')) ?? 1 };
};

/** "2026-11-17T19:36:12Z" */
const toMomentText = ({ atMs }: PastMoment): string => `${new Date(atMs).toISOString().slice(0, 19)}Z`;

/** Ids of a list in a URL, each once. */
const parseIds = (text: string | null): number[] => [
  ...new Set(
    (text ?? '')
      .split(',')
      .filter((id) => ID_PATTERN.test(id))
      .map(Number),
  ),
];

const parseText = (text: string | null): string => (text ?? '').slice(0, LONGEST_TEXT);

/** The view of a query string; invalid values are left out. */
export const parseViewState = (search: string): ViewState => {
  const params = new URLSearchParams(search);
  const requested = new Set((params.get('status') ?? '').toLowerCase().split(','));
  const sort = SORT_ORDERS.find((order) => order === params.get('sort'));
  return {
    unit: parseText(params.get('unit')).trim() || null,
    query: parseText(params.get('q')),
    statuses: STATUSES.filter((status) => requested.has(status)),
    reasons: parseNames(params.get('silent'), SILENT_REASONS),
    flagged: requested.has('check'),
    flags: parseNames(params.get('flag'), FLAGS),
    tags: parseTags(params.get('tag')),
    sites: parseIds(params.get('site')),
    loads: parseNames(params.get('load'), BOARD_VERDICTS),
    inView: params.get('in') === 'view',
    sort: sort ?? EVERYTHING.sort,
    columns: parseNames(params.get('columns'), LIST_COLUMNS),
    camera: parseCamera(params.get('at')),
    tails: TAIL_MINUTES.find((minutes) => String(minutes) === params.get('tails')) ?? null,
    near: parseNear(params.get('near')),
    isFreeOnly: params.get('free') === 'on',
    showsSites: params.get('sites') === 'on',
    past: parsePast(params),
  };
};

const toCameraText = ({ lat, lng, zoom }: MapCamera): string =>
  `@${Number(lat.toFixed(5))},${Number(lng.toFixed(5))},${Number(zoom.toFixed(2))}`;

/** Keeps the URL legible: commas, colons and the at sign need no escape in a query. */
const encode = (text: string): string =>
  encodeURIComponent(text)
    .replace(/%2C/g, ',')
    .replace(/%3A/g, ':')
    .replace(/%40/g, '@')
    .replace(/%20/g, '+');

/** A view as a query string ("" or "?…"), with only what differs from the default view. */
export const toViewSearch = (view: ViewState): string => {
  const statuses = [...view.statuses, ...(view.flagged ? ['check'] : [])];
  const entries: [name: string, text: string | null][] = [
    ['unit', view.unit],
    ['q', view.query.trim() || null],
    ['status', statuses.join(',') || null],
    ['silent', view.reasons.join(',') || null],
    ['flag', view.flags.join(',') || null],
    ['tag', view.tags.join(',') || null],
    ['load', view.loads.join(',') || null],
    ['site', view.sites.join(',') || null],
    ['in', view.inView ? 'view' : null],
    ['sort', view.sort === EVERYTHING.sort ? null : view.sort],
    ['columns', view.columns.join(',') || null],
    ['at', view.camera && toCameraText(view.camera)],
    ['tails', view.tails && String(view.tails)],
    ['near', view.near && toNearText(view.near)],
    ['free', view.isFreeOnly ? 'on' : null],
    ['sites', view.showsSites ? 'on' : null],
    ['past', view.past && toMomentText(view.past)],
    ['speed', view.past === null || view.past.speed === 1 ? null : String(view.past.speed)],
  ];
  const pairs = entries.flatMap(([name, text]) => (text === null ? [] : [`${name}=${encode(text)}`]));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};
