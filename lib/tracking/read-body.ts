import 'server-only';

/** The body was longer than the caller is ready to hold. */
export class BodyTooLongError extends Error {
  override name = 'BodyTooLongError';
}

/**
 * A response's body as text, read no further than `maxBytes` (after decompression).
 *
 * @throws BodyTooLongError beyond that; whatever the stream fails with otherwise.
 */
export const readBody = async (response: Response, maxBytes: number): Promise<string> => {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new BodyTooLongError(`The body is longer than ${maxBytes} bytes.`);
    }
    text += decoder.decode(value, { stream: true });
  }
};
