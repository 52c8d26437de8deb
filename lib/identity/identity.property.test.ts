import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseMcNumber, parseUsdot } from './carrier-numbers';
import { judgeVin, decodeVin } from './decode-vin';
import { isMakeOf, isModelOf } from './maker';
import { isPrintable, toPrintable } from './text';
import { checkDigit, parseVin } from './vin';
import { IS_LONG } from '@/testing/long';
import { expectInTime } from '@/testing/processor-time';

const textArb = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.stringMatching(/^[ A-Za-z0-9#-]{0,20}$/),
  fc.stringMatching(/^[A-HJ-NPR-Z0-9]{17}$/),
  fc.constantFrom('0'.repeat(100_000), `${'0'.repeat(100_000)}x`, ' '.repeat(100_000)),
);

it.each([
  ['parseVin', parseVin, /^[A-HJ-NPR-Z0-9]{17}$/],
  ['parseUsdot', parseUsdot, /^[1-9]\d{0,7}$/],
  ['parseMcNumber', parseMcNumber, /^(MC|MX|FF)-[1-9]\d{0,7}$/],
  ['toPrintable', toPrintable, /^[^\p{Cc}\p{Bidi_Control}]*$/u],
])('%s gives its one form or null, in time, and the same for what it gave', (_, parse, form) => {
  fc.assert(
    fc.property(textArb, (text) => {
      const parsed = expectInTime(() => parse(text));
      if (parsed === null) return;
      expect(parsed).toMatch(form);
      expect(parse(parsed)).toBe(parsed);
    }),
  );
});

it('judges any VIN, make, model and year without throwing', () => {
  fc.assert(
    fc.property(textArb, textArb, textArb, fc.option(fc.integer()), (vin, make, model, year) => {
      const findings = judgeVin({ vin, make, model, year });
      expect(findings.every(({ text }) => text.endsWith('.'))).toBe(true);
      expect([true, false, null]).toContain(isMakeOf(vin, make));
      expect([true, false, null]).toContain(isModelOf(vin, model));
      expect(isPrintable(toPrintable(make))).toBe(true);
      if (parseVin(vin) !== vin) return;
      expect(checkDigit(vin)).toMatch(/^[\dX]$/);
      for (const each of decodeVin(vin).years) expect(each >= 1980 && each < 2040).toBe(true);
    }),
    { numRuns: IS_LONG ? 100 : 25 },
  );
});
