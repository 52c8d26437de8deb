import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { AnswerLimits } from '../limits';
import { clockOf } from '@/testing/clock';
import { NOW_MS } from '@/testing/tracking/records';
import { startProvider, type TestProvider } from '@/testing/tracking/provider';
import { Transport, type TransportOptions } from './transport';

const credentials = { apiKey: 'planted-api-key-5b1f', providerToken: 'planted-provider-token-9c2e' };
const SECRETS = Object.values(credentials);

const started: TestProvider[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((provider) => provider.close()));
});

const createGet = (options: TransportOptions) => {
  const transport = new Transport(options);
  return transport.get.bind(transport);
};

const CLOCK = clockOf(() => NOW_MS);
const LIMITS: AnswerLimits = { headersTimeoutMs: 5000, timeoutMs: 5000, maxAnswerBytes: 2 ** 20 };

const serve = async (answer: RequestListener, limits: Partial<AnswerLimits> = {}) => {
  const provider = await startProvider(answer);
  started.push(provider);
  const { baseUrl } = provider;
  const get = createGet({
    fetch,
    baseUrl,
    credentials,
    clock: CLOCK,
    limits: { ...LIMITS, ...limits },
  });
  return { get, provider };
};

const rejection = async (promise: Promise<unknown>): Promise<Error & Record<string, unknown>> => {
  try {
    await promise;
  } catch (error) {
    return error as Error & Record<string, unknown>;
  }
  throw new Error('expected a rejection');
};

/** All that a log could show of an error: messages, stacks and own fields down the chain of causes. */
const toLogText = (error: unknown): string =>
  error instanceof Error
    ? `${error.name} ${error.message} ${error.stack} ${JSON.stringify(error)} ${toLogText(error.cause)}`
    : String(error);

