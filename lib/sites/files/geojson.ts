import type { Site, SiteShape } from '../schema';
import { toCandidate, toCircle, toProperties } from './candidate';
import type { Candidate, TextOf } from './candidate';

type Position = readonly number[];

/** The corners of a ring, which ends where it begins. */
const toCorners = (ring: readonly Position[]): [number, number][] => {
  const corners = ring.map(([lng, lat]): [number, number] => [Number(lat), Number(lng)]);
  const [first, last] = [corners[0], corners.at(-1)];
  const isClosed = corners.length > 1 && first![0] === last![0] && first![1] === last![1];
  return isClosed ? corners.slice(0, -1) : corners;
};

interface Geometry {
  type?: unknown;
  coordinates?: unknown;
}

/** The shape of a site, or why a geometry is none. */
const toShape = (
  geometry: Geometry | null,
  textOf: TextOf,
  defaultRadiusM: number | null,
): SiteShape | string => {
  if (geometry === null || typeof geometry !== 'object') return 'It has no place.';
  const { type, coordinates } = geometry;
  if (type === 'MultiPolygon') return 'It is several polygons (MultiPolygon): make each a site of its own.';
  if (type !== 'Point' && type !== 'Polygon')
    return `It is a ${String(type)}: a site is a Point or a Polygon.`;
  if (!Array.isArray(coordinates)) return 'Its coordinates cannot be read.';
  if (type === 'Point') {
    const [lng, lat] = coordinates as number[];
    return toCircle({ lat: Number(lat), lng: Number(lng) }, textOf, defaultRadiusM);
  }
  if (coordinates.length > 1) return 'Its polygon has a hole, which a site cannot have.';
  const ring: unknown = coordinates[0];
  if (!Array.isArray(ring) || !ring.every(Array.isArray)) return 'Its coordinates cannot be read.';
  return { type: 'polygon', corners: toCorners(ring as Position[]) };
};

interface Feature {
  geometry?: Geometry | null;
  properties?: Record<string, unknown> | null;
}

/** Names of properties as they are compared: "Radius (m)" is "radius_m". */
export const toPropertyName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

const toTextOf = ({ properties }: Feature): TextOf => {
  const texts = new Map(
    Object.entries(properties ?? {})
      .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
      .map(([name, value]) => [toPropertyName(name), String(value)]),
  );
  return (property) => texts.get(property);
};

/** The sites of features; `noun` names one of them in the file. */
export const readFeatures = (
  features: readonly unknown[],
  noun: string,
  defaultRadiusM: number | null,
): Candidate[] =>
  features.map((value, index) => {
    const feature = (value ?? {}) as Feature;
    const textOf = toTextOf(feature);
    return toCandidate(
      `${noun} ${index + 1}`,
      textOf,
      toShape(feature.geometry ?? null, textOf, defaultRadiusM),
    );
  });

/** The sites of a GeoJSON document; a text: why it cannot be read. */
export const readGeoJson = (text: string, defaultRadiusM: number | null): Candidate[] | string => {
  let value: { type?: unknown; features?: unknown } | null;
  try {
    value = JSON.parse(text) as typeof value;
  } catch (error) {
    return `The file is not JSON: ${error instanceof Error ? error.message : String(error)}.`;
  }
  if (value?.type === 'Feature') return readFeatures([value], 'Feature', defaultRadiusM);
  if (value?.type !== 'FeatureCollection' || !Array.isArray(value.features))
    return 'The file is not GeoJSON with features: its type is neither FeatureCollection nor Feature.';
  return readFeatures(value.features, 'Feature', defaultRadiusM);
};

const toGeometry = (shape: SiteShape): Geometry =>
  shape.type === 'circle'
    ? { type: 'Point', coordinates: [shape.lng, shape.lat] }
    : {
        type: 'Polygon',
        coordinates: [[...shape.corners, shape.corners[0]!].map(([lat, lng]) => [lng, lat])],
      };

/** RFC 7946; a circle is a point with the property radius_m. */
export const writeGeoJson = (sites: readonly Site[]): string => {
  const features = sites.map((site) => ({
    type: 'Feature',
    geometry: toGeometry(site.shape),
    properties: {
      name: site.name,
      ...(site.shape.type === 'circle' && { radius_m: site.shape.radiusM }),
      ...toProperties(site),
    },
  }));
  return `${JSON.stringify({ type: 'FeatureCollection', features }, null, 1)}\n`;
};
