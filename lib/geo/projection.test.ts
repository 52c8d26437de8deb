import { describe, expect, it } from 'vitest';
import { mercatorXOfE5, mercatorYOfE5, toLat, toLng, toMercatorX, toMercatorY } from './projection';

describe('projection', () => {
  it('puts the equator and Greenwich in the middle of the world', () => {
    expect(toMercatorX(0)).toBe(0.5);
    expect(toMercatorY(0)).toBe(0.5);
  });

  it('puts the top of the square world at 85.0511° N', () => {
    expect(toMercatorY(85.0511287798066)).toBeCloseTo(0, 12);
  });

  it.each([
    [35.19042, -101.35117],
    [61.2, -149.9],
    [19.7, -155.1],
  ])('comes back to %f, %f', (lat, lng) => {
    expect(toLat(toMercatorY(lat))).toBeCloseTo(lat, 9);
    expect(toLng(toMercatorX(lng))).toBeCloseTo(lng, 9);
  });

  it('has the islands on both sides of the date line beside each other, and to the left of the mainland', () => {
    const inOrder = [144.75, 145.7, 172.9, 179.99, 180, -180, -179.99, -170.7, -157.9, -124, -67, 0, 100];
    const xs = inOrder.map(toMercatorX);
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
    expect(toMercatorX(179.999)).toBeCloseTo(toMercatorX(-179.999), 4);
    for (const lng of inOrder) expect(mercatorXOfE5(Math.round(lng * 1e5))).toBeCloseTo(toMercatorX(lng), 12);
  });

  it('reads the wire’s hundred-thousandths of a degree', () => {
    expect(mercatorXOfE5(-10135117)).toBeCloseTo(toMercatorX(-101.35117), 12);
  });

  it('is exact to a meter by its table, and goes on beyond it', () => {
    const worldM = 40_075_017;
    for (let latE5 = -8_900_000; latE5 <= 8_900_000; latE5 += 1237) {
      const lat = latE5 * 1e-5;
      const offM = (mercatorYOfE5(latE5) - toMercatorY(lat)) * worldM * Math.cos((lat * Math.PI) / 180);
      expect(Math.abs(offM), `at ${lat}°`).toBeLessThan(Math.abs(lat) < 60 ? 0.05 : 0.3);
    }
    expect(mercatorYOfE5(8_500_000)).toBeCloseTo(toMercatorY(85), 9);
  });
});
