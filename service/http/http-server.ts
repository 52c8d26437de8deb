import { randomUUID } from 'node:crypto';
import {
  STATUS_CODES,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

type Headers = Readonly<Record<string, string>>;

/** Limits of time for each connection, in ms. */
export type ServerTimeouts = Readonly<
  Record<'headersTimeout' | 'requestTimeout' | 'keepAliveTimeout' | 'unreadTimeout', number>
>;

/**
 * How long a client may take to send its headers and its whole request, how long an idle connection is kept, and how long
 * an answer waits for its client to read on. Node compares open connections with the first two at an interval (30 s by
 * default), so that they end that much later.
 */
export const SERVER_TIMEOUTS: ServerTimeouts = {
  headersTimeout: 15_000,
  // A batch of 2 MB at the 35 kB/s of a poor mobile network.
  requestTimeout: 60_000,
  // Longer than the usual poll, so that a poller keeps its connection.
  keepAliveTimeout: 30_000,
  // An answer that is not read holds memory, and its query or its file.
  unreadTimeout: 30_000,
};

/** The response to a request that cannot be served. */
export interface HttpRefusal {
  status: number;
  text: string;
  headers?: Headers;
}

const ALLOWED = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const METHODS = new Set(ALLOWED.split(', '));
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/i;
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

const METHOD_REFUSAL: HttpRefusal = {
  status: 405,
  text: 'This server does not support this method.',
  headers: { allow: ALLOWED },
};

/** Whether a text is a host with an optional port, as a Host header has it. */
export const isHost = (text: string): boolean => HOST.test(text) && URL.canParse(`http://${text}`);

/** Rewrites an absolute-form target to a path; its authority replaces the Host header (RFC 9112, 3.2.2). */
export const toOriginForm = (request: Pick<IncomingMessage, 'url' | 'headers'>): void => {
  const [, authority, rest = ''] = ABSOLUTE_FORM.exec(request.url ?? '') ?? [];
  if (authority === undefined) return;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = authority;
};

const countHosts = (rawHeaders: readonly string[]): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;

/** The refusal of a request whose method, target or Host header cannot be served; null where all three can. */
export const findMalformed = ({
  method = '',
  url = '',
  headers,
  rawHeaders,
  httpVersion,
}: Pick<
  IncomingMessage,
  'method' | 'url' | 'headers' | 'rawHeaders' | 'httpVersion'
>): HttpRefusal | null => {
  if (!METHODS.has(method)) return METHOD_REFUSAL;
  if (url === '*' && method === 'OPTIONS') return { status: 204, text: '', headers: { allow: ALLOWED } };
  if (!url.startsWith('/')) return { status: 400, text: 'The target of the request must be a path.' };
  if (countHosts(rawHeaders) > 1) return { status: 400, text: 'The request has more than one Host header.' };
  // HTTP/1.0 has no Host header.
  if (headers.host === undefined ? httpVersion === '1.0' : isHost(headers.host)) return null;
  return { status: 400, text: 'The Host header is not a host with an optional port.' };
};

/** Sends a refusal and closes the connection. */
export const sendRefusal = (response: ServerResponse, { status, text, headers }: HttpRefusal): void => {
  const type = status === 204 ? {} : { 'content-type': 'text/plain; charset=utf-8' };
  response
    .writeHead(status, { ...headers, ...type, 'cache-control': 'no-store', connection: 'close' })
    .end(status === 204 ? undefined : `${text}\n`);
};

/**
 * Adds the missing headers to a response when it is written: headers that are set earlier could not be distinguished from
 * those of the handler.
 */
export const addMissingHeaders = (response: ServerResponse, missing: Headers): void => {
  const { writeHead } = response;
  response.writeHead = (...given: unknown[]) => {
    const own = given.at(-1);
    const named = typeof own === 'object' && !Array.isArray(own) ? (own as OutgoingHttpHeaders) : {};
    for (const [name, value] of Object.entries(missing))
      if (!response.hasHeader(name) && !(name in named)) response.setHeader(name, value);
      else if (response.getHeader(name) === '') response.removeHeader(name);
    return Reflect.apply(writeHead, response, given) as ServerResponse;
  };
};

/** Sends a refusal on a connection that has no response object, with `others` as further headers. */
export const endSocket = (socket: Duplex, { status, text, headers }: HttpRefusal, others: Headers): void => {
  const body = `${text}\n`;
  const lines = Object.entries({
    connection: 'close',
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    ...others,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () =>
    socket.destroy(),
  );
};

const PARSE_REFUSALS: Record<string, HttpRefusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, text: 'The headers are longer than this server reads.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, text: 'The request did not arrive in time.' },
};
const UNREADABLE: HttpRefusal = { status: 400, text: 'The request is not HTTP as this server reads it.' };

/** How many bytes the system took from a socket, and how many wait for it. Node.js has the latter only inside. */
const countSent = (socket: Socket): { sent: number; waiting: number } => {
  const { _handle: handle } = socket as unknown as {
    _handle: { bytesWritten: number; writeQueueSize: number } | null;
  };
  const waiting = handle?.writeQueueSize ?? 0;
  return { sent: (handle?.bytesWritten ?? 0) - waiting, waiting };
};

/** In one timeout. They are counted instead of the time, in which a busy process may have sent nothing. */
const CHECKS = 10;

/** Ends answers of a server that their clients do not read for `timeoutMs`. */
const endUnread = (server: Server, timeoutMs: number): void => {
  const answering = new Map<ServerResponse, { socket: Socket; sent: number; checks: number }>();
  const onRequest: RequestListener = ({ socket }, response) => {
    answering.set(response, { socket, sent: -1, checks: 0 });
    response.once('close', () => answering.delete(response));
  };
  const check = (): void => {
    for (const answer of answering.values()) {
      const { sent, waiting } = countSent(answer.socket);
      const isRead = waiting === 0 || sent !== answer.sent;
      if (isRead) Object.assign(answer, { sent, checks: 0 });
      else if (++answer.checks >= CHECKS) answer.socket.destroy();
    }
  };
  const timer = setInterval(check, timeoutMs / CHECKS).unref();
  server.prependListener('request', onRequest).once('close', () => clearInterval(timer));
};

/**
 * Bounds how long clients of a server may take, and answers what Node.js refuses before any listener with `headers`:
 * text that is not HTTP, CONNECT, and requests that do not end.
 */
export const guardServer = (
  server: Server,
  headers: Headers,
  timeouts: Partial<ServerTimeouts> = {},
): void => {
  const newest = new WeakMap<Duplex, ServerResponse>();

  const onRequest: RequestListener = ({ socket }, response) => void newest.set(socket, response);
  const onClientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
    const response = newest.get(socket);
    const isAnswering = response?.headersSent === true && !response.writableFinished;
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) socket.destroy();
    else endSocket(socket, PARSE_REFUSALS[error.code ?? ''] ?? UNREADABLE, headers);
  };
  const onConnect = (_: IncomingMessage, socket: Duplex): void => {
    // A client that has gone is no error of the server.
    socket.on('error', () => socket.destroy());
    endSocket(socket, METHOD_REFUSAL, headers);
  };

  const { unreadTimeout, ...others } = { ...SERVER_TIMEOUTS, ...timeouts };
  Object.assign(server, others);
  endUnread(server, unreadTimeout);
  server.prependListener('request', onRequest).on('clientError', onClientError).on('connect', onConnect);
};

