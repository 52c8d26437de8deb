import { ServiceProblem } from '../problem';

/** The largest body in bytes: 2,000 Overland locations of a kilobyte each. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024;

/**
 * The body of a request as text, read no further than it may be long.
 * @throws ServiceProblem `body_too_large`
 */
export const readBody = async (request: Request): Promise<string> => {
  const length = request.headers.get('content-length');
  if (length === null) return readUpToLimit(request);
  if (Number(length) > MAX_BODY_BYTES) throw toTooLarge();
  // HTTP limits a body to its announced length, and request.text() is cheaper than the stream.
  return Number(length) === 0 ? '' : request.text();
};

/** A body of unknown length. */
const readUpToLimit = async (request: Request): Promise<string> => {
  if (request.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = request.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    bytes += read.value.byteLength;
    if (bytes > MAX_BODY_BYTES) {
      await reader.cancel();
      throw toTooLarge();
    }
    chunks.push(read.value);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const toTooLarge = () =>
  new ServiceProblem('body_too_large', `A body may hold at most ${MAX_BODY_BYTES} bytes.`);
