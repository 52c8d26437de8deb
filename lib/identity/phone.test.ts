import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPhone, parsePhone, toCallLink, toTextLink } from './phone';

describe('a phone number', () => {
  it.each([
    ['(512) 555-0123', '+15125550123', '(512) 555-0123'],
    ['512.555.0123', '+15125550123', '(512) 555-0123'],
    ['+1 512 555 0123', '+15125550123', '(512) 555-0123'],
    ['1-512-555-0123 x12', '+15125550123;ext=12', '(512) 555-0123 ext. 12'],
    ['(512) 555-0123 ext. 12', '+15125550123;ext=12', '(512) 555-0123 ext. 12'],
    ['tel:+15125550123;ext=12', '+15125550123;ext=12', '(512) 555-0123 ext. 12'],
    ['+47 22 34 56 78', '+4722345678', '+4722345678'],
    ['+52 55 1234 5678', '+525512345678', '+525512345678'],
    ['512\u2011555\u20110123', '+15125550123', '(512) 555-0123'],
  ])('%s is stored as %s and shown as %s', (typed, stored, shown) => {
    expect(parsePhone(typed)).toBe(stored);
    expect(formatPhone(stored)).toBe(shown);
  });

  it.each([
    '',
    '555-0123',
    '512 555 012',
    '(112) 555-0123',
    '(512) 155-0123',
    '+1 12 345',
    'Ann',
    '5125550123 5125550124',
    '+0 1234567',
  ])('“%s” is none', (typed) => expect(parsePhone(typed)).toBeNull());

  it('is the same after it was shown and typed again', () => {
    const digit = (least: number) => fc.integer({ min: least, max: 9 });
    const number = fc.tuple(
      digit(2),
      digit(0),
      digit(0),
      digit(2),
      ...Array.from({ length: 6 }, () => digit(0)),
    );
    const extension = fc.option(fc.integer({ min: 0, max: 999_999 }), { nil: undefined });
    fc.assert(
      fc.property(number, extension, (digits, ext) => {
        const stored = parsePhone(`${digits.join('')}${ext === undefined ? '' : ` x${ext}`}`)!;
        expect(parsePhone(formatPhone(stored))).toBe(stored);
      }),
    );
  });

  it('of another country is the same after it was shown and typed again', () => {
    const digits = fc.tuple(
      fc.integer({ min: 2, max: 9 }),
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 6, maxLength: 14 }),
    );
    fc.assert(
      fc.property(digits, ([first, rest]) => {
        const stored = `+${first}${rest.join('')}`;
        expect(parsePhone(stored)).toBe(stored);
        expect(parsePhone(formatPhone(stored))).toBe(stored);
      }),
    );
  });

  it('is called with its extension, and written to without one', () => {
    expect(toCallLink('+15125550123;ext=12')).toBe('tel:+15125550123,12');
    expect(toTextLink('+15125550123')).toBe('sms:+15125550123');
    expect(toTextLink('+15125550123;ext=12')).toBeNull();
  });
});
