import { describe, expect, it } from 'vitest';
import { isMakeOf, readMakers } from './maker';

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
    expect(readMakers(startingWith('54D')).map(({ name }) => name)).toEqual(['Isuzu', 'GMC', 'Chevrolet']);
  });

  it('names none for an identifier that it does not know', () => {
    expect(readMakers(startingWith('ZZZ'))).toEqual([]);
    expect(readMakers('1FU')).toEqual([]);
  });
});

describe('isMakeOf', () => {
  it('knows a maker by the ways in which its name is written', () => {
    for (const make of ['Freightliner', 'FREIGHTLINER', 'freightliner LLC', 'FRHT', 'Freight-Liner']) {
      expect(isMakeOf(startingWith('3AK'), make), make).toBe(true);
    }
    expect(isMakeOf(startingWith('W1Y'), 'Mercedes-Benz')).toBe(true);
    expect(isMakeOf(startingWith('1UY'), 'Utility Trailer Manufacturing Co.')).toBe(true);
  });

  it('does not take a short code for the beginning of another name', () => {
    expect(isMakeOf(startingWith('1XK'), 'KWS')).toBeNull();
  });

  it('tells another known maker from one that it has never heard of', () => {
    expect(isMakeOf(startingWith('1FU'), 'Kenworth')).toBe(false);
    expect(isMakeOf(startingWith('1FU'), 'Morgan Olson')).toBeNull();
    expect(isMakeOf(startingWith('ZZZ'), 'Kenworth')).toBeNull();
  });
});
