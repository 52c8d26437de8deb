import { describe, expect, it } from 'vitest';
import { decodeVin, fillFromVin, vinVehicleText, judgeVin } from './decode-vin';
import statedMakes from '@/testing/identity/stated-makes.json';
import './all-makers';
import statedTrailers from '@/testing/identity/stated-trailers.json';
import { checkDigit } from './vin';

/** A heavy truck by default; "1FM" is the identifier of a light vehicle's maker. */
const yearsOf = (code: string, seventh = 'H', wmi = '1FU') =>
  decodeVin(`${wmi}JHH${seventh}R0${code}LN00001`).years;

describe('the model years of a VIN', () => {
  it('gives both cycles of a code for a heavy truck', () => {
    expect(yearsOf('A')).toEqual([1980, 2010]);
    expect(yearsOf('N')).toEqual([1992, 2022]);
    expect(yearsOf('Y')).toEqual([2000, 2030]);
    expect(yearsOf('1')).toEqual([2001, 2031]);
    expect(yearsOf('9')).toEqual([2009, 2039]);
  });

  it('decides by the seventh character for a light vehicle', () => {
    expect(yearsOf('K', '4', '1FM')).toEqual([1989]);
    expect(yearsOf('K', 'E', '1FM')).toEqual([2019]);
  });

  it('returns none for characters that encode no year, and for what is not a VIN', () => {
    for (const code of ['U', 'Z', '0']) expect(yearsOf(code), code).toEqual([]);
    expect(decodeVin('short').years).toEqual([]);
  });
});

const NOW_MS = Date.parse('2026-06-01T00:00:00Z');

describe('vinVehicleText', () => {
  it('gives both years that the VIN of a heavy truck may encode', () => {
    expect(vinVehicleText('1FUJGLDR0NLM12041', NOW_MS)).toBe('1992 or 2022 Freightliner');
  });

  it('leaves out a model year that has not begun', () => {
    expect(vinVehicleText('1XKYD49X8KJ900001', Date.parse('2015-06-01T00:00:00Z'))).toBe('1989 Kenworth');
  });

  it('is null for a VIN that fails its own check digit', () => {
    expect(vinVehicleText('1FUJGLDR1NLM12041', NOW_MS)).toBeNull();
  });
});

describe('fillFromVin', () => {
  it('gives the make, and of two years the later one that has begun', () => {
    expect(fillFromVin('1FUJGLDR0NLM12041', NOW_MS)).toEqual({ make: 'Freightliner', year: 2022 });
    expect(fillFromVin('1FUJGLDR0NLM12041', Date.parse('2020-06-01'))).toEqual({
      make: 'Freightliner',
      year: 1992,
    });
  });

  it('gives nothing for a VIN that fails its own check digit', () => {
    expect(fillFromVin('1FUJGLDR1NLM12041', NOW_MS)).toEqual({ make: null, year: null });
  });
});

const withCheckDigit = (vin: string) => vin.slice(0, 8) + checkDigit(vin) + vin.slice(9);
const CASCADIA_2022 = withCheckDigit('1FUJHHDR0NLN00001');

