import { describe, expect, it } from 'vitest';
import { polygonFault } from '@/lib/rules/polygon';
import { siteImportSchema } from './schema';
import { siteInputSchema } from '@/lib/rules/site';

const SITE = {
  name: 'Yard',
  kind: 'yard',
  color: '#2f7de1',
  notes: '',
  openingHours: null,
  marginM: 75,
  shape: { type: 'circle', lat: 35, lng: -101, radiusM: 250 },
};
const messagesOf = (
  value: unknown,
  schema = siteInputSchema as { safeParse: typeof siteInputSchema.safeParse },
) => schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

it('hours need a time zone that exists', () => {
  const days = [{ weekdays: [1], fromMin: 480, toMin: 1020 }];
  expect(messagesOf({ ...SITE, openingHours: { timeZone: 'America/Chicago', days } })).toEqual([]);
  expect(messagesOf({ ...SITE, openingHours: { timeZone: 'America/Chicag', days } })).toEqual([
    'openingHours.timeZone: That is no time zone. Name one of the IANA list, such as America/Chicago.',
  ]);
});

describe('a polygon', () => {
  it.each([
    [
      [
        [35, -101],
        [35, -101.01],
        [35.01, -101.01],
        [35.01, -101],
      ],
      null,
    ],
    // The corners of a dented yard.
    [
      [
        [35, -101],
        [35, -101.02],
        [35.01, -101.01],
        [35.02, -101.02],
        [35.02, -101],
      ],
      null,
    ],
    [
      [
        [35, -101],
        [35.01, -101.01],
        [35.01, -101],
        [35, -101.01],
      ],
      'Two sides of the polygon cross.',
    ],
    [
      [
        [35, -101],
        [35.01, -101.01],
        [35.02, -101.02],
      ],
      'The corners enclose no area.',
    ],
    [
      [
        [35, -101],
        [35.01, -101.01],
        [35.01, -101],
        [35, -101],
      ],
      'Two corners in a row are the same.',
    ],
  ] as [[number, number][], string | null][])('%j: %s', (corners, fault) => {
    expect(polygonFault(corners)).toBe(fault);
    expect(messagesOf({ ...SITE, shape: { type: 'polygon', corners } })).toEqual(
      fault === null ? [] : [`shape.corners: ${fault}`],
    );
  });
});

it('an import names the site of each fault, and no name twice', () => {
  const imported = { name: 'Yard', shape: SITE.shape };
  const sites = [imported, { ...imported, name: 'B', shape: { ...SITE.shape, lat: 91 } }, imported];
  expect(messagesOf({ sites }, siteImportSchema as never)).toEqual([
    'sites.1.shape.lat: A latitude is a number from -85 to 85.',
    'sites.2.name: Another site is “Yard” too.',
  ]);
});
