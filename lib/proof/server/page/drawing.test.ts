import { expect, it } from 'vitest';
import { createBasemap } from '@/testing/map/create-basemap';
import { draw } from './drawing';

const AT = { latE5: 3_500_000, lngE5: -10_100_000 };
/** Some 50 miles to and from the site. */
const FAR: [number, number][] = [
  [3_570_000, -10_100_000],
  [3_500_000, -10_100_000],
  [3_430_000, -10_100_000],
];

it('a map of a site shows its edge, however far the truck came from, and each mark has labels that can be read', () => {
  const drawing = draw(createBasemap([], []), {
    ...{ type: 'map', caption: '', trail: FAR, circle: { ...AT, radiusM: 200 } },
    points: [
      { ...AT, label: 'First' },
      { ...AT, label: 'Last' },
    ],
  })!;
  expect(drawing.circle!.r).toBeGreaterThan(50);
  const [first, last] = drawing.points;
  expect(last!.labelY - first!.labelY).toBeGreaterThan(20);
  const apart = draw(createBasemap([], []), {
    ...{ type: 'map', caption: '', trail: FAR, circle: null },
    points: [FAR[0]!, FAR[2]!].map(([latE5, lngE5], i) => ({ latE5, lngE5, label: String(i) })),
  })!;
  expect(apart.points.map(({ label }) => label)).toEqual(['0', '1']);
});
