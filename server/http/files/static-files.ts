import 'server-only';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { chooseEncoding } from '@/lib/http/headers';
import type { Log } from '@/lib/ops/log';

const COPY = '.br';
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'application/javascript; charset=UTF-8',
  '.css': 'text/css; charset=UTF-8',
  '.json': 'application/json; charset=UTF-8',
};
/** The name of a file of the build changes with its content; a generated file of public/ keeps its name. */
const FOLDERS = [
  {
    folder: join('.next', 'static'),
    path: '/_next/static',
    cacheControl: 'public, max-age=31536000, immutable',
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

/**
 * Answers a file of the build or of public/ with the Brotli copy that the build has written beside it: a fifth fewer
 * bytes than gzip, and no compression while a browser waits. Returns a function that is false for every other
 * request, and for a client that does not accept Brotli.
 */
export const createStaticFiles = (
  root: string,
  log: Pick<Log, 'error'>,
): ((request: IncomingMessage, response: ServerResponse) => boolean) => {
  const files = listFiles(root);
  return (request, response) => {
    const { method, url = '', headers } = request;
    const file =
      method === 'GET' && headers.range === undefined ? files.get(url.split('?', 1)[0]!) : undefined;
    if (file === undefined) return false;
    if (chooseEncoding(headers['accept-encoding']?.toString() ?? null, ['br']) !== 'br') return false;
    for (const [name, value] of Object.entries(file.headers)) response.setHeader(name, value);
    if (headers['if-none-match'] === file.headers.etag) {
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
