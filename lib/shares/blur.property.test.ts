import fc from 'fast-check';
import { expect, it } from 'vitest';
import { METERS_PER_DEGREE, RADIANS_PER_DEGREE, distanceM } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { MINUTE_MS, SECOND_MS } from '@/lib/base/time';
import { TAKEN_EVERY_MS, isDue, take, toCell, type TakenPosition } from './blur';
import { AREA_RADIUS_M } from './schema';

const SEEN = { unit: 'A', status: null, next: null } as const;

const placeArb = fc.record({
  lat: fc.double({ min: 18, max: 65, noNaN: true }),
  lng: fc.double({ min: -170, max: -65, noNaN: true }),
});

it('a position is within an area of the center of its cell, and each center is its own', () => {
  fc.assert(
    fc.property(placeArb, (at) => {
      const cell = toCell(at);
      expect(distanceM(cell, at)).toBeLessThanOrEqual(AREA_RADIUS_M + 1);
      expect(distanceM(toCell(cell), cell)).toBeLessThan(1);
    }),
    { numRuns: 500 },
  );
});

const move = ({ lat, lng }: LatLng, northM: number, eastM: number): LatLng => ({
  lat: lat + northM / METERS_PER_DEGREE,
  lng: lng + eastM / METERS_PER_DEGREE / Math.cos(lat * RADIANS_PER_DEGREE),
});

/** Legs of so many minutes at a speed (m/s) in a direction. */
const legsArb = fc.array(
  fc.record({
    minutes: fc.integer({ min: 1, max: 40 }),
    speed: fc.constantFrom(0, 0, 3, 15, 30),
    bearing: fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
  }),
  { minLength: 1, maxLength: 8 },
);
type Legs = typeof legsArb extends fc.Arbitrary<infer T> ? T : never;

/** Where a truck is each second. */
function* drive(start: LatLng, legs: Legs): Generator<LatLng> {
  let at = start;
  for (const { minutes, speed, bearing } of legs)
    for (let s = 0; s < minutes * 60; s++) {
      at = move(at, speed * Math.cos(bearing), speed * Math.sin(bearing));
      yield at;
    }
}

/** What is shown to someone who asks so often. */
const ask = (start: LatLng, legs: Legs, everyS: number): TakenPosition[] => {
  const shown: TakenPosition[] = [];
  let taken: TakenPosition | null = null;
  let second = 0;
  for (const at of drive(start, legs)) {
    const nowMs = second * SECOND_MS;
    if (second % everyS === 0) {
      if (isDue(taken, nowMs))
        taken = take(taken, { ...at, ...SEEN, takenMs: nowMs, fixAtMs: nowMs, window: null });
      shown.push(taken!);
    }
    second += 1;
  }
  return shown;
};

it('who asks each second is shown no more than who asks when another position is taken', () => {
  fc.assert(
    fc.property(placeArb, legsArb, (start, legs) => {
      const often = ask(start, legs, 1);
      const seldom = ask(start, legs, TAKEN_EVERY_MS / SECOND_MS);
      expect([...new Set(often.map((each) => JSON.stringify(each)))]).toEqual(
        seldom.map((each) => JSON.stringify(each)),
      );
    }),
    { numRuns: 30 },
  );
});

it('a truck is in the area that is shown, at the time that is shown', () => {
  fc.assert(
    fc.property(placeArb, legsArb, (start, legs) => {
      const way = [...drive(start, legs)];
      for (const { fixAtMs, ...area } of ask(start, legs, 60))
        expect(distanceM(area, way[fixAtMs / SECOND_MS]!)).toBeLessThanOrEqual(AREA_RADIUS_M + 1);
    }),
    { numRuns: 30 },
  );
});

/** A fine grid of places about one, m apart. */
const gridAbout = (at: LatLng, reachM: number, apartM: number): LatLng[] => {
  const steps = Math.floor(reachM / apartM);
  const offsets = Array.from({ length: 2 * steps + 1 }, (_, i) => (i - steps) * apartM);
  return offsets.flatMap((north) => offsets.map((east) => move(at, north, east)));
};

const APART_M = 800;
const MOST_SPEED = 36;

/**
 * Where an attacker, who knows this code and asks each second, still has to look for the truck: all places where it would
 * have been shown as it was, of those that it could have driven to from where it may have been before.
 */
const locate = (shown: readonly TakenPosition[]): LatLng[] => {
  const distinct = shown.filter((each, i) => each.takenMs !== shown[i - 1]?.takenMs);
  let places: LatLng[] = [];
  distinct.forEach((each, i) => {
    const before = distinct[i - 1];
    places = gridAbout(each, AREA_RADIUS_M + APART_M, APART_M).filter((place) => {
      const took = take(before ?? null, {
        ...place,
        ...{ takenMs: each.takenMs, fixAtMs: each.fixAtMs },
        window: null,
        ...SEEN,
      });
      if (distanceM(took, each) > 1) return false;
      const reachM = before ? (MOST_SPEED * (each.takenMs - before.takenMs)) / SECOND_MS : Infinity;
      return !before || places.some((from) => distanceM(from, place) <= reachM + APART_M);
    });
  });
  return places;
};

it('who puts together all that was shown knows no more than an area of about five miles', () => {
  fc.assert(
    fc.property(placeArb, legsArb, (start, legs) => {
      const shown = ask(start, legs, 1);
      const places = locate(shown);
      // The truck may be at each of these: the best guess is as far from the farthest as half of what they span.
      const last = shown.at(-1)!;
      const farthest = Math.max(...places.map((place) => distanceM(place, last)));
      const widest = Math.max(...places.map((a) => Math.max(...places.map((b) => distanceM(a, b)))));
      expect(farthest).toBeGreaterThan(0.9 * AREA_RADIUS_M);
      expect(widest / 2).toBeGreaterThan(0.6 * AREA_RADIUS_M);
      // As large as three of four parts of a cell, which is what one answer shows.
      expect(places.length * APART_M ** 2).toBeGreaterThan(0.75 * 2 * AREA_RADIUS_M ** 2);
    }),
    { numRuns: 30 },
  );
});

it('a window reaches to full half hours, so that its ends tell no distance', () => {
  const at = { lat: 35, lng: -101 };
  const window = {
    fromMs: 14 * 60 * MINUTE_MS + MINUTE_MS,
    toMs: 15 * 60 * MINUTE_MS + 31 * MINUTE_MS,
    isGraded: true,
  };
  expect(take(null, { ...at, ...SEEN, takenMs: 0, fixAtMs: 0, window }).window).toEqual({
    fromMs: 14 * 60 * MINUTE_MS,
    toMs: 16 * 60 * MINUTE_MS,
    isGraded: true,
  });
});
