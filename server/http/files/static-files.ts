import 'server-only';
import { createReadStream, readdirSync, statSync } from 'node:fs';
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
const FOLDERS = [
  {
    folder: join('.next', 'static'),
    path: BUILT,
    cacheControl: BUILT_CACHE_CONTROL,
  },
  { folder: 'public', path: '', cacheControl: 'public, max-age=0' },
];

interface StaticFile {
  copy: string;
  bytes: number;
  headers: Record<string, string>;
}

const listCopies = (folder: string): string[] => {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(COPY));
};

const listFiles = (root: string): Map<string, StaticFile> =>
  new Map(
    FOLDERS.flatMap(({ folder, path, cacheControl }) =>
      listCopies(join(root, folder)).map((copyName): [string, StaticFile] => {
        const name = copyName.slice(0, -COPY.length);
        const copy = join(root, folder, copyName);
        const { size, mtimeMs } = statSync(copy);
        const headers = {
          'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
          'content-encoding': 'br',
          'cache-control': cacheControl,
          etag: `W/"br-${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}"`,
          vary: 'Accept-Encoding',
        };
        return [`${path}/${name}`, { copy, bytes: size, headers }];
      }),
    ),
  );

const listBuilt = (root: string): Set<string> => {
  const folder = join(root, '.next', 'static');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return new Set();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Set(names.map((name) => `${BUILT}/${name}`));
};

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
  response.writeHead(200, {
    'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
    ...(isAccepted && { 'content-encoding': 'br' }),
    'content-length': body.length,
    'cache-control': BUILT_CACHE_CONTROL,
    vary: 'Accept-Encoding',
  });
  response.end(body);
  return true;
};

/**
 * Answers a file of the build or of public/ with the Brotli copy that the build has written beside it: a fifth fewer
 * bytes than gzip, and no compression while a browser waits. Returns a function that is false for every other
 * request, and for a client that does not accept Brotli.
 *
 * @param others where the servers share the files of their builds; null: this server is alone
 * @param next answers for a file that no build has
 */
export const createStaticFiles = (
  root: string,
  log: Pick<Log, 'error'>,
  others: SharedFiles | null,
  next: RequestListener,
): ((request: IncomingMessage, response: ServerResponse) => boolean) => {
  const files = listFiles(root);
  const built = listBuilt(root);
  const copies = [...files].filter(([path]) => built.has(path));
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
    const { etag } = file.headers;
    if (etag !== undefined && isNoneMatchFailed(headers['if-none-match'] ?? null, etag)) {
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
