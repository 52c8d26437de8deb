import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FleetHome } from './fleet-home';
import { DAY_MS } from '@/lib/base/time';

describe('the home of a fleet', () => {
  test('is North America and the islands of the United States at first, also west of the date line', () => {
    const home = new FleetHome();
    const places: [number, number][] = [
      [47.6, -122.3],
      [25.8, -80.2],
      [24.55, -81.8],
      [44.8, -68.8],
      [32.7, -117.2],
      [47.56, -52.71],
      [49.28, -123.1],
      [19.4, -99.1],
      [20.97, -89.6],
      [16.75, -93.1],
      [61.2, -149.9],
      [21.3, -157.9],
      [18.4, -66.1],
      // Guam, Saipan, American Samoa, and the Aleutians on both sides of 180°.
      [13.48, 144.75],
      [15.18, 145.75],
      [18.15, 145.77],
      [-14.28, -170.7],
      [-11.05, -171.08],
      [52.93, 172.9],
      [51.63, 178.2],
      [51.97, 180],
      [51.88, -176.65],
    ];
    for (const [lat, lng] of places) expect(home.judge({ lat, lng }), `${lat}, ${lng}`).toBeNull();
  });

  test.each([
    ['near 0, 0', { lat: 0.005, lng: 0.004 }, 'before it has a fix'],
    ['a number too small to mean anything', { lat: 1e-7, lng: -1e-7 }, 'before it has a fix'],
    ['a longitude of 0 alone', { lat: 35.2, lng: 0 }, 'longitude is exactly 0'],
    ['a latitude of 0 alone', { lat: 0, lng: -101.8 }, 'latitude is exactly 0'],
    ['a longitude without its sign', { lat: 35.2, lng: 101.8 }, 'that would be 35.20, -101.80'],
    ['a latitude with a sign', { lat: -35.2, lng: -101.8 }, 'that would be 35.20, -101.80'],
    ['swapped coordinates', { lat: -80.2, lng: 35.2 }, 'that would be 35.20, -80.20'],
    ['swapped coordinates without the sign', { lat: 80.2, lng: 35.2 }, 'swapped, and the longitude'],
  ])('names %s', (_, at, words) => {
    expect(new FleetHome().judge(at)).toContain(words);
  });

  test('grows by the land it drives on three days, and never by a position with a better reading', () => {
    const home = new FleetHome();
    const lima = { lat: -12.05, lng: -77.04 };
    const lostSign = { lat: 35.2, lng: 101.8 };
    for (let day = 0; day < 2; day++) home.learn(lima, day * DAY_MS);
    home.learn(lima, DAY_MS + 1);
    expect(home.judge(lima)).not.toBeNull();
    home.learn(lima, 2 * DAY_MS);
    expect(home.judge(lima)).toBeNull();
    for (let day = 0; day < 9; day++) home.learn(lostSign, day * DAY_MS);
    expect(home.judge(lostSign)).toContain('lost its sign');
  });

  test('accepts any position, and returns a sentence or null', () => {
    const home = new FleetHome();
    fc.assert(
      fc.property(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.nat(1e9),
        (lat, lng, nowMs) => {
          home.learn({ lat, lng }, nowMs);
          const words = home.judge({ lat, lng });
          return words === null || (words.endsWith('.') && !words.includes('NaN'));
        },
      ),
    );
  });
});
