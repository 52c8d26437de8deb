import { expect, it } from 'vitest';
import { BodyTooLongError, readBody } from './read-answer';

/** A body that arrives in pieces of a given number of bytes. */
const inPieces = (text: string, pieceBytes: number): Response => {
  const bytes = new TextEncoder().encode(text);
  return new Response(
    new ReadableStream({
      start: (controller) => {
        for (let from = 0; from < bytes.length; from += pieceBytes)
          controller.enqueue(bytes.subarray(from, from + pieceBytes));
        controller.close();
      },
    }),
  );
};

it('decodes a character whose bytes arrive in different pieces', async () => {
  const text = '{"make":"Škoda 🚚 Ñandú"}';
  for (let pieceBytes = 1; pieceBytes < 8; pieceBytes++)
    expect(await readBody(inPieces(text, pieceBytes), 1000), `${pieceBytes}`).toBe(text);
});

it('decodes one across the parts of a large piece', async () => {
  const text = `${'x'.repeat(64 * 1024 - 1)}é`;
  expect(await readBody(inPieces(text, 1e6), 1e6)).toBe(text);
});

it('marks a character whose end is missing', async () => {
  const whole = new TextEncoder().encode('é');
  expect(await readBody(new Response(whole.subarray(0, 1)), 10)).toBe('\uFFFD');
});

it('reads no further than its limit', async () => {
  await expect(readBody(inPieces('12345', 2), 4)).rejects.toBeInstanceOf(BodyTooLongError);
  expect(await readBody(inPieces('1234', 2), 4)).toBe('1234');
});
