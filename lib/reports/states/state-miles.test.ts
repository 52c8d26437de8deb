import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { MultiPolygon, Polygon } from 'geojson';
import { feature } from 'topojson-client';
import { expect, test } from 'vitest';
import { distanceM, interpolate } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { createRandom } from '@/testing/motion/fixes';
import { StateIndex, type StatesAtlas } from './state-index';
import { splitLine } from './state-miles';

const path = createRequire(import.meta.url).resolve('us-atlas/states-10m.json');
const atlas = JSON.parse(readFileSync(path, 'utf8')) as StatesAtlas;
const index = new StateIndex(atlas);
const shapes = feature(atlas, atlas.objects.states).features;

/** The state by even-odd over all edges of all polygons. */
const bruteState = ({ lat, lng }: LatLng): number =>
  1 +
  shapes.findIndex(({ geometry }, i) => {
    if (index.codes[i + 1] === '') return false;
    const { type, coordinates } = geometry as Polygon | MultiPolygon;
    let isIn = false;
    for (const ring of type === 'Polygon' ? coordinates : coordinates.flat())
      for (let e = 1; e < ring.length; e++) {
        const [[x1, y1], [x2, y2]] = [ring[e - 1]!, ring[e]!] as [[number, number], [number, number]];
        if (y1 > lat !== y2 > lat && x1 + ((lat - y1) / (y2 - y1)) * (x2 - x1) < lng) isIn = !isIn;
      }
    return isIn;
  });

const codeAt = (lat: number, lng: number): string => index.codes[index.stateAt({ lat, lng })]!;

test('names the state of a position, and none at sea or abroad', () => {
  expect(codeAt(35.2, -101.8)).toBe('TX');
  expect(codeAt(38.9, -77.03)).toBe('DC');
  expect(codeAt(61.2, -149.9)).toBe('AK');
  expect(codeAt(19.7, -155.5)).toBe('HI');
  expect([codeAt(43.65, -79.4), codeAt(30, -140), codeAt(85, 10), codeAt(-40, 170)]).toEqual([
    '',
    '',
    '',
    '',
  ]);
});

test('the grid and all polygons agree, near borders too', () => {
  const random = createRandom(7);
  const wrong: LatLng[] = [];
  for (let i = 0; i < 1500; i++) {
    const at = { lat: 24 + 26 * random(), lng: -125 + 59 * random() };
    // One of two about the Four Corners and the crooked border of Kentucky.
    if (i % 4 === 1) Object.assign(at, { lat: 36.9 + 0.2 * random(), lng: -109.2 + 0.3 * random() });
    if (i % 4 === 3) Object.assign(at, { lat: 36.4 + 0.4 * random(), lng: -89.6 + 0.5 * random() });
    if (index.stateAt(at) !== bruteState(at)) wrong.push(at);
  }
  expect(wrong).toEqual([]);
});

test('a line is cut at borders as by looking each few meters', () => {
  const lines: [LatLng, LatLng][] = [
    // Texarkana, a corner of Oklahoma on the way from Texas to Arkansas, and a gap from Ohio to Missouri.
    [
      { lat: 33.44, lng: -94.06 },
      { lat: 33.45, lng: -94.02 },
    ],
    [
      { lat: 33.5, lng: -94.9 },
      { lat: 33.9, lng: -94.3 },
    ],
    [
      { lat: 39.96, lng: -83 },
      { lat: 38.63, lng: -90.2 },
    ],
  ];
  for (const [from, to] of lines) {
    const meters = distanceM(from, to);
    const cut = new Map<number, number>();
    splitLine(index, { from, to, start: 0, end: 1, meters }, (state, part) =>
      cut.set(state, (cut.get(state) ?? 0) + part),
    );
    expect([...cut.values()].reduce((sum, each) => sum + each)).toBeCloseTo(meters, 3);
    expect(cut.size).toBeGreaterThan(1);
    const STEPS = Math.ceil(meters / 20);
    const looked = new Map<number, number>();
    for (let i = 0; i < STEPS; i++) {
      const state = index.stateAt(interpolate(from, to, (i + 0.5) / STEPS));
      looked.set(state, (looked.get(state) ?? 0) + meters / STEPS);
    }
    for (const [state, part] of looked)
      if (part > 3000) expect(Math.abs(cut.get(state)! - part)).toBeLessThan(200);
  }
});
