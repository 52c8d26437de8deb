import 'server-only';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createGzip, type Gzip } from 'node:zlib';
import { chooseEncoding } from '@/lib/base/http/negotiation';

const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.+-]*json|[\w.+-]*xml|javascript|manifest)|image\/svg)/i;
/** A shorter body fits into one packet without compression. */
const MIN_BYTES = 1024;

const isWithoutBody = ({ statusCode }: ServerResponse): boolean => statusCode === 204 || statusCode === 304;

const isCompressible = (response: ServerResponse): boolean => {
  if (isWithoutBody(response) || response.statusCode === 206) return false;
  if (response.hasHeader('content-encoding')) return false;
  if (Number(response.getHeader('content-length') ?? MIN_BYTES) < MIN_BYTES) return false;
  return COMPRESSIBLE.test(String(response.getHeader('content-type') ?? ''));
};

/** Writes the compressed bytes, no faster than the client takes them. */
const pipe = (
  gzip: Gzip,
  response: ServerResponse,
  { write, end }: Pick<ServerResponse, 'write' | 'end'>,
): void => {
  gzip.on('data', (bytes: Buffer) => {
    if (!write.call(response, bytes, 'utf8')) gzip.pause();
  });
  gzip.on('end', () => end.call(response, undefined, 'utf8'));
  gzip.on('drain', () => response.emit('drain'));
  response.on('drain', () => gzip.resume());
  response.once('close', () => gzip.destroy());
};

/** Compresses a response of text by gzip where the client accepts it; its handler sees no Accept-Encoding, and does not. */
export const compressResponse = (request: IncomingMessage, response: ServerResponse): void => {
  const accepted = chooseEncoding(request.headers['accept-encoding']?.toString() ?? null, ['gzip']);
  delete request.headers['accept-encoding'];
  const { writeHead, write, end } = response;
  let gzip: Gzip | null = null;

  response.writeHead = (...given: unknown[]) => {
    const fields = given.at(-1);
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) {
      given.pop();
      for (const [name, value] of Object.entries(fields)) response.setHeader(name, value as string);
    }
    response.statusCode = Number(given[0]);
    if (isCompressible(response)) {
      response.appendHeader('vary', 'Accept-Encoding');
      if (accepted === 'gzip' && request.method !== 'HEAD') {
        response.removeHeader('content-length');
        response.setHeader('content-encoding', accepted);
        gzip = createGzip();
        pipe(gzip, response, { write, end });
        Object.assign(response, { flush: () => gzip?.flush() });
      }
    }
    return Reflect.apply(writeHead, response, given) as ServerResponse;
  };
  /** Otherwise Node.js would write the headers of the response by itself, bypassing this code. */
  const writeHeaders = (): void => {
    if (!response.headersSent) response.writeHead(response.statusCode);
  };
  response.flushHeaders = writeHeaders;
  response.write = (...given: unknown[]) => {
    writeHeaders();
    return Reflect.apply(gzip?.write ?? write, gzip ?? response, given) as boolean;
  };
  response.end = (...given: unknown[]) => {
    // A body that comes at once may be too short to compress.
    const [body] = given;
    const isStated = response.headersSent || response.hasHeader('content-length');
    // RFC 9110, 8.6: an answer without a body has no length, or that of the GET.
    const hasBody = request.method !== 'HEAD' && !isWithoutBody(response);
    if (!isStated && hasBody && typeof body !== 'function')
      response.setHeader('content-length', Buffer.byteLength((body as string | Buffer | undefined) ?? ''));
    writeHeaders();
    if (gzip === null) return Reflect.apply(end, response, given) as ServerResponse;
    Reflect.apply(gzip.end, gzip, given);
    return response;
  };
};
