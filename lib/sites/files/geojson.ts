import type { Site, SiteShape } from '@/lib/rules/site';
import {
  toCandidate,
  toCircle,
  toPolygon,
  toProperties,
  type Candidate,
  type FileDefaults,
  type TextOf,
} from './candidate';
import { toMeanings } from './columns';

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
  type?: unknown;
  features?: unknown;
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

const readProperties = ({ properties }: Feature) =>
  toMeanings(
    Object.entries(properties ?? {}).flatMap(([name, value]): [string, string][] => {
      const text = toText(value);
      return text === null ? [] : [[name, text]];
    }),
  );

/** The sites of features; `noun` names one of them in the file. */
export const readFeatures = (
  features: readonly unknown[],
  noun: string,
  defaults: FileDefaults,
): Candidate[] =>
  features.map((value, index) => {
    const feature = (value ?? {}) as Feature;
    const { textOf, fault } = readProperties(feature);
    const shape = toShape(feature.geometry ?? null, textOf, defaults);
    const candidate = toCandidate(`${noun} ${index + 1}`, textOf, shape, defaults);
    if (fault !== null) candidate.faults.push(fault);
    return candidate;
  });

/** Stands before each document of a sequence (RFC 8142). */
export const RECORD_SEPARATOR = '\u001E';

/** A JSON document, or one for each line (RFC 8142, and files without its separators). @throws SyntaxError */
const parseDocuments = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    const lines = text
      .replaceAll(RECORD_SEPARATOR, '\n')
      .split('\n')
      .filter((line) => line.trim() !== '');
    const isSequence = lines.length > 1 || text.startsWith(RECORD_SEPARATOR);
    if (!isSequence || !lines.every((line) => /^\s*\{.*\}\s*$/.test(line))) throw error;
    return lines.map((line): unknown => JSON.parse(line));
  }
};

const MAX_NESTED = 10;

/** The features of a document, also of collections in collections and of a list; null: it has none. */
const listFeatures = (value: unknown, depth = MAX_NESTED): unknown[] | null => {
  const { type, features } = (value ?? {}) as Feature;
  if (type === 'Feature') return [value];
  const each = Array.isArray(value) ? value : type === 'FeatureCollection' ? features : null;
  if (!Array.isArray(each)) return null;
  // What is no feature is named by its place, as one without a place.
  return depth === 0 ? each : each.flatMap((inner: unknown) => listFeatures(inner, depth - 1) ?? [inner]);
};

const toTypeText = (value: unknown): string => {
  const { type, features } = (value ?? {}) as Feature;
  if (type === undefined && Array.isArray(features))
    return 'it has features and no type, as Esri JSON has them';
  return type === undefined ? 'it names no type' : `its type is ${JSON.stringify(type)}`;
};

/** The sites of a GeoJSON document; a text: why it cannot be read. */
export const readGeoJson = (text: string, defaults: FileDefaults): Candidate[] | string => {
  let value: unknown;
  try {
    value = parseDocuments(text);
  } catch (error) {
    return `The file is not JSON: ${error instanceof Error ? error.message : String(error)}.`;
  }
  const features = listFeatures(value);
  return features === null
    ? `The file is not GeoJSON with features: ${toTypeText(value)}. Export it as a FeatureCollection.`
    : readFeatures(features, 'Feature', defaults);
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
