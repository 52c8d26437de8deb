import { describe, expect, it } from 'vitest';
import { isMakeOf, isModelOf, readMakers } from './maker';

const startingWith = (wmi: string) => `${wmi}00000000000000`;

describe('readMakers', () => {
  it('names the makers of trucks, vans, buses and trailers', () => {
    const cases = {
      '1FU': 'Freightliner',
      '1XP': 'Peterbilt',
      '1JJ': 'Wabash',
      '15G': 'Gillig',
      '5YJ': 'Tesla',
    };
    for (const [wmi, name] of Object.entries(cases)) {
      expect(readMakers(startingWith(wmi))[0]?.name, wmi).toBe(name);
    }
  });

  it('names each marque that shares an identifier', () => {
    expect(readMakers(startingWith('54D')).map(({ name }) => name)).toEqual(['Chevrolet', 'GMC', 'Isuzu']);
  });

  it('names none for an identifier that it does not know', () => {
    expect(readMakers(startingWith('ZZZ'))).toEqual([]);
    expect(readMakers('1FU')).toEqual([]);
  });
});

describe('isMakeOf', () => {
  it('recognizes a maker by each spelling of its name', () => {
    for (const make of ['Freightliner', 'FREIGHTLINER', 'freightliner LLC', 'FRHT', 'Freight-Liner']) {
      expect(isMakeOf(startingWith('3AK'), make), make).toBe(true);
    }
    expect(isMakeOf(startingWith('W1Y'), 'Mercedes-Benz')).toBe(true);
    expect(isMakeOf(startingWith('1UY'), 'Utility Trailer Manufacturing Co.')).toBe(true);
  });

  it('does not take a short code for the beginning of another name', () => {
    expect(isMakeOf(startingWith('1XK'), 'KWS')).toBeNull();
  });

  it('distinguishes another known maker from an unknown one', () => {
    expect(isMakeOf(startingWith('1FU'), 'Kenworth')).toBe(false);
    expect(isMakeOf(startingWith('1FU'), 'Morgan Olson')).toBeNull();
    expect(isMakeOf(startingWith('ZZZ'), 'Kenworth')).toBeNull();
  });
});

describe('isMakeOf and brand families', () => {
  it('takes a parent, a sister brand and a rebadged truck for the same maker', () => {
    const pairs: [string, string][] = [
      ['1HT', 'Chevrolet'],
      ['3AK', 'Daimler Trucks North America'],
      ['WD3', 'Freightliner'],
      ['1XP', 'PACCAR INC'],
      ['2HS', 'Navistar, Inc.'],
      ['3C6', 'FCA US LLC'],
      ['3C6', 'Dodge'],
      ['54D', 'GMC'],
      ['1M1', 'Volvo Group North America'],
      ['4UZ', 'Thomas Built Buses'],
    ];
    for (const [wmi, make] of pairs)
      expect(isMakeOf(startingWith(wmi), make), `${make} on ${wmi}`).toBe(true);
  });

  it('is null for a builder of buses or bodies, whose chassis may be any maker’s', () => {
    expect(isMakeOf(startingWith('1FD'), 'Collins')).toBeNull();
    expect(isMakeOf(startingWith('4UZ'), 'Gillig')).toBeNull();
  });
});

describe('isModelOf', () => {
  it('recognizes a model with more words or a number after it', () => {
    expect(isModelOf(startingWith('3AK'), 'Cascadia 126')).toBe(true);
    expect(isModelOf(startingWith('4V4'), 'VNL760')).toBe(true);
    expect(isModelOf(startingWith('1XK'), 'T680')).toBe(true);
  });

  it('distinguishes a model of another maker from an unknown one', () => {
    expect(isModelOf(startingWith('1XK'), 'Cascadia')).toBe(false);
    expect(isModelOf(startingWith('1XK'), 'Model 12')).toBeNull();
    expect(isModelOf(startingWith('ZZZ'), 'Cascadia')).toBeNull();
  });
});
