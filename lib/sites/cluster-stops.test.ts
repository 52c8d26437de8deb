import { expect, it } from 'vitest';
import { IS_LONG } from '@/testing/long';
import { METERS_PER_DEGREE, distanceM } from '@/lib/geo/geodesy';
import { clusterStops, type Stops } from './cluster-stops';

const YARD = { lat: 32.7781, lng: -96.7954 };
const STREET = { lat: 33, lng: -96 };
const everywhere = () => true;
const breathe = () => Promise.resolve();

interface Stop {
  lat: number;
  lng: number;
  unit?: number;
  lastedS?: number;
}

const toStops = (list: readonly Stop[]): Stops => ({
  unit: list.map(({ unit = 1 }) => unit),
  lat: list.map(({ lat }) => lat),
  lng: list.map(({ lng }) => lng),
  lastedS: list.map(({ lastedS = 1800 }) => lastedS),
});

/** A position so many meters north and east of another. */
const off = ({ lat, lng }: { lat: number; lng: number }, northM: number, eastM: number) => ({
  lat: lat + northM / METERS_PER_DEGREE,
  lng: lng + eastM / METERS_PER_DEGREE / Math.cos((lat * Math.PI) / 180),
});

it('finds a place with five stops, and none with four', async () => {
  const yard = [0, 40, 80, 120, 160].map((m, i) => ({
    ...off(YARD, m, 0),
    unit: i % 3,
    lastedS: 600 * (i + 1),
  }));
  const four = [0, 40, 80, 120].map((m) => off(STREET, 0, m));
  const { stops, places } = await clusterStops(toStops([...yard, ...four]), everywhere, breathe);
  expect(stops).toBe(9);
  expect(places).toHaveLength(1);
  expect(places[0]).toMatchObject({ stops: 5, units: 3, medianMs: 1_800_000, radiusM: 120 });
  expect(distanceM(places[0]!, off(YARD, 80, 0))).toBeLessThan(2);
});

it('keeps places 200 m apart apart, and joins those that stops connect', async () => {
  const at = (m: number) => Array.from({ length: 5 }, () => off(YARD, m, 0));
  const apart = await clusterStops(toStops([...at(0), ...at(200)]), everywhere, breathe);
  expect(apart.places.map(({ stops }) => stops)).toEqual([5, 5]);
  const joined = await clusterStops(toStops([...at(0), ...at(100), ...at(200)]), everywhere, breathe);
  expect(joined.places.map(({ stops }) => stops)).toEqual([15]);
});

it('divides stops along a street into the places where most are', async () => {
  const along = Array.from({ length: 50 }, (_, i) => off(STREET, i * 60, 0));
  const busy = [600, 2400].flatMap((m) => Array.from({ length: 20 }, () => off(STREET, m, 0)));
  const { places } = await clusterStops(toStops([...along, ...busy]), everywhere, breathe);
  expect(places.map(({ stops }) => stops)).toEqual([25, 25]);
  expect(Math.max(...places.map(({ radiusM }) => radiusM))).toBeLessThanOrEqual(500);
});

it('leaves out stops at sites', async () => {
  const yard = Array.from({ length: 9 }, (_, i) => off(YARD, i * 10, 0));
  const found = await clusterStops(toStops(yard), (at) => distanceM(at, YARD) > 300, breathe);
  expect(found).toEqual({ stops: 0, places: [] });
});

it('clusters many stops in slices that leave other work its turn', async () => {
  const length = IS_LONG ? 200_000 : 20_000;
  const stops: Stop[] = Array.from({ length }, (_, i) => {
    const place = (i * 7919) % 900;
    const center = { lat: 30 + (place % 30) * 0.2, lng: -105 + Math.floor(place / 30) * 0.3 };
    return { ...off(center, ((i * 31) % 197) - 98, ((i * 17) % 193) - 96), unit: i % 5000 };
  });
  let slices = 0;
  const { places } = await clusterStops(toStops(stops), everywhere, async () => void slices++);
  expect(places).toHaveLength(900);
  expect(slices).toBeGreaterThan(length / 2000);
});
