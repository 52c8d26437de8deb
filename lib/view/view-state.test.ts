import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVERYTHING, parseViewState, toViewSearch, type ViewState } from './view-state';
import { expectInTime } from '@/testing/processor-time';

const FULL: ViewState = {
  unit: '1FUJHHDR0NLNA1234',
  query: 'tx r48',
  statuses: ['late', 'silent'],
  reasons: ['vanishedMoving', 'neverSeen'],
  flagged: true,
  flags: ['clockFault', 'wrongCarrier'],
  tags: ['flatbeds', 'night shift'],
  sites: [12, 3],
  loads: ['atRisk', 'late'],
  inView: true,
  sort: 'parked',
  columns: ['plate', 'tags'],
  camera: { lat: 35.19042, lng: -101.35117, zoom: 8.5 },
  tails: 60,
  near: { lat: 35.2, lng: -101.83, name: 'Yard Dallas, dock 4' },
  isFreeOnly: true,
  showsSites: true,
  past: { atMs: Date.UTC(2026, 10, 17, 19, 36, 12), speed: 60 },
};

describe('the view in the URL', () => {
  it('is empty for the default view', () => {
    expect(toViewSearch(EVERYTHING)).toBe('');
    expect(parseViewState('')).toEqual(EVERYTHING);
  });

  it('round-trips, legibly', () => {
    const search = toViewSearch(FULL);
    expect(search).toBe(
      '?unit=1FUJHHDR0NLNA1234&q=tx+r48&status=late,silent,check&silent=vanishedMoving,neverSeen&flag=clockFault,wrongCarrier&tag=flatbeds,night+shift&load=atRisk,late&site=12,3&in=view&sort=parked&columns=plate,tags&at=@35.19042,-101.35117,8.5&tails=60&near=35.2,-101.83,Yard+Dallas,+dock+4&free=on&sites=on&past=2026-11-17T19:36:12Z&speed=60',
    );
    expect(parseViewState(search)).toEqual(FULL);
  });

  it.each(['device:a&b=c', 'truck:#1/2 +3%', 'ä:ü'])('carries any key: %s', (unit) => {
    expect(parseViewState(toViewSearch({ ...EVERYTHING, unit })).unit).toBe(unit);
  });

  it('leaves out invalid values', () => {
    expect(
      parseViewState('?status=flying,LATE&sort=color&columns=color&in=out&at=north&unit=%20&x=1'),
    ).toEqual({
      ...EVERYTHING,
      statuses: ['late'],
    });
    expect(parseViewState('?flag=BADVIN,rust&silent=displaced,quiet')).toEqual({
      ...EVERYTHING,
      flags: ['badVin'],
      reasons: ['quiet'],
    });
    expect(parseViewState(`?tag=Flatbeds,, night+shift,flatbeds,${'x'.repeat(41)}`).tags).toEqual([
      'flatbeds',
      'night shift',
    ]);
    expect(parseViewState('?site=0,x,7,-1,7,12345678901&sites=yes')).toEqual({ ...EVERYTHING, sites: [7] });
    expect(parseViewState('?at=@91,0,5').camera).toBeNull();
    expect(parseViewState('?at=@10,0,99').camera).toBeNull();
    expect(parseViewState('?at=@NaN,0,5').camera).toBeNull();
    expect(parseViewState('?near=35.2,-101.83').near).toEqual({ lat: 35.2, lng: -101.83, name: null });
    for (const near of ['35.2', '91,0', '35,181', 'Amarillo', '35.2,-101.83x'])
      expect(parseViewState(`?near=${near}`).near, near).toBeNull();
    expect(parseViewState('?past=yesterday&speed=60').past).toBeNull();
    expect(parseViewState('?past=2026-11-17&speed=61').past).toEqual({
      atMs: Date.UTC(2026, 10, 17),
      speed: 1,
    });
    expect(parseViewState('?q=%E0%A4%A').query).toBe('�%A');
    expect(parseViewState(`?q=${'x'.repeat(5000)}`).query).toHaveLength(100);
  });

  it('normalizes a map that was dragged round the world', () => {
    expect(parseViewState('?at=@35,259,4').camera).toEqual({ lat: 35, lng: -101, zoom: 4 });
  });
});

it('parses any query string to a view that round-trips', () => {
  const searchArb = fc.oneof(
    fc.tuple(fc.double(), fc.double(), fc.string({ unit: 'binary' })).map((near) => `near=${near.join()}`),
    fc.string({ unit: 'binary', maxLength: 500 }),
    fc.webQueryParameters(),
    fc.tuple(fc.double(), fc.double(), fc.double()).map(([lat, lng, zoom]) => `at=@${lat},${lng},${zoom}z`),
  );
  fc.assert(
    fc.property(searchArb, (search) => {
      const view = expectInTime(() => parseViewState(search));
      expect(view.query.length).toBeLessThanOrEqual(100);
      if (view.camera) expect(Math.abs(view.camera.lat) <= 90 && view.camera.zoom >= 0).toBe(true);
      const written = toViewSearch(view);
      expect(toViewSearch(parseViewState(written))).toBe(written);
    }),
  );
});
