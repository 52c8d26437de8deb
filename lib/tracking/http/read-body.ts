import 'server-only';

/** The body was longer than the caller's limit. */
export class BodyTooLongError extends Error {
  override name = 'BodyTooLongError';
}

/** About a millisecond of decoding, so that a body that comes in one piece does not block the event loop. */
const PIECE_BYTES = 64 * 1024;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Passes a response's body to `take` as text, piece by piece, up to `maxBytes` (after decompression).
 *
 * @throws BodyTooLongError beyond that; otherwise whatever `take` throws or the stream fails with.
 */
export const readPieces = async (
  response: Response,
  maxBytes: number,
  take: (text: string) => void,
): Promise<void> => {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
      if (bytes > maxBytes) throw new BodyTooLongError(`The body is longer than ${maxBytes} bytes.`);
      for (let from = 0; from < value.byteLength; from += PIECE_BYTES) {
        if (from > 0) await nextTurn();
        take(decoder.decode(value.subarray(from, from + PIECE_BYTES), { stream: true }));
      }
    }
    take(decoder.decode());
  } finally {
    // Cancels a body that was not read to its end, which frees the connection; one that broke off needs no
    // cancel.
    reader.cancel().catch(() => undefined);
  }
};

/** A response's body as text. Fails as readPieces does. */
export const readBody = async (response: Response, maxBytes: number): Promise<string> => {
  let text = '';
  await readPieces(response, maxBytes, (piece) => (text += piece));
  return text;
};
