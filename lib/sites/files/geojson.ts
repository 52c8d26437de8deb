import type { Site, SiteShape } from '../schema';
import { toColumnName } from '../../table-files/table';
import { toCandidate, toCircle, toPolygon, toProperties } from './candidate';
import type { Candidate, FileDefaults, TextOf } from './candidate';

type Position = readonly unknown[];

/** The corners of a ring, which ends where it begins, each a latitude and a longitude. */
const toCorners = (ring: readonly Position[]): Position[] => {
  const corners = ring.map(([lng, lat]) => [lat, lng]);
  const [first, last] = [corners[0], corners.at(-1)];
  const isClosed = corners.length > 1 && first![0] === last![0] && first![1] === last![1];
  return isClosed ? corners.slice(0, -1) : corners;
};

interface Geometry {
  type?: unknown;
  coordinates?: unknown;
  geometries?: unknown;
}

/** A collection of one geometry is that geometry. */
const toOnly = (geometry: Geometry): Geometry => {
  const { type, coordinates, geometries } = geometry;
  if (type === 'GeometryCollection' && Array.isArray(geometries) && geometries.length === 1)
    return toOnly((geometries[0] ?? {}) as Geometry);
  const isOne = Array.isArray(coordinates) && coordinates.length === 1;
  if (isOne && type === 'MultiPolygon') return { type: 'Polygon', coordinates: coordinates[0] };
  if (isOne && type === 'MultiPoint') return { type: 'Point', coordinates: coordinates[0] };
  return geometry;
};

/** The shape of a site, or why a geometry is none. */
const toShape = (geometry: Geometry | null, textOf: TextOf, defaults: FileDefaults): SiteShape | string => {
  if (geometry === null || typeof geometry !== 'object')
    return 'It has no place: give it a Point or a Polygon.';
  const { type, coordinates } = toOnly(geometry);
  if (Array.isArray(coordinates) && coordinates.length > 1 && /^Multi(Polygon|Point)$/.test(String(type)))
    return `It is ${coordinates.length} ${type === 'MultiPoint' ? 'points' : 'polygons'} (${String(type)}): make each a site of its own.`;
  if (type !== 'Point' && type !== 'Polygon')
    return `It is a ${String(type)}: a site is a Point or a Polygon.`;
  if (!Array.isArray(coordinates)) return 'Its coordinates are not a list of numbers: export the file again.';
  if (type === 'Point') {
    const [lng, lat] = coordinates as unknown[];
    return toCircle([lat, lng], textOf, defaults);
  }
  if (coordinates.length > 1)
    return 'Its polygon has a hole, which a site cannot have: draw its outer edge alone.';
  const ring: unknown = coordinates[0];
  if (!Array.isArray(ring) || !ring.every(Array.isArray))
    return 'Its corners are not lists of numbers: export the file again.';
  return toPolygon(toCorners(ring as Position[]));
};

interface Feature {
  geometry?: Geometry | null;
  properties?: Record<string, unknown> | null;
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&apos;': "'", '&nbsp;': ' ', '&amp;': '&' },
};

/** The text of a property; a description in HTML, as KML has it in CDATA, without its tags. */
const toText = (value: unknown): string | null => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  const { '@type': type, value: html } = (value ?? {}) as { '@type'?: unknown; value?: unknown };
  if (type !== 'html' || typeof html !== 'string') return null;
  return html
    .replace(/<(?:br|\/p|\/div|\/tr|\/li)\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:lt|gt|quot|#39|apos|nbsp|amp);/g, (entity) => ENTITIES[entity]!)
    .trim();
};

const toTextOf = ({ properties }: Feature): TextOf => {
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(properties ?? {})) {
    const text = toText(value);
    if (text !== null) texts.set(toColumnName(name), text);
  }
  return (property) => texts.get(property);
};

/** The sites of features; `noun` names one of them in the file. */
export const readFeatures = (
  features: readonly unknown[],
  noun: string,
  defaults: FileDefaults,
): Candidate[] =>
  features.map((value, index) => {
    const feature = (value ?? {}) as Feature;
    const textOf = toTextOf(feature);
    return toCandidate(
      `${noun} ${index + 1}`,
      textOf,
      toShape(feature.geometry ?? null, textOf, defaults),
      defaults,
    );
  });

/** The sites of a GeoJSON document; a text: why it cannot be read. */
export const readGeoJson = (text: string, defaults: FileDefaults): Candidate[] | string => {
  let value: { type?: unknown; features?: unknown } | null;
  try {
    value = JSON.parse(text) as typeof value;
  } catch (error) {
    return `The file is not JSON: ${error instanceof Error ? error.message : String(error)}.`;
  }
  if (value?.type === 'Feature') return readFeatures([value], 'Feature', defaults);
  if (value?.type !== 'FeatureCollection' || !Array.isArray(value.features))
    return `The file is not GeoJSON with features: its type is ${JSON.stringify(value?.type ?? null)}. Export it as a FeatureCollection.`;
  return readFeatures(value.features, 'Feature', defaults);
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
