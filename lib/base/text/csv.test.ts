import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readCsvText, toCsv, toCsvFile } from './csv';

it('quotes characters that would break a line, and disarms formulas', () => {
  expect(
    toCsv([
      ['a,b', 'say "no"', 'x\r\ny', null, undefined, -1.5],
      ['=1+1', '@x', '-2', '+3'],
    ]),
  ).toBe('"a,b","say ""no""","x\r\ny",,,-1.5\r\n' + "'=1+1,'@x,'-2,'+3\r\n");
});

it('begins a file with the mark by which Excel knows UTF-8', () => {
  expect(new TextEncoder().encode(toCsvFile([['é']]))).toEqual(
    new Uint8Array([0xef, 0xbb, 0xbf, 0xc3, 0xa9, 0x0d, 0x0a]),
  );
});

it('disarms formulas behind a semicolon, a tab or a line break, and with full-width signs', () => {
  expect(toCsv([['x;=1+1', 'x; @y', '＝1', '＠x', 'a-b;c']])).toBe("x;'=1+1,x; '@y,'＝1,'＠x,a-b;c\r\n");
  expect(toCsv([['x\t+1', 'x\n=1']])).toBe('x\t\'+1,"x\n\'=1"\r\n');
});

it('disarms in a way that can be undone, whatever the text', () => {
  const text = fc.string({ unit: fc.constantFrom("'", '=', '-', '＠', ';', ' ', 'x', '7') });
  fc.assert(
    fc.property(text, (cell) => {
      expect(readCsvText(toCsv([[cell]]).slice(0, -2))).toBe(cell);
    }),
  );
});
