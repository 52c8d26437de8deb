import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCredit } from './credit';
import { expectInTime } from '@/testing/processor-time';

describe('parseCredit', () => {
  it('keeps words and links of a credit line', () => {
    const html = '&copy; <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors';
    expect(parseCredit(html)).toEqual([
      { text: '© ', href: null },
      { text: 'OpenStreetMap', href: 'https://www.openstreetmap.org/copyright' },
      { text: ' contributors', href: null },
    ]);
  });

  it('keeps nothing that could run', () => {
    const html = 'A<img src=x onerror="alert(1)"> <a href="javascript:alert(1)">B</a> <script>C</script>';
    expect(parseCredit(html)).toEqual([{ text: 'A B C', href: null }]);
  });

  it('passes plain text through', () => {
    expect(parseCredit('© OpenStreetMap contributors')).toEqual([
      { text: '© OpenStreetMap contributors', href: null },
    ]);
  });
});

it('reads any text as words and links of the web, in time', () => {
  const piece = fc.constantFrom(
    '<a href="https://x.org">',
    '<a ',
    '</a>',
    'x',
    '<',
    '&amp;',
    "href='javascript:x'>",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece, { maxLength: 300 }).map((pieces) => pieces.join('')),
      ),
      (html) => {
        const credits = expectInTime(() => parseCredit(html));
        for (const { href } of credits) expect(href ?? 'https://').toMatch(/^https?:\/\//i);
      },
    ),
  );
});
