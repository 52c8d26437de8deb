import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPrintable } from '@/lib/identity/printable';
import { parseVin } from '@/lib/identity/vin';
import { parseJson } from './list-reader';
import { normalisePosition } from './normalise-position';
import { normaliseNumber, normaliseText } from './normalise-scalar';
import { normaliseVin } from './normalise-vin';
import { normaliseVins } from './normalise-vins';

/** One field takes microseconds; the bound allows for a busy machine and excludes a quadratic parser. */
const MAX_INPUT_MS = 200;
const NO_NOTES = () => {};
const textArb = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.stringMatching(/^[A-HJ-NPR-Z0-9 -]{0,20}$/),
  fc.constantFrom('\u202e', 'a\u200bb', '0', 'N/A', ' '.repeat(100_000), '9'.repeat(100_000), '1e999', '-0'),
);
const valueArb = fc.oneof(fc.anything(), textArb, fc.double(), fc.integer());

const expectInTime = <T>(run: () => T): T => {
  const startedAtMs = performance.now();
  const result = run();
  expect(performance.now() - startedAtMs).toBeLessThan(MAX_INPUT_MS);
  return result;
};

it('normaliseText gives up to 120 visible characters, trimmed, or null', () => {
  fc.assert(
    fc.property(valueArb, (value) => {
      const text = expectInTime(() => normaliseText(value, 'field', NO_NOTES));
      if (text !== null) expect(isPrintable(text) && text.length > 0 && text.length <= 120).toBe(true);
    }),
  );
});

it('normaliseNumber gives a finite number or null', () => {
  fc.assert(
    fc.property(valueArb, (value) => {
      const number = expectInTime(() => normaliseNumber(value, 'field', NO_NOTES));
      expect(number === null || Number.isFinite(number)).toBe(true);
    }),
  );
});

it('normaliseVin calls nothing usable that is not in the form of a VIN, and never throws', () => {
  fc.assert(
    fc.property(valueArb, (value) => {
      const { vin, isUsable } = expectInTime(() => normaliseVin(value, NO_NOTES));
      if (isUsable) expect(parseVin(vin!)).toBe(vin);
      if (vin !== null) expect(vin).toBe(vin.toUpperCase());
    }),
  );
});

it('normaliseVins gives each VIN once, and counts every entry that it leaves out', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(valueArb, fc.record({ vin: valueArb })), { maxLength: 50 }), (list) => {
      const { vins, unreadable, report } = expectInTime(() => normaliseVins(list));
      expect(new Set(vins).size).toBe(vins.length);
      expect(vins.length + report.dropped).toBe(list.length);
      expect(unreadable).toBeLessThanOrEqual(report.dropped);
    }),
  );
});

it('normalisePosition gives a position on the globe that is not 0, 0, or the reason why there is none', () => {
  const coordinatesArb = fc.oneof(valueArb, fc.record({ lat: valueArb, lng: valueArb }));
  fc.assert(
    fc.property(coordinatesArb, (coordinates) => {
      const { position, fault } = expectInTime(() => normalisePosition(coordinates, NO_NOTES));
      expect(position === null).toBe(fault !== null);
      if (position === null) return;
      expect(Math.abs(position.lat)).toBeLessThanOrEqual(90);
      expect(Math.abs(position.lng)).toBeLessThanOrEqual(180);
      expect(position.lat === 0 && position.lng === 0).toBe(false);
    }),
  );
});

it('parseJson accepts what JSON.parse accepts, and quotes no part of invalid text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      try {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      } catch (error) {
        expect((error as Error).message).toMatch(
          /^The text is not JSON at (position \d+|an unknown position)\.$/,
        );
      }
    }),
  );
});