describe('judgeVin', () => {
  it('finds a VIN, its year and its maker right', () => {
    const findings = judgeVin({ vin: CASCADIA_2022, make: 'Freightliner', model: null, year: 2022 });
    expect(findings.map(({ about, verdict }) => [about, verdict])).toEqual([
      ['checkDigit', 'right'],
      ['year', 'right'],
      ['maker', 'right'],
    ]);
  });

  it('names the expected check digit', () => {
    const wrong = CASCADIA_2022.slice(0, 8) + (CASCADIA_2022[8] === '0' ? '1' : '0') + CASCADIA_2022.slice(9);
    expect(judgeVin({ vin: wrong, make: null, model: null, year: null })[0]).toEqual({
      about: 'checkDigit',
      verdict: 'wrong',
      text: `The check digit is ${wrong[8]} and should be ${CASCADIA_2022[8]}.`,
    });
  });

  it('names what the VIN encodes where the provider contradicts it', () => {
    const [, year, maker] = judgeVin({ vin: CASCADIA_2022, make: 'Volvo', model: 'VNL 760', year: 2019 });
    expect(year).toMatchObject({
      verdict: 'wrong',
      text: 'Model year 2019 is given; the VIN says 1992 or 2022.',
    });
    expect(maker).toMatchObject({
      verdict: 'wrong',
      text: 'Volvo VNL 760 is given; the VIN says Freightliner.',
    });
  });

  it('reports a make only if the model or the year contradicts the VIN too', () => {
    const makerOf = (make: string, model: string | null, year: number | null) =>
      judgeVin({ vin: CASCADIA_2022, make, model, year })[2]?.verdict;
    expect(makerOf('Kenworth', null, 2022)).toBe('unknown');
    expect(makerOf('Kenworth', 'Cascadia', 2022)).toBe('unknown');
    expect(makerOf('Kenworth', 'T680', 2022)).toBe('wrong');
    expect(makerOf('Kenworth', null, 2015)).toBe('wrong');
    expect(makerOf('Western Star', 'T680', 2015)).toBe('right');
  });

  it('finds no fault with any of 1,900 makers and models that NHTSA lists for an identifier', () => {
    const YEAR = 2020;
    const wrong = statedMakes.rows.flatMap((row) => {
      const [wmi = '', make = '', model = null] = row.split('|');
      const vin = withCheckDigit(`${wmi}AA0B00LN000001`);
      const findings = judgeVin({ vin, make, model, year: YEAR });
      return findings.some(({ verdict }) => verdict === 'wrong') ? [row] : [];
    });
    expect(statedMakes.rows.length).toBeGreaterThan(1900);
    expect(wrong).toEqual([]);
  });

  it.each(['trucks', 'trailers'] as const)(
    'finds no fault with 500 %s of large and small makers in the spellings of providers, and names the maker',
    (kind) => {
      const said = statedTrailers[kind].map((row) => {
        const [id = '', make = ''] = row.split('|');
        const vin = withCheckDigit(`${id.slice(0, 3)}AA0B00LN${id.slice(3) || '000'}001`);
        // A wrong year would make a fault of a make that does not fit.
        const [, , maker] = judgeVin({ vin, make, model: null, year: 2005 });
        return { row, maker: maker!.verdict, text: maker!.text };
      });
      expect(said.length).toBe(500);
      expect(said.filter(({ maker }) => maker === 'wrong')).toEqual([]);
      expect(said.filter(({ text }) => text.includes('not in our table'))).toEqual([]);
      expect(said.filter(({ maker }) => maker === 'right').length).toBeGreaterThan(490);
    },
  );

  it.each(['W1W', 'W2W', '1WT', '1WW', 'WD4', 'WD5', 'WDR'])(
    'lets no seventh character decide the year of %s, whose vans may have over 10,000 lb',
    (id) => {
      const vin = withCheckDigit(`${id}4DB300PT000001`);
      expect(judgeVin({ vin, make: null, model: null, year: 2023 })[1]).toMatchObject({ verdict: 'right' });
    },
  );

  it('recognizes the short forms of providers', () => {
    const forms = { '1FU': 'FRHT', '1XK': 'KW', '1XP': 'PTRB', '1HS': 'INTL', '4V4': 'VOLV', '1GR': 'GDAN' };
    for (const [id, make] of Object.entries({ ...forms, '1UY': 'UTIL', '1JJ': 'WABH' })) {
      const vin = withCheckDigit(`${id}AA0B00LN000001`);
      expect(judgeVin({ vin, make, model: null, year: 2020 })[2], make).toMatchObject({ verdict: 'right' });
    }
  });

  it('judges nothing that the provider does not state', () => {
    const [, year, maker] = judgeVin({ vin: CASCADIA_2022, make: null, model: null, year: null });
    expect(year).toMatchObject({
      verdict: 'unknown',
      text: 'The VIN says model year 1992 or 2022; none is given.',
    });
    expect(maker).toMatchObject({
      verdict: 'unknown',
      text: 'The VIN says Freightliner; no make is given.',
    });
  });

  it('lets the seventh character decide the year of a light vehicle', () => {
    const van = withCheckDigit('NM0LS7E70K1400001');
    expect(judgeVin({ vin: van, make: 'Ford', model: null, year: 1989 })[1]).toMatchObject({
      verdict: 'wrong',
    });
    expect(judgeVin({ vin: van, make: 'Ford', model: null, year: 2019 })[1]).toMatchObject({
      verdict: 'right',
    });
  });

  it('gives the reason why a text is not a VIN', () => {
    expect(judgeVin({ vin: 'ABC', make: null, model: null, year: null })).toEqual([
      { about: 'form', verdict: 'wrong', text: 'It is not a VIN: it has 3 characters instead of 17.' },
    ]);
    expect(
      judgeVin({ vin: CASCADIA_2022.replace('R', 'O'), make: null, model: null, year: null })[0]?.text,
    ).toContain('I, O and Q');
  });
});
