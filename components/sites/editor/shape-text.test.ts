import { expect, it } from 'vitest';
import type { SiteShape } from '@/lib/rules/site';
import { spreadCenter, toShapeTexts, toTypedShape, type ShapeTexts } from './shape-text';

const CIRCLE: SiteShape = { type: 'circle', lat: 32.7781, lng: -96.7954, radiusM: 150 };

it('a radius that was not typed stays what it was', () => {
  const texts = toShapeTexts(CIRCLE);
  expect(texts).toMatchObject({ radius: '492', unit: 'ft' });
  const moved = { ...texts, lat: '33' } as ShapeTexts;
  expect(toTypedShape(moved, CIRCLE)).toEqual({ ...CIRCLE, lat: 33 });
  expect(toTypedShape({ ...texts, radius: '500' } as ShapeTexts, CIRCLE)).toEqual({
    ...CIRCLE,
    radiusM: 152.4,
  });
  expect(toTypedShape({ ...texts, radius: '2', unit: 'mi' } as ShapeTexts, CIRCLE)).toMatchObject({
    radiusM: 3218.7,
  });
});

it('a large radius is in miles', () => {
  expect(toShapeTexts({ ...CIRCLE, radiusM: 8046.72 })).toMatchObject({ radius: '5', unit: 'mi' });
});

it('corners are lines, with commas, semicolons or spaces', () => {
  const polygon: SiteShape = {
    type: 'polygon',
    corners: [
      [30, -97],
      [30.5, -97],
      [30, -96.5],
    ],
  };
  expect(toShapeTexts(polygon)).toEqual({ type: 'polygon', corners: '30, -97\n30.5, -97\n30, -96.5' });
  const typed = toTypedShape({ type: 'polygon', corners: '30 -97\n\n30.5;-97\n 30, -96.5 ' }, null);
  expect(typed).toEqual(polygon);
});

it('what is no number is none, rather than 0', () => {
  expect(
    toTypedShape({ ...toShapeTexts(CIRCLE), lat: ' ', radius: 'x' } as ShapeTexts, CIRCLE),
  ).toMatchObject({
    lat: NaN,
    radiusM: NaN,
  });
  expect(toTypedShape({ type: 'polygon', corners: '30\n1 2 3' }, null)).toEqual({
    type: 'polygon',
    corners: [
      [30, NaN],
      [NaN, NaN],
    ],
  });
});

it('coordinates that were pasted into one field fill both, and each field reads degrees and minutes', () => {
  const texts = toShapeTexts(CIRCLE) as ShapeTexts & { type: 'circle' };
  const pasted = spreadCenter({ ...texts, lat: `37°06'N 94°30'W` });
  expect(pasted).toMatchObject({ lat: '37.1', lng: '-94.5' });
  expect(spreadCenter({ ...texts, lat: `37°06'N`, lng: '94,5W' })).toMatchObject({ lat: `37°06'N` });
  expect(toTypedShape({ ...texts, lat: `37°06'N`, lng: '94,5W' }, CIRCLE)).toMatchObject({
    lat: 37.1,
    lng: -94.5,
  });
  expect(toTypedShape({ type: 'polygon', corners: `37°06'N 94°30'W\ngeo:30,-97` }, null)).toMatchObject({
    corners: [
      [37.1, -94.5],
      [30, -97],
    ],
  });
});