describe('Transport', () => {
  it('sends both secrets in headers, and nowhere else', async () => {
    const { get, provider } = await serve((_, response) => response.end('[]'));
    expect(await get(['api', 'units', '9000001'])).toEqual({
      isUnchanged: false,
      clockLeadMs: expect.any(Number),
      json: [],
      etag: null,
      repairs: [],
    });
    const [request] = provider.requests;
    expect(request?.url).toBe('/api/units/9000001');
    expect(request?.headers).toMatchObject({
      'x-api-key': credentials.apiKey,
      'provider-token': credentials.providerToken,
    });
  });

  it('keeps the path of a base URL, with or without a trailing slash', async () => {
    const { provider } = await serve((_, response) => response.end('{}'));
    for (const baseUrl of [`${provider.baseUrl}/v1`, `${provider.baseUrl}/v1//`]) {
      const get = createGet({ fetch, baseUrl, credentials, clock: CLOCK, limits: LIMITS });
      await get(['api', 'carrier']);
    }
    expect(provider.requests.map(({ url }) => url)).toEqual(['/v1/api/carrier', '/v1/api/carrier']);
  });

  it('encodes path segments, and refuses those that a URL would resolve away', async () => {
    const { get, provider } = await serve((_, response) => response.end('{}'));
    await get(['api', 'carrier', 'a/b?c#d']);
    expect(provider.requests[0]?.url).toBe('/api/carrier/a%2Fb%3Fc%23d');
    for (const segment of ['..', '.', '']) {
      expect((await rejection(get(['api', 'carrier', segment]))).message).toContain(
        'a part of a path is expected',
      );
    }
  });

  it('reads a compressed answer', async () => {
    const { get } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"units":[]}'));
    });
    expect(await get(['api'])).toMatchObject({ json: { units: [] } });
  });

  it('sends the ETag that is held, and reports that nothing changed', async () => {
    const { get, provider } = await serve((request, response) => {
      const isHeld = request.headers['if-none-match'] === '"v1"';
      response.writeHead(isHeld ? 304 : 200, { etag: '"v1"' }).end(isHeld ? undefined : '{}');
    });
    expect(await get(['api'])).toMatchObject({ isUnchanged: false, json: {}, etag: '"v1"' });
    expect(await get(['api'], { etag: '"v1"' })).toMatchObject({ isUnchanged: true });
    expect(provider.requests).toHaveLength(2);
  });

  it('gives the difference between our clock and an answer’s Date, however long a cache kept it', async () => {
    const dated = (headers: Record<string, string>) =>
      serve((request, response) => {
        response.sendDate = false;
        response.writeHead(request.headers['if-none-match'] ? 304 : 200, headers).end();
      });
    const date = new Date(NOW_MS - 3_600_000).toUTCString();
    const { get } = await dated({ date });
    expect(await get(['api'], { etag: '"v1"' })).toMatchObject({ clockLeadMs: 3_600_000 });
    const kept = await dated({ date, age: '3590' });
    expect(await kept.get(['api'], { etag: '"v1"' })).toMatchObject({ clockLeadMs: 10_000 });
    for (const headers of [{}, { date: 'soon' }, { date, age: 'long' }] as Record<string, string>[]) {
      const undated = await dated(headers);
      expect(await undated.get(['api'], { etag: '"v1"' })).toMatchObject({ clockLeadMs: null });
    }
  });

  it('treats a 304 without a request for it as a failure', async () => {
    const { get } = await serve((_, response) => response.writeHead(304).end());
    expect(await rejection(get(['api']))).toMatchObject({ kind: 'status', status: 304 });
  });

  it('reports a refused connection with its cause', async () => {
    const { get, provider } = await serve((_, response) => response.end('{}'));
    await provider.close();
    const error = await rejection(get(['api', 'carrier']));
    expect(error).toMatchObject({ kind: 'network' });
    expect(error.message).toBe('GET /api/carrier: the tracking API could not be reached.');
    expect(toLogText(error)).toContain('ECONNREFUSED');
  });

  it('reports a connection that breaks off within the body as such, and how far it came', async () => {
    const { get } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"units":[', () => response.destroy());
    });
    const error = await rejection(get(['api']));
    expect(error).toMatchObject({ kind: 'brokenOff' });
    expect(error.message).toContain('the answer broke off after 10 characters');
  });

  it('gives up on headers that do not come', async () => {
    const { get } = await serve(() => {}, { headersTimeoutMs: 50 });
    const error = await rejection(get(['api', 'carrier']));
    expect(error).toMatchObject({ kind: 'timeout' });
    expect(error.message).toBe('GET /api/carrier: no headers within 50 ms.');
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('gives up on a body that does not end', async () => {
    const { get } = await serve((_, response) => response.writeHead(200).write('{"units":['), {
      timeoutMs: 60,
    });
    expect((await rejection(get(['api']))).message).toBe('GET /api: no complete answer within 60 ms.');
  });

  it('waits for a body longer than for its headers', async () => {
    const { get } = await serve(
      (_, response) => {
        response.writeHead(200).write('[');
        setTimeout(() => response.end(']'), 700);
      },
      { headersTimeoutMs: 500 },
    );
    expect(await get(['api'])).toMatchObject({ json: [] });
  });

  it('gives up on a transport that ignores the signal', async () => {
    const get = createGet({
      fetch: () => new Promise(() => {}),
      baseUrl: 'http://in.process',
      credentials,
      clock: CLOCK,
      limits: { ...LIMITS, timeoutMs: 20 },
    });
    expect(await rejection(get(['api']))).toMatchObject({ kind: 'timeout' });
  });

  it("rejects with the caller's own reason when the caller aborts", async () => {
    const { get } = await serve(() => {});
    const abort = new AbortController();
    const pending = get(['api'], { signal: abort.signal });
    const reason = new Error('no screen shows the fleet');
    abort.abort(reason);
    expect(await rejection(pending)).toBe(reason);
  });

  it('distinguishes refused credentials from a forbidden carrier', async () => {
    for (const status of [401, 403] as const) {
      const { get } = await serve((_, response) => response.writeHead(status).end('no'));
      const error = await rejection(get(['api']));
      expect(error).toMatchObject({ kind: status === 401 ? 'unauthorized' : 'forbidden', status });
    }
  });

  it('keeps the code of a 404, and works without one', async () => {
    const bodies = {
      '{"code":"never_reported","detail":"x"}': 'never_reported',
      '<html>': null,
      '{"code":7}': null,
    };
    for (const [body, code] of Object.entries(bodies)) {
      const { get } = await serve((_, response) => response.writeHead(404).end(body));
      const error = await rejection(get(['api']));
      expect(error).toMatchObject({ kind: 'notFound' });
      expect(error.code, body).toBe(code);
    }
  });

  it('keeps the status and the Retry-After', async () => {
    const cases = [
      [429, '7', 7000],
      [503, 'Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
      [500, undefined, null],
    ] as const;
    for (const [status, header, retryAfterMs] of cases) {
      const { get } = await serve((_, response) => {
        response.writeHead(status, header === undefined ? {} : { 'retry-after': header }).end('busy');
      });
      const error = await rejection(get(['api']));
      const kind = status === 429 ? 'rateLimit' : 'status';
      expect(error).toMatchObject({ kind, status, retryAfterMs });
    }
  });

  it.each(['Sun, 01 Mar 2026 13:00:00 GMT', 'Sun, 01 Mar 2026 11:00:00 GMT'])(
    'takes a date to retry after as one of the provider, whose clock says %s',
    async (date) => {
      const { get } = await serve((_, response) => {
        const retryAfter = new Date(Date.parse(date) + 30_000).toUTCString();
        response.writeHead(503, { date, 'retry-after': retryAfter }).end('busy');
      });
      expect(await rejection(get(['api']))).toMatchObject({ retryAfterMs: 30_000 });
    },
  );

  it('follows no redirect with the secrets', async () => {
    const { provider: elsewhere } = await serve((_, response) => response.end('{}'));
    for (const status of [301, 302, 307, 308]) {
      const { get } = await serve((_, response) => {
        response.writeHead(status, { location: `${elsewhere.baseUrl}/api` }).end();
      });
      const error = await rejection(get(['api']));
      expect(error).toMatchObject({ kind: 'redirect' });
      expect(error.message).toContain('redirect');
    }
    expect(elsewhere.requests).toHaveLength(0);
  });

  it('reports an answer that is not JSON, with got and expected', async () => {
    const { get } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    });
    const error = await rejection(get(['api', 'carrier']));
    expect(error).toMatchObject({ kind: 'shape' });
    expect(error.message).toBe('GET /api/carrier: got 6 characters (text/html) when JSON is expected.');
    expect(error.cause).toBeInstanceOf(SyntaxError);
  });

  it('reads JSON under any media type, and reports that and bytes that are no text', async () => {
    const { get } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end(Buffer.from('["a\xffb"]', 'latin1'));
    });
    expect(await get(['api'])).toMatchObject({
      json: ['a\uFFFDb'],
      repairs: [
        { where: 'content type', got: 'text/plain', readAs: 'application/json' },
        { where: 'text', got: 'bytes that are not UTF-8' },
      ],
    });
  });

  it('reports an answer without a body as such', async () => {
    for (const status of [200, 204]) {
      const { get } = await serve((_, response) => response.writeHead(status).end());
      expect(await rejection(get(['api']))).toMatchObject({ kind: 'empty' });
    }
  });

  it('redacts the secrets from an answer that repeats them', async () => {
    const { get } = await serve((request, response) => {
      response.end(
        JSON.stringify([request.headers['x-api-key'], { make: request.headers['provider-token'] }]),
      );
    });
    expect(await get(['api'])).toMatchObject({ json: ['[hidden]', { make: '[hidden]' }] });
  });

  /** The text with each character as JSON may escape it. */
  const toEscapes = (text: string): string =>
    [...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

  it('redacts the secrets from an answer that repeats them in escapes of JSON', async () => {
    const { get } = await serve((request, response) => {
      const key = toEscapes(String(request.headers['x-api-key']));
      response.end(`{"units":[{"make":"${key}"},{"${key}":1}],"note":"a ${key} b"}`);
    });
    const redacted = [{ make: '[hidden]' }, { '[hidden]': 1 }];
    expect(await get(['api'])).toMatchObject({ json: { units: redacted, note: 'a [hidden] b' } });
    const taken: unknown[] = [];
    const records = { key: 'units', take: (list: readonly unknown[]) => void taken.push(...list) };
    expect(await get(['api'], { records })).toMatchObject({ json: { units: [], note: 'a [hidden] b' } });
    expect(taken).toEqual(redacted);
  });

  it('lets no part of a secret into the code or the cause of an error', async () => {
    for (const [status, body] of [
      [404, JSON.stringify({ code: `bad-${credentials.apiKey}` })],
      [200, `[${toEscapes(credentials.apiKey)}]`],
      [200, `[${credentials.apiKey.slice(0, -1)}]`],
    ] as const) {
      const { get } = await serve((_, response) => response.writeHead(status).end(body));
      const text = toLogText(await rejection(get(['api'])));
      expect(text).not.toContain('planted');
      expect(text).not.toContain('u0070');
    }
  });

  it('stops reading an answer that is too long, also a small one that inflates', async () => {
    const long = JSON.stringify('x'.repeat(100_000));
    for (const encoding of ['identity', 'gzip']) {
      const { get } = await serve(
        (_, response) => {
          response
            .writeHead(200, { 'content-encoding': encoding })
            .end(encoding === 'gzip' ? gzipSync(long) : long);
        },
        { maxAnswerBytes: 10_000 },
      );
      const error = await rejection(get(['api']));
      expect(error).toMatchObject({ kind: 'tooLong' });
      expect(error.message).toContain('more than the 10000 bytes');
    }
  });

  it('refuses credentials that a header cannot carry, without repeating them', () => {
    const broken = { ...credentials, apiKey: 'planted-broken-key\n' };
    const create = () =>
      createGet({
        fetch,
        baseUrl: 'http://127.0.0.1',
        credentials: broken,
        clock: CLOCK,
        limits: LIMITS,
      });
    expect(create).toThrow('Got a value for the API key that no header can carry');
    expect(create).not.toThrow('planted-broken-key');
  });

  it('lets no secret into an error, even where the provider or the transport repeats it', async () => {
    const echo = JSON.stringify({ code: credentials.apiKey, detail: credentials.providerToken });
    const errors: unknown[] = [];
    for (const status of [200, 401, 403, 404, 429, 500]) {
      const { get } = await serve((_, response) =>
        response.writeHead(status, { location: echo }).end(`oops ${echo}`),
      );
      errors.push(await rejection(get(['api', 'carrier'])));
    }
    const failing = createGet({
      fetch: async (request) => {
        throw new Error(`cannot send ${request.headers.get('x-api-key')}`, {
          cause: new Error(credentials.providerToken),
        });
      },
      baseUrl: 'http://127.0.0.1',
      credentials,
      clock: CLOCK,
      limits: LIMITS,
    });
    errors.push(await rejection(failing(['api'])));
    for (const error of errors) for (const secret of SECRETS) expect(toLogText(error)).not.toContain(secret);
  });
});
