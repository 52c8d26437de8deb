import { describe, expect, it } from 'vitest';
import type { SiteCalendar } from './calendars';
import type { Share } from './schema';
import {
  endText,
  calendarShownText,
  calendarStateTexts,
  findLinks,
  itemsText,
  openedText,
  placeOf,
  placesText,
  shareText,
  shownText,
  stateTexts,
  toBars,
} from './text';

const HOUR = 3_600_000;
const NOW = new Date(2026, 10, 29, 12, 0).getTime();

const item = (loadId: number | null, unit: string | null = null) => ({ loadId, unit, alias: '' });

const SHARE: Share = {
  ...{ id: 'a', recipient: 'Acme', items: [item(7)], names: ['8841'], precision: 'exact', delayMin: 0 },
  ...{ fields: ['status', 'window', 'stops'], endsMs: null, endsOn: 'delivery', endsAtStop: null },
  ...{ endsAtSite: null, showsEnd: true, frameOrigins: [], state: 'open', endedMs: null, endedBy: null },
  ...{ madeBy: 'dana@fleet.test', madeMs: NOW, opened: 0, lastOpenedMs: null },
};
const CALENDAR: SiteCalendar = {
  ...{ id: 'c', siteId: 3, site: 'Dallas DC', recipient: 'Dallas dock', language: 'es', showsTruck: true },
  ...{ endsMs: null, state: 'open', endedMs: null, madeBy: 'dana@fleet.test', madeMs: NOW, opened: 0 },
  lastOpenedMs: null,
};
const TRUCKS = { items: [item(null, 'u1'), item(null, 'u2')], names: ['118', '119'] };

describe('the sentence that says what a link shows', () => {
  const textOf = (change: Partial<Share>, place: string | null = null) => {
    const share = { ...SHARE, ...change };
    return shareText(share, share.names, place, NOW);
  };
  it('of a load names its fields, its end and what comes after', () => {
    expect(textOf({})).toBe(
      'Acme sees exactly where load 8841 is, and its status, arrival window, and stops and their times, until delivery. Then the page says only that it has ended.',
    );
  });
  it('says how exact it is, how late, and that nothing is left', () => {
    expect(textOf({ precision: 'area', fields: [], delayMin: 60, showsEnd: false })).toBe(
      'Acme sees to within 5 mi where load 8841 is, until delivery. All of it is shown 1 h 00 m late. Then it is as if the link had never been made.',
    );
    expect(textOf({ precision: 'town', fields: [] })).toContain(
      'Acme sees the town that load 8841 is nearest to,',
    );
  });
  it('of several trucks until a time', () => {
    const ends = { endsOn: null, endsMs: NOW + 2 * HOUR } as const;
    expect(textOf({ ...TRUCKS, ...ends, fields: ['truckNumber'] })).toContain(
      'exactly where trucks 118 and 119 are, and their truck number, until 2:00 PM.',
    );
  });
  it('says plainly that of two ends the first one counts', () => {
    expect(textOf({ endsOn: 'departure', endsAtStop: 0, endsMs: NOW + HOUR }, 'Mill 4')).toContain(
      'until departure from Mill 4 or 1:00 PM, whichever comes first.',
    );
  });
});

describe('the end of a link', () => {
  it.each([
    [{ endsOn: 'arrival', endsAtStop: 1 }, null, 'arrival at stop 2'],
    [{ endsOn: 'arrival' }, null, 'arrival at its last stop'],
    [{ endsOn: 'arrival', ...TRUCKS }, 'Yard', 'arrival at Yard'],
    [{ endsOn: 'departure', ...TRUCKS }, null, 'departure from a site that was removed'],
    [{ endsOn: 'delivery', items: [item(1), item(2)] }, null, 'delivery of each load'],
    [{ endsOn: null, endsMs: NOW + 24 * HOUR, ...TRUCKS }, null, 'Nov 30, 12:00 PM'],
    [{ endsOn: null, endsMs: NOW + HOUR }, null, 'delivery or 1:00 PM, whichever comes first'],
  ] as [Partial<Share>, string | null, string][])('%j at %s', (change, place, text) => {
    expect(endText({ ...SHARE, ...change }, place, NOW)).toBe(text);
  });

  it('is at a stop of its load, or at a site', () => {
    const places = {
      loads: [{ id: 7, stops: [{ name: 'Mill 4' }, { name: 'Acme DC' }] }],
      sites: [{ id: 3, name: 'Yard' }],
    };
    const placeAt = (change: Partial<Share>) => placeOf({ ...SHARE, ...change }, places);
    expect(placeAt({})).toBeNull();
    expect(placeAt({ endsOn: 'arrival', endsAtStop: 0 })).toBe('Mill 4');
    expect(placeAt({ endsOn: 'arrival' })).toBe('Acme DC');
    expect(placeAt({ endsOn: 'arrival', items: [item(8)] })).toBeNull();
    expect(placeAt({ endsOn: 'arrival', items: [item(null, 'u')], endsAtSite: 3 })).toBe('Yard');
  });
});

