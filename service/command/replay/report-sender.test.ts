import { describe, expect, it } from 'vitest';
import { CommandFailure } from '../command';
import { createReportSender } from './report-sender';

const URL_WITH_REPORT = 'http://service/ingest/osmand?id=7';

/** Answers in turn; an Error is a failed connection. */
const createSender = (answers: (Response | Error)[], signal = new AbortController().signal) => {
  const requests: Headers[] = [];
  const retries: string[] = [];
  const send = createReportSender({
    token: 'lh_ingest_t',
    signal,
    waitsMs: [1, 1],
    onRetry: (reason) => retries.push(reason),
    fetch: (_url, init) => {
      requests.push(new Headers(init?.headers));
      const answer = answers.shift();
      return answer instanceof Response
        ? Promise.resolve(answer)
        : Promise.reject(answer ?? new Error('no answer left'));
    },
  });
  return { requests, retries, send: () => send(URL_WITH_REPORT, {}) };
};

const problem = (status: number, code: string) =>
  new Response(JSON.stringify({ status, code, detail: 'because' }), { status });

describe('createReportSender', () => {
  it('sends the token and accepts 200', async () => {
    const { send, requests } = createSender([new Response('')]);
    expect(await send()).toEqual({ kind: 'accepted' });
    expect(requests[0]?.get('authorization')).toBe('Bearer lh_ingest_t');
  });

  it.each([
    [400, 'invalid_input'],
    [404, 'unknown_device'],
  ])('hands a refusal with %i %s on and does not send again', async (status, code) => {
    const { send, requests } = createSender([problem(status, code)]);
    expect(await send()).toEqual({ kind: 'refused', status, code, detail: 'because' });
    expect(requests).toHaveLength(1);
  });

  it('sends again after a failed connection, a busy service and a broken one', async () => {
    const { send, retries } = createSender([
      new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }),
      new Response('', { status: 503 }),
      new Response(''),
    ]);
    expect(await send()).toEqual({ kind: 'accepted' });
    expect(retries).toEqual(['fetch failed (ECONNREFUSED)', 'status 503']);
  });

  it('gives up after its time limit, without showing the report', async () => {
    const { send } = createSender([new Error('down'), new Error('down'), new Error('down')]);
    const failure: unknown = await send().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CommandFailure);
    expect((failure as Error).message).toBe('http://service did not take a report in 3 attempts: down');
  });

  it('fails at once when the token is refused, without showing it', async () => {
    const { send } = createSender([problem(401, 'wrong_token')]);
    await expect(send()).rejects.toThrow('refuses the ingest token');
  });

  it('fails at once when there is no ingest at the address', async () => {
    await expect(createSender([new Response('<html>', { status: 404 })]).send()).rejects.toThrow(
      'no ingest at http://service',
    );
  });

  it('stops while it waits for a service that is down', async () => {
    const stop = new AbortController();
    const send = createReportSender({
      token: 't',
      signal: stop.signal,
      waitsMs: [60_000],
      onRetry: () => stop.abort(),
      fetch: () => Promise.reject(new Error('down')),
    });
    expect(await send(URL_WITH_REPORT, {})).toEqual({ kind: 'stopped' });
  });
});
