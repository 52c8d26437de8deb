import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMarks, withMarks } from './marks';
import { fold } from '@/lib/base/text/text';
import { createMatcher, prepareSearch, searchRows, type SiteNames } from './search';
import { createTestFleet } from '@/testing/view/fleet';
import { shortestMs } from '@/testing/processor-time';

const fleet = createTestFleet([
  {
    truckNumber: '412',
    vin: '1FUJHHDR0NLNA1234',
    plateState: 'TX',
    plateNumber: 'R48 2207',
    make: 'Freightliner',
    model: 'Cascadia',
    year: 2022,
    deviceId: 'PT30-0412',
  },
  { truckNumber: 'A-118', make: 'Volvo', model: 'VNL 760', plateNumber: 'R48-2208' },
  null,
]);

const find = (query: string): number[] => {
  const matches = createMatcher(fleet, query);
  return [0, 1, 2].filter((row) => matches === null || matches(row));
};

describe('search', () => {
  it.each([
    ['a truck number', '412', [0]],
    ['part of a VIN in small letters', 'fujhhdr0', [0]],
    ['the end of a VIN', 'NLNA1234', [0]],
    ['a plate with its state', 'tx r48 2207', [0]],
    ['a plate written without blanks', 'TXR482207', [0]],
    ['a plate written with a dash', 'r48-2207', [0]],
    ['a plate stored with a dash, written without', 'r482208', [1]],
    ['a make', 'freight', [0]],
    ['a model and a year', 'cascadia 2022', [0]],
    ['a device', 'pt300412', [0]],
    ['words in any order', '2022 tx freightliner', [0]],
    ['a number with its dash left out', 'a118', [1]],
    ['nothing by signs alone', ' · - ', []],
    ['nothing by a sign that names have', '-', []],
    ['words beside a sign', '- 412', [0]],
    ['a truck as it is called', 'Truck 412', [0]],
    ['a unit by its number', 'unit #412', [0]],
    ['a number with its sign', '#412', [0]],
    ['all while the number is still to be typed', 'truck', [0, 1, 2]],
  ])('finds %s', (_, query, rows) => {
    expect(find(query)).toEqual(rows);
  });

  const accented = createTestFleet([{ truckNumber: 'ÉCLAIR 7' }, { make: 'Škoda' }, { model: 'Łódź' }]);
  it.each([
    ['eclair', [0]],
    ['ÉCLAIR', [0]],
    ['e\u0301clair7', [0]],
    ['skoda', [1]],
    ['lodz', [2]],
    ['７', [0]],
  ])('finds letters with accents by %s', (query, rows) => {
    for (const form of ['NFC', 'NFD'])
      expect([...searchRows(accented, query.normalize(form))!]).toEqual(rows);
  });

  it('finds a text by each of its forms in Unicode, whichever of them was stored', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aéÉßøŁñü7９ﬁ'), minLength: 1, maxLength: 6 });
    const form = fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD');
    fc.assert(
      fc.property(letters, form, form, (truckNumber, stored, typed) => {
        const named = createTestFleet([{ truckNumber: truckNumber.normalize(stored) }]);
        for (const query of [truckNumber, truckNumber.toUpperCase(), fold(truckNumber)])
          expect([...searchRows(named, query.normalize(typed))!]).toEqual([0]);
      }),
    );
  });

  it('requires every word', () => {
    expect(find('volvo cascadia')).toEqual([]);
  });

  it('finds no word across two fields', () => {
    expect(find('412 1FUJ')).toEqual([0]);
    expect(find('4121FUJ')).toEqual([]);
  });

  it('passes everything when the query is empty', () => {
    expect(createMatcher(fleet, '')).toBeNull();
    expect(createMatcher(fleet, '   ')).toBeNull();
  });

  it('follows a unit that is renamed', () => {
    const named = createTestFleet([{ truckNumber: '7' }]);
    expect(createMatcher(named, '7')!(0)).toBe(true);
    const renamed = { ...named, identities: [{ ...named.identities[0]!, truckNumber: '9' }] };
    expect(createMatcher(renamed, '7')!(0)).toBe(false);
    expect(createMatcher(renamed, '9')!(0)).toBe(true);
  });

  it('finds the words of a note for as long as it is there', () => {
    const note = {
      id: 1,
      unit: 'unit:1',
      text: 'Brakes, at shop',
      author: 'Ann',
      createdMs: 0,
      expiresMs: null,
    };
    const noted = withMarks(fleet, createMarks([note], []));
    expect([...searchRows(noted, 'volvo BRAKES')!]).toEqual([1]);
    expect([...searchRows(withMarks(fleet, createMarks([], [])), 'brakes')!]).toEqual([]);
  });

  describe('by tag', () => {
    const tags = [
      { tag: 'flatbeds', units: ['unit:0', 'unit:1'] },
      { tag: 'night shift', units: ['unit:1'] },
    ];
    const tagged = withMarks(fleet, createMarks([], tags));
    it.each([
      ['tag:flatbeds', [0, 1]],
      ['TAG:Flatbeds cascadia', [0]],
      ['cascadia tag:flatbeds', [0]],
      ['tag:flatbeds tag:night-shift', [1]],
      ['tag:"night shift"', [1]],
      ['tag:"night shift" volvo', [1]],
      ['tag:"night sh', []],
      ['tag:flatbed', []],
      ['tag:shift', []],
      ['flatbed', [0, 1]],
      ['retag:flatbeds', []],
    ])('finds %s', (query, rows) => {
      for (let end = 1; end <= query.length; end++) searchRows(tagged, query.slice(0, end));
      expect([...searchRows(tagged, query)!]).toEqual(rows);
      const matches = createMatcher(tagged, query)!;
      expect([0, 1, 2].filter(matches)).toEqual(rows);
    });

    it('passes everything until a tag is named', () => {
      expect(searchRows(tagged, 'tag:')).toBeNull();
      expect(createMatcher(tagged, ' tag:"')).toBeNull();
    });
  });

  it('is prepared in steps, and finds everything however far that has come', () => {
    const prepared = createTestFleet(Array.from({ length: 10 }, (_, n) => ({ truckNumber: `T${n}` })));
    let rows = 0;
    expect(prepareSearch(prepared, () => rows++ < 4)).toBe(false);
    expect(createMatcher(prepared, 't9')!(9)).toBe(true);
    expect(prepareSearch(prepared, () => false)).toBe(true);
  });

  it('finds the same by typing on, by deleting and at once, whatever was searched before', () => {
    const letters = fc.string({ unit: fc.constantFrom('1', '2', 'a', 'B', '-', ' ', 'tag:'), maxLength: 4 });
    const names = fc.array(fc.record({ truckNumber: letters, make: letters }), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(names, fc.array(letters, { maxLength: 20 }), (units, queries) => {
        const asked = createTestFleet(units);
        for (const query of queries) {
          const rows = searchRows(asked, query);
          const atOnce = searchRows(createTestFleet(units), query);
          expect(rows && [...rows], query).toEqual(atOnce && [...atOnce]);
        }
      }),
    );
  });

  it('returns a cached result until a unit is renamed', () => {
    const first = searchRows(fleet, 'r48');
    expect(searchRows(fleet, 'r48-2')).not.toBe(first);
    expect(searchRows({ ...fleet, version: 'e.2' }, 'R48')).toBe(first);
    expect([...searchRows({ ...fleet, identities: fleet.identities.slice(0, 1), rows: 1 }, 'r48')!]).toEqual([
      0,
    ]);
    for (let n = 0; n < 8; n++) searchRows(fleet, `other ${n}`);
    expect(searchRows(fleet, 'r48')).not.toBe(first);
    expect([...searchRows(fleet, 'r48')!]).toEqual([...first!]);
  });

  it('searches 100,000 units without reading their names again, also where a note was added', () => {
    const unmarked = createTestFleet(
      Array.from({ length: 100_000 }, (_, n) => ({
        truckNumber: String(n),
        vin: `1FUJHHDR${String(n).padStart(9, '0')}`,
        plateState: 'TX',
        plateNumber: `R${n}`,
        make: 'Freightliner',
        model: 'Cascadia',
        year: 2022,
        deviceId: `PT30-${n}`,
      })),
    );
    createMatcher(unmarked, 'x');
    const note = { id: 1, unit: 'unit:9', text: 'Brakes', author: 'Ann', createdMs: 0, expiresMs: null };
    const large = withMarks(unmarked, createMarks([note], []));
    const tookMs = shortestMs(() => {
      const matches = createMatcher(large, 'freightliner 99999')!;
      let found = 0;
      for (let row = 0; row < large.rows; row++) if (matches(row)) found += 1;
      expect(found).toBe(1);
    });
    expect(tookMs).toBeLessThan(500);
  });
});

