import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPhone, hasTwoPhones, parsePhone, toCallLink, toTextLink } from './phone';

describe('a phone number', () => {
  it.each([
    ['(512) 555-0123', '+15125550123', '(512) 555-0123'],
    ['512.555.0123', '+15125550123', '(512) 555-0123'],
    ['+1 512 555 0123', '+15125550123', '(512) 555-0123'],
    ['1-512-555-0123 x12', '+15125550123;ext=12', '(512) 555-0123 ext. 12'],
    ['(512) 555-0123 ext. 12', '+15125550123;ext=12', '(512) 555-0123 ext. 12'],
    ['tel:+15125550123;ext=12', '+15125550123;ext=12', '(512) 555-0123 ext. 12'],
    ['+47 22 34 56 78', '+4722345678', '+47 2234 5678'],
    ['+52 55 1234 5678', '+525512345678', '+52 55 1234 5678'],
    ['011 52 55 1234 5678', '+525512345678', '+52 55 1234 5678'],
    ['+44 (0)20 7946 0018', '+442079460018', '+44 20 7946 0018'],
    ['1-800-FLOWERS', '+18003569377', '(800) 356-9377'],
    ['(800) GO-FEDEX', '+18004633339', '(800) 463-3339'],
    ['1 (888) GO-FEDEX', '+18884633339', '(888) 463-3339'],
    ['+1 877 FLOWERS', '+18773569377', '(877) 356-9377'],
    ['866-FLOWERS', '+18663569377', '(866) 356-9377'],
    ['1800FLOWERS', '+18003569377', '(800) 356-9377'],
    ['011 512 555 0123', '+5125550123', '+51 2555 0123'],
    ['+353 86 123 4567', '+353861234567', '+353 861 234 567'],
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
    '713.555.0163,204',
    '512 555 Anna',
    ...['512 555 ANNA', '512 5550 ANN', '281 555 DAVE', '214 TRUCK 12', '404 SMITH 12', '3125TH AVEN'],
    ...['312 JOHNSON', '312-JOHNSON', '(312) JOHNSON', '1 312 JOHNSON', '1312 JOHNSON', '512-TRUCKER'],
    ...['800 JOHNSON', '1800 JOHNSON', '888 WILLIAM', 'TRUCK 800 JOHNSON', '801-JOHNSON', 'JOHNSON'],
    ...['770 ROUTE66', '1-800-FLOWERS 12', '800 MATTRESS', '011 512 TRUCKER', '2026-11-28 12'],
  ])('“%s” is none', (typed) => expect(parsePhone(typed)).toBeNull());

  it('is one of two where both may be meant', () => {
    for (const two of [
      '713 555 0163, 512 555 0123',
      '(713) 555-0163 / 512-555-0123',
      '5125550123 or 5125550124',
    ])
      expect(hasTwoPhones(two)).toBe(true);
    for (const one of ['713.555.0163,204', '512 555 0123', '512/555/0123'])
      expect(hasTwoPhones(one)).toBe(false);
  });

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
