import { describe, expect, it } from 'vitest';
import { driveTimeText, parseCoordinates } from './text';

it.each([
  [0, 'about 1 min'],
  [16 * 1609.344, 'about 24 min'],
  [100 * 1609.344, 'about 2 h 30 m'],
])('estimates the drive of %d m', (straightM, text) => {
  expect(driveTimeText(straightM)).toBe(text);
});

describe('coordinates', () => {
  it.each([
    ['35.2, -101.83', { lat: 35.2, lng: -101.83 }],
    [' 35.2 -101.83 ', { lat: 35.2, lng: -101.83 }],
    ['35.20000, −101.83000', { lat: 35.2, lng: -101.83 }],
    ['0,0', { lat: 0, lng: 0 }],
  ])('are read from %s', (text, at) => {
    expect(parseCoordinates(text)).toEqual(at);
  });

  it.each(['', 'Amarillo, TX', '35.2', '91, 0', '35, 181', '35.2, -101.83, 8'])('are not in %s', (text) => {
    expect(parseCoordinates(text)).toBeNull();
  });
});