describe('a search by site', () => {
  const sites: SiteNames = {
    names: new Map([
      [7, 'Yard Dallas'],
      [8, 'H-E-B #42'],
    ]),
    ranks: new Map(),
  };
  const atSites = createTestFleet([
    { truckNumber: '412', make: 'Volvo', siteId: 7 },
    { truckNumber: '413', make: 'Mack', siteId: 7 },
    { truckNumber: '414', make: 'Volvo', siteId: 8 },
    { truckNumber: 'Dallas 1' },
    { truckNumber: '7', siteId: 9 },
  ]);

  it.each([
    ['dallas', [0, 1, 3]],
    ['YARD dallas', [0, 1]],
    ['yarddallas', [0, 1]],
    ['volvo yard', [0]],
    ['heb', [2]],
    ['heb42 414', [2]],
    ['dallas heb', []],
    ['7', [4]],
  ])('%s finds the units at the site, beside those that have the word themselves', (query, rows) => {
    expect([...searchRows(atSites, query, sites)!]).toEqual(rows);
    const matches = createMatcher(atSites, query, sites)!;
    expect([0, 1, 2, 3, 4].filter(matches)).toEqual(rows);
  });

  it('follows a unit that leaves, though its names stay the same', () => {
    expect([...searchRows(atSites, 'yard', sites)!]).toEqual([0, 1]);
    const siteId = atSites.columns.siteId.slice();
    siteId[0] = 0;
    const left = { ...atSites, columns: { ...atSites.columns, siteId } };
    expect([...searchRows(left, 'yard', sites)!]).toEqual([1]);
  });
});
