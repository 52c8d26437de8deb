import 'server-only';
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { brotliDecompress } from 'node:zlib';
import { promisify } from 'node:util';
import { chooseEncoding, isNoneMatchFailed } from '@/lib/base/http/negotiation';
import type { Log } from '@/lib/base/log';
import type { SharedFiles } from './shared-files';

const COPY = '.br';
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'application/javascript; charset=UTF-8',
  '.css': 'text/css; charset=UTF-8',
  '.json': 'application/json; charset=UTF-8',
};
/** The name of a file of the build changes with its content; a generated file of public/ keeps its name. */
const BUILT = '/_next/static';
const BUILT_CACHE_CONTROL = 'public, max-age=31536000, immutable';

interface StaticFile {
  copy: string;
  bytes: number;
  headers: Record<string, string>;
}

/** The headers of a file of the build, or of another one that is revalidated on every use. */
const toHeaders = (path: string) => ({
  'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
  'cache-control': path.startsWith(`${BUILT}/`) ? BUILT_CACHE_CONTROL : 'public, max-age=0',
  vary: 'Accept-Encoding',
});

const listNames = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];

/** The Brotli copies in a folder, by the paths at which their files are served. */
const listCopies = (folder: string, mount: string): [string, StaticFile][] =>
  listNames(folder)
    .filter((name) => name.endsWith(COPY))
    .map((name) => {
      const copy = join(folder, name);
      const { size, mtimeMs } = statSync(copy);
      const path = `${mount}/${name.slice(0, -COPY.length)}`;
      const etag = `W/"br-${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}"`;
      return [path, { copy, bytes: size, headers: { ...toHeaders(path), 'content-encoding': 'br', etag } }];
    });

const acceptsBrotli = ({ headers }: IncomingMessage): boolean =>
  chooseEncoding(headers['accept-encoding']?.toString() ?? null, ['br']) === 'br';

/** Sends a file of another server's build; false where it is of no build. */
const sendShared = async (
  path: string,
  others: SharedFiles,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> => {
  const copy = await others.read(path);
  if (copy === null) return false;
  const isAccepted = acceptsBrotli(request);
  const body = isAccepted ? copy : await promisify(brotliDecompress)(copy);
  const encoded = isAccepted ? { 'content-encoding': 'br' } : {};
  response.writeHead(200, { ...toHeaders(path), ...encoded, 'content-length': body.length }).end(body);
  return true;
};

/**
 * Answers a file of the build or of public/ with the Brotli copy that the build has written beside it: a fifth fewer bytes
 * than gzip, and no compression while a browser waits. Returns a function that is false for every other request, and for a
 * client that does not accept Brotli.
 * @param others where the servers share the files of their builds; null: this server is alone
 * @param next answers for a file that no build has
 */
export const createStaticFiles = (
  root: string,
  log: Pick<Log, 'error'>,
  others: SharedFiles | null,
  next: RequestListener,
): ((request: IncomingMessage, response: ServerResponse) => boolean) => {
  const builtFolder = join(root, '.next', 'static');
  const built = new Set(listNames(builtFolder).map((name) => `${BUILT}/${name}`));
  const copies = listCopies(builtFolder, BUILT);
  const files = new Map([...copies, ...listCopies(join(root, 'public'), '')]);
  others?.share(new Map(copies.map(([path, { copy }]) => [path, copy])));

  const sendOther = async (
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const isSent = await sendShared(path, others!, request, response).catch((error: unknown) => {
      log.error({ err: error }, 'A file of another build could not be sent.');
      return false;
    });
    if (!isSent) next(request, response);
  };

  return (request, response) => {
    const { method, url = '', headers } = request;
    const path = url.split('?', 1)[0]!;
    if (method !== 'GET' || headers.range !== undefined) return false;
    const file = files.get(path);
    if (file === undefined) {
      const isOther = others !== null && path.startsWith(`${BUILT}/`) && !built.has(path);
      if (isOther) void sendOther(path, request, response);
      return isOther;
    }
    if (!acceptsBrotli(request)) return false;
    for (const [name, value] of Object.entries(file.headers)) response.setHeader(name, value);
    if (isNoneMatchFailed(headers['if-none-match'] ?? null, file.headers.etag!)) {
      response.writeHead(304).end();
      return true;
    }
    response.writeHead(200, { 'content-length': file.bytes });
    pipeline(createReadStream(file.copy), response, (error) => {
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
        log.error({ err: error }, 'A file could not be sent.');
    });
    return true;
  };
};
