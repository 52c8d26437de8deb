import { gzipSync } from 'node:zlib';
import { Compression, TileType, zxyToTileId } from 'pmtiles';

/** A feature of a vector tile: its layer and kind, and its points in degrees (longitude, latitude). */
export interface StreetFeature {
  layer: 'earth' | 'water' | 'landuse' | 'roads' | 'places' | 'boundaries';
  kind: string;
  type: 'point' | 'line' | 'polygon';
  points: [lng: number, lat: number][];
  /** More properties, such as its name. */
  more?: Record<string, string>;
}

interface ArchiveContent {
  features: StreetFeature[];
  minZoom: number;
  maxZoom: number;
  attribution?: string;
}

const EXTENT = 4096;
const HEADER_BYTES = 127;
/** Readers expect header and root directory here; an archive with more tiles has leaf directories. */
const MAX_ROOT_BYTES = 16_384;
const GEOMETRY_TYPES = { point: 1, line: 2, polygon: 3 };

const varint = (value: number): number[] => {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
};
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
/** A field of a protobuf message: a number, or bytes. */
const field = (id: number, value: number | number[]): number[] =>
  typeof value === 'number'
    ? [...varint(id * 8), ...varint(value)]
    : [...varint(id * 8 + 2), ...varint(value.length), ...value];
const utf8 = (text: string): number[] => [...new TextEncoder().encode(text)];

/** Web Mercator, 0…1. */
const project = ([lng, lat]: [number, number]): [number, number] => {
  const phi = (lat * Math.PI) / 180;
  return [(lng + 180) / 360, 0.5 - Math.log(Math.tan(Math.PI / 4 + phi / 2)) / (2 * Math.PI)];
};

const encodeGeometry = (type: StreetFeature['type'], points: [number, number][]): number[] => {
  const steps = points.map(([x, y], i) => [x - (points[i - 1]?.[0] ?? 0), y - (points[i - 1]?.[1] ?? 0)]);
  const commands = [1 * 8 + 1, zigzag(steps[0]![0]!), zigzag(steps[0]![1]!)];
  if (type !== 'point') {
    commands.push((steps.length - 1) * 8 + 2, ...steps.slice(1).flat().map(zigzag));
    if (type === 'polygon') commands.push(1 * 8 + 7);
  }
  return commands.flatMap(varint);
};

/** One vector tile: the whole of each feature, also outside of the tile. */
const encodeTile = (features: StreetFeature[], z: number, x: number, y: number): number[] => {
  const layers = [...new Set(features.map(({ layer }) => layer))];
  return layers.flatMap((layer) => {
    const keys: string[] = [];
    const values: string[] = [];
    const indexOf = (list: string[], text: string) =>
      list.includes(text) ? list.indexOf(text) : list.push(text) - 1;
    const encoded = features
      .filter((feature) => feature.layer === layer)
      .flatMap(({ kind, type, points, more }) => {
        const tags = Object.entries({ kind, ...more }).flatMap(([key, value]) => [
          indexOf(keys, key),
          indexOf(values, value),
        ]);
        const placed = points
          .map(project)
          .map(([px, py]): [number, number] => [
            Math.round((px * 2 ** z - x) * EXTENT),
            Math.round((py * 2 ** z - y) * EXTENT),
          ]);
        return field(2, [
          ...field(2, tags.flatMap(varint)),
          ...field(3, GEOMETRY_TYPES[type]),
          ...field(4, encodeGeometry(type, placed)),
        ]);
      });
    const names = [
      ...keys.flatMap((key) => field(3, utf8(key))),
      ...values.flatMap((value) => field(4, field(1, utf8(value)))),
    ];
    return field(3, [...field(1, utf8(layer)), ...encoded, ...names, ...field(5, EXTENT), ...field(15, 2)]);
  });
};

/** The tiles of a zoom that a feature's bounds touch. */
const tilesOf = ({ points }: StreetFeature, z: number): string[] => {
  const placed = points.map(project);
  const range = (axis: 0 | 1) => {
    const all = placed.map((point) => Math.floor(point[axis] * 2 ** z));
    const from = Math.min(...all);
    return Array.from({ length: Math.max(...all) - from + 1 }, (_, i) => from + i);
  };
  return range(0).flatMap((x) => range(1).map((y) => `${z}/${x}/${y}`));
};

const encodeDirectory = (entries: { id: number; offset: number; length: number }[]): number[] => [
  ...varint(entries.length),
  ...entries.flatMap(({ id }, i) => varint(id - (entries[i - 1]?.id ?? 0))),
  ...entries.flatMap(() => varint(1)),
  ...entries.flatMap(({ length }) => varint(length)),
  ...entries.flatMap(({ offset }) => varint(offset + 1)),
];

const encodeHeader = (
  root: number,
  metadata: number,
  data: number,
  entries: number,
  content: ArchiveContent,
): Buffer => {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles', 0, 'latin1');
  header[7] = 3;
  const sections = [HEADER_BYTES, root, HEADER_BYTES + root, metadata, HEADER_BYTES + root + metadata, 0];
  [...sections, HEADER_BYTES + root + metadata, data, entries, entries, entries].forEach((value, i) =>
    header.writeBigUInt64LE(BigInt(value), 8 + 8 * i),
  );
  header.set([1, Compression.Gzip, Compression.Gzip, TileType.Mvt, content.minZoom, content.maxZoom], 96);
  return header;
};

/** A PMTiles archive (version 3) of a few features, for tests. */
export const createStreetArchive = (content: ArchiveContent): Buffer => {
  const tiles = new Map<string, StreetFeature[]>();
  for (let z = content.minZoom; z <= content.maxZoom; z++) {
    for (const feature of content.features)
      for (const name of tilesOf(feature, z)) tiles.set(name, [...(tiles.get(name) ?? []), feature]);
  }
  let offset = 0;
  const stored = [...tiles]
    .map(([name, features]) => {
      const [z, x, y] = name.split('/').map(Number) as [number, number, number];
      return { id: zxyToTileId(z, x, y), bytes: gzipSync(Uint8Array.from(encodeTile(features, z, x, y))) };
    })
    .sort((a, b) => a.id - b.id);
  const entries = stored.map(({ id, bytes }) => ({
    id,
    length: bytes.length,
    offset: (offset += bytes.length) - bytes.length,
  }));
  const root = gzipSync(Uint8Array.from(encodeDirectory(entries)));
  if (HEADER_BYTES + root.length > MAX_ROOT_BYTES) throw new Error('An archive for tests has fewer tiles.');
  const metadata = gzipSync(JSON.stringify({ attribution: content.attribution ?? '' }));
  const header = encodeHeader(root.length, metadata.length, offset, entries.length, content);
  return Buffer.concat([header, root, metadata, ...stored.map(({ bytes }) => bytes)]);
};
