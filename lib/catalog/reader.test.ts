import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toReader } from './reader';

const read = (acceptLanguage: string | null, language: string | null = null, zone: string | null = null) => {
  const reader = toReader(acceptLanguage, { language, zone });
  return `${reader.locale} ${reader.units} ${reader.zone ?? '-'}`;
};

it('takes language, units and clock from what the browser accepts', () => {
  expect(read('en-US,en;q=0.9')).toBe('en-US imperial -');
  expect(read('es-US')).toBe('es-US imperial -');
  expect(read('es-MX,es;q=0.9,en-US;q=0.8')).toBe('es-MX metric -');
  expect(read('es-419,es;q=0.9')).toBe('es-US imperial -');
  expect(read('fr-CA,fr;q=0.9')).toBe('fr-CA metric -');
  expect(read('fr-FR')).toBe('fr-FR metric -');
  expect(read('zh-Hant-TW,es;q=0.1,fr;q=0.5')).toBe('fr-TW metric -');
  expect(read(null)).toBe('en-US imperial -');
});

it('takes the language from the address first, and the country from the browser', () => {
  expect(read('en-US', 'es')).toBe('es-US imperial -');
  expect(read('en-CA', 'fr')).toBe('fr-CA metric -');
  expect(read('es-MX,fr-FR;q=0.1', 'fr')).toBe('fr-FR metric -');
  expect(read('en-US', 'de')).toBe('en-US imperial -');
});

it('knows zones by their names only', () => {
  expect(read(null, null, 'America/New_York')).toBe('en-US imperial America/New_York');
  expect(read(null, null, 'Mars/Base')).toBe('en-US imperial -');
});

it('reads any header', () => {
  fc.assert(
    fc.property(fc.string(), fc.option(fc.string()), fc.option(fc.string()), (header, language, zone) => {
      const reader = toReader(header, { language, zone });
      expect(() => new Intl.DateTimeFormat(reader.locale, { timeZone: reader.zone ?? 'UTC' })).not.toThrow();
    }),
  );
});
