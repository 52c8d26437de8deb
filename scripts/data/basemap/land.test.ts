import { describe, expect, it } from 'vitest';
import { fromDifferences, toWorld, type Line } from '@/lib/geo/base-map/basemap-file';
import { buildStateLabels } from './labels';
import { buildAreas, buildCountyLines, buildLines, buildRoads, readSources } from './land';

const sources = readSources();
const areas = buildAreas(sources);

const toPoints = (line: Line): [number, number][] => {
  const points: [number, number][] = [];
  let [x, y] = [0, 0];
  for (let i = 0; i < line.length; i += 2) points.push([(x += line[i]!), (y += line[i + 1]!)]);
  return points;
};

const isOn = (rings: Line[], lat: number, lng: number): boolean => {
  const [x, y] = toWorld(lng, lat);
  let inside = false;
  for (const ring of rings.map(toPoints)) {
    ring.forEach(([ax, ay], i) => {
      const [bx, by] = ring[(i + ring.length - 1) % ring.length]!;
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    });
  }
  return inside;
};

describe('the areas of the base map', () => {
  it.each([
    ['Dallas', 32.78, -96.8],
    ['Seattle', 47.6, -122.33],
    ['Miami', 25.79, -80.21],
    ['Anchorage', 61.2, -149.85],
  ])('hold %s on US land', (_, lat, lng) => {
    expect(isOn(areas.usLand, lat, lng)).toBe(true);
    expect(isOn(areas.nearLand, lat, lng)).toBe(false);
  });

  it('hold Canada and Mexico beside it, and the rest of the world', () => {
    expect(isOn(areas.nearLand, 52, -106)).toBe(true);
    expect(isOn(areas.nearLand, 24, -102)).toBe(true);
    expect(isOn(areas.farLand, 48.8, 2.3)).toBe(true);
    expect(isOn(areas.farLand, 68, 178)).toBe(true);
    expect(isOn(areas.farLand, 66, -172)).toBe(true);
  });

  it('leave the Great Lakes open, and put lakes within states on the land', () => {
    expect(isOn(areas.usLand, 43, -87)).toBe(false);
    expect(isOn(areas.outerLakes, 43, -87)).toBe(true);
    expect(isOn(areas.innerLakes, 41.1, -112.5)).toBe(true);
    expect(isOn(areas.usLand, 30, -60)).toBe(false);
  });
});

describe('the lines of the base map', () => {
  it('hold every set, none empty', () => {
    const sets = { ...buildLines(sources), countyLines: buildCountyLines(sources) };
    expect(Object.entries(sets).filter(([, lines]) => lines.length === 0)).toEqual([]);
  });

  it('hold the interstates by name', () => {
    const roads = buildRoads();
    expect(roads.find(({ name }) => name === 'I-40')?.lines[0]!.length).toBeGreaterThan(40);
    expect(new Set(roads.map(({ name }) => name)).size).toBe(roads.length);
  });
});

describe('the names of the states', () => {
  it('stand within their states', () => {
    const { names, x, y, short } = buildStateLabels(sources);
    const texas = names.split('\n').indexOf('Texas');
    expect(short[texas]).toBe('TX');
    const [west, north] = toWorld(-104, 34);
    const [east, south] = toWorld(-95, 29);
    expect(fromDifferences(x)[texas]).toBeGreaterThan(west);
    expect(fromDifferences(x)[texas]).toBeLessThan(east);
    expect(fromDifferences(y)[texas]).toBeGreaterThan(north);
    expect(fromDifferences(y)[texas]).toBeLessThan(south);
    expect(short).toHaveLength(52);
  });
});
