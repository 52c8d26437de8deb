import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeText } from './text';

const TEXT = 'vin;make\r\n1M8GDM9AXKP042788;Peña Ōkubo\r\n';
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

it.each([
  ['UTF-8', Buffer.from(TEXT), TEXT],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`), TEXT],
  ['UTF-16 as Excel writes it', utf16(`\ufeff${TEXT}`), TEXT],
  ['UTF-16, big end first', utf16(`\ufeff${TEXT}`).swap16(), TEXT],
  ['UTF-16 without a mark', utf16(TEXT), TEXT],
  ['UTF-16, big end first, without a mark', utf16(TEXT).swap16(), TEXT],
  ['Windows-1252', Buffer.from('Pe\xf1a \x80', 'latin1'), 'Peña €'],
])('reads %s', (_, bytes, text) => {
  expect(decodeText(bytes)).toBe(text);
});

it('reads any bytes as some text', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => typeof decodeText(bytes) === 'string'));
});
