import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPrintable } from '@/lib/identity/text';
import { parseVin } from '@/lib/identity/vin';
import { createTextReader } from '../http/list-reader';
import { normalizeUnit } from './unit';
import { createSalvageNotes, normalizeNumber, normalizeText } from './salvage';
import { NOW_MS } from '@/testing/tracking/records';
import { normalizeVin, normalizeVins } from './vin';
import { expectInTime } from '@/testing/processor-time';

/** One field takes microseconds; the bound allows for a busy machine and excludes a quadratic parser. */
const NO_NOTES = () => {};
const textArb = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.stringMatching(/^[A-HJ-NPR-Z0-9 -]{0,20}$/),
  fc.constantFrom('\u202e', 'a\u200bb', '0', 'N/A', ' '.repeat(100_000), '9'.repeat(100_000), '1e999', '-0'),
);
const valueArb = fc.oneof(fc.anything(), textArb, fc.double(), fc.integer());

it('normalizeText gives up to 120 visible characters, trimmed, or null', () => {
  fc.assert(
    fc.property(valueArb, (value) => {
      const text = expectInTime(() => normalizeText(value, 'field', NO_NOTES));
      if (text !== null) expect(isPrintable(text) && text.length > 0 && text.length <= 120).toBe(true);
    }),
  );
});

it('normalizeNumber gives a finite number or null', () => {
  fc.assert(
    fc.property(valueArb, (value) => {
      const number = expectInTime(() => normalizeNumber(value, 'field', NO_NOTES));
      expect(number === null || Number.isFinite(number)).toBe(true);
    }),
  );
});

it('normalizeVin calls nothing usable that is not in the form of a VIN, and never throws', () => {
  fc.assert(
    fc.property(valueArb, (value) => {
      const { vin, isUsable } = expectInTime(() => normalizeVin(value, NO_NOTES));
      if (isUsable) expect(parseVin(vin!)).toBe(vin);
      if (vin !== null) expect(vin).toBe(vin.toUpperCase());
    }),
  );
});

it('normalizeVins gives each VIN once, and counts every entry that it leaves out', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(valueArb, fc.record({ vin: valueArb })), { maxLength: 50 }), (list) => {
      const { vins, unreadable, report } = expectInTime(() => normalizeVins(list));
      expect(new Set(vins).size).toBe(vins.length);
      expect(vins.length + report.dropped).toBe(list.length);
      expect(unreadable).toBeLessThanOrEqual(report.dropped);
    }),
  );
});

it('a unit has a position on the globe that is not 0, 0, or the reason why there is none', () => {
  const coordinatesArb = fc.oneof(valueArb, fc.record({ lat: valueArb, lng: valueArb }));
  fc.assert(
    fc.property(coordinatesArb, (coordinates) => {
      const record = { deviceId: 'd', coordinates };
      const { position, flags } = expectInTime(() =>
        normalizeUnit(record, 'unit', NOW_MS, createSalvageNotes())!,
      );
      expect(position === null).toBe(flags.some(({ flag }) => flag === 'noPosition'));
      if (position === null) return;
      expect(Math.abs(position.lat)).toBeLessThanOrEqual(90);
      expect(Math.abs(position.lng)).toBeLessThanOrEqual(180);
      expect(position.lat === 0 && position.lng === 0).toBe(false);
    }),
  );
});

it('the text reader accepts what JSON.parse accepts, and quotes no part of invalid text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      try {
        const reader = createTextReader();
        reader.push(text);
        expect(reader.end()).toEqual(JSON.parse(text));
      } catch (error) {
        expect((error as Error).message).toMatch(
          /^The text is not JSON at (position \d+|an unknown position)\.$/,
        );
      }
    }),
  );
});