it('items are named while they are few', () => {
  expect(itemsText({ items: [item(1), item(2), item(null, 'u')] }, ['a', 'b', '118'])).toBe(
    'loads a and b and truck 118',
  );
  const four = [1, 2, 3, 4].map((id) => item(id));
  expect(itemsText({ items: four }, ['a', 'b', 'c', 'd'])).toBe('4 loads');
});

it('a state says what ended the link, and when', () => {
  const textsOf = (change: Partial<Share>) => stateTexts({ ...SHARE, ...change }, null, NOW);
  expect(textsOf({})).toEqual(['Open', 'until delivery']);
  expect(textsOf({ state: 'ended', endedBy: 'departure', endedMs: NOW })).toEqual([
    'Ended',
    'by departure, 12:00 PM',
  ]);
  expect(textsOf({ state: 'revoked', endedBy: 'revoked', endedMs: NOW })).toEqual(['Revoked', '12:00 PM']);
});

it('openings are counted, and places only about', () => {
  expect(openedText(SHARE, NOW)).toBe('never opened');
  expect(openedText({ ...SHARE, opened: 12, lastOpenedMs: NOW }, NOW)).toBe('opened 12 times, last 12:00 PM');
  expect([placesText(1), placesText(12)]).toEqual(['1 place', 'about 12 places']);
});

it('a calendar says what it names and until when', () => {
  const textsOf = (change: Partial<SiteCalendar>) => calendarStateTexts({ ...CALENDAR, ...change }, NOW);
  expect(textsOf({})).toEqual(['Open', 'until it is revoked']);
  expect(textsOf({ endsMs: NOW + HOUR })).toEqual(['Open', 'until 1:00 PM']);
  expect(textsOf({ state: 'ended', endedMs: NOW })).toEqual(['Ended', 'by time, 12:00 PM']);
  expect(textsOf({ state: 'revoked', endedMs: NOW })).toEqual(['Revoked', '12:00 PM']);
  expect(calendarShownText(CALENDAR)).toBe('Calendar · Spanish · truck numbers');
  expect(calendarShownText({ language: 'en', showsTruck: false })).toBe('Calendar · English');
});

it('a list says in few words what a link shows', () => {
  expect(shownText({ precision: 'town', fields: ['status'], delayMin: 30 })).toBe(
    'Nearest town · status · 30 min late',
  );
});

it('links are found by whom they are for, what they show, and their maker', () => {
  const other: Share = { ...SHARE, id: 'b', recipient: 'Globex', names: ['9001'], madeBy: 'kim@fleet.test' };
  const found = (query: string) => findLinks([SHARE, other, CALENDAR], query).map(({ id }) => id);
  expect([found(''), found('acme'), found('9001'), found('kim@')]).toEqual([
    ['a', 'b', 'c'],
    ['a'],
    ['b'],
    ['b'],
  ]);
  expect([found('dallas dc'), found('dock'), found('calendar')]).toEqual([['c'], ['c'], ['c']]);
});

it('a chart has a bar for each hour, and wider ones over a long time', () => {
  const at = (hour: number) => ({ hourMs: hour * HOUR, count: 2, places: 1 });
  expect(toBars([]).bars).toEqual([]);
  expect(toBars([at(30), at(28)]).bars).toEqual([...Array<number>(21).fill(0), 2, 0, 2]);
  const long = toBars([at(0), at(100), at(1000)]);
  expect(long.bars.length).toBeLessThanOrEqual(72);
  expect(long.bars.reduce((sum, count) => sum + count)).toBe(6);
});