export const REQUEST_ID_HEADER = 'x-request-id';
/** Visible ASCII: no character that could end a header or a line of the log. */
const CLIENT_ID = /^[\x21-\x7e]{1,128}$/;

/** The id that a client gave its request, if it is 1 to 128 visible ASCII characters; else a new UUID. */
export const toRequestId = (given: string | null | undefined): string =>
  given != null && CLIENT_ID.test(given) ? given : randomUUID();

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * The client's address. Each proxy appends the address it was called from to X-Forwarded-For, and a client may send
 * entries of its own: only the last `trustedProxies` entries are believed, and with none only the socket's address. An
 * IPv4-mapped IPv6 address is returned as IPv4; null where the socket is closed.
 */
export const toClientAddress = (
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string | null => {
  const forwarded = (forwardedFor ?? '').split(',').filter((part) => part.trim() !== '');
  const chain = socketAddress === undefined ? forwarded : [...forwarded, socketAddress];
  if (socketAddress === undefined && trustedProxies === 0) return null;
  const address = chain[Math.max(0, chain.length - 1 - trustedProxies)]?.trim().toLowerCase();
  return address === undefined ? null : (MAPPED_IPV4.exec(address)?.[1] ?? address);
};

/** The client addresses of a server's requests, kept as long as each request. */
export interface ClientAddresses {
  note(request: Request, incoming: Pick<IncomingMessage, 'headers' | 'socket'>): void;
  read(request: Request): string | null;
}

/** @param trustedProxies number of the owner's own proxies before the server */
export const createClientAddresses = (trustedProxies: number): ClientAddresses => {
  const addresses = new WeakMap<Request, string | null>();
  return {
    note(request, { headers, socket }) {
      const forwardedFor = headers['x-forwarded-for']?.toString();
      addresses.set(request, toClientAddress(socket.remoteAddress, forwardedFor, trustedProxies));
    },
    read: (request) => addresses.get(request) ?? null,
  };
};
