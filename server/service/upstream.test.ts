import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Pool } from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase } from '@/testing/database';
import { startTcpProxy, throughProxy } from '@/testing/tcp-proxy';
import { parseEnv } from '@/lib/config/env';
import { createLog, createSecretRedactor } from '@/lib/base/log';
import { toProblem } from '@/lib/access/respond';
import { clockOf } from '@/testing/clock';
import { createUpstream, type Upstream } from './upstream';
import { NO_SOURCES } from '@/testing/app/no-sources';

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const setUp = (source: Record<string, string>, now: () => number = Date.now) => {
  const lines: string[] = [];
  const keeper = createSecretRedactor();
  const log = createLog(keeper, 'debug', { write: (line) => void lines.push(line) });
  const upstream = createUpstream({
    fetch,
    reloadSource: NO_SOURCES.reload,
    env: parseEnv(source),
    clock: clockOf(now),
    log,
    redactor: keeper,
  });
  cleanups.push(() => upstream.close());
  return { lines, log, upstream };
};

/**
 * The part of the web server that the embedded service needs: its middleware, and an answer at /api/health.
 */
const listen = async (serve: (request: Request) => Promise<Response>): Promise<number> => {
  const answer = async (request: Request) =>
    new URL(request.url).pathname === '/api/health' ? new Response('ok') : serve(request);
  const server = createServer(getRequestListener(answer, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe('an upstream without a provider', () => {
  it('drives its demo fleet through its own HTTP interface to its own client, and reveals no secret', async () => {
    const database = await createTestDatabase();
    cleanups.push(database.drop);
    let upstream: Upstream | null = null;
    const port = await listen(
      async (request) => upstream?.serve(request) ?? new Response(null, { status: 503 }),
    );
    const source = { DATABASE_URL: database.databaseUrl, DEMO_UNITS: '12', PORT: String(port) };
    const { lines, upstream: started } = setUp(source);
    upstream = started;
    await upstream.start();

    const { usdot } = await upstream.accounts[0]!.client.readAccount();
    expect((await upstream.accounts[0]!.client.readVins(usdot)).vins).toHaveLength(12);
    await expect
      .poll(async () => (await started.accounts[0]!.client.readUnits(usdot)).units.length, {
        timeout: 15_000,
        interval: 200,
      })
      .toBeGreaterThan(6);
    const { units, report } = await upstream.accounts[0]!.client.readUnits(usdot);
    expect(units.every(({ position, fixAtMs }) => position !== null && fixAtMs !== null)).toBe(true);
    expect(report).toMatchObject({ dropped: 0, repaired: 0 });
    expect(lines.join('')).not.toMatch(/lh_(key|provider|ingest)_/);
  });

  it('starts without its database, says so, and retries on a later request', async () => {
    const clock = { nowMs: 0 };
    const source = { DATABASE_URL: 'postgres://linehaul:planted-password@127.0.0.1:1/linehaul' };
    const { lines, upstream } = setUp(source, () => clock.nowMs);
    await upstream.start();

    const error = await rejection(upstream.accounts[0]!.client.readAccount());
    expect(error).toMatchObject({ kind: 'network' });
    expect(toProblem(error)).toMatchObject({ status: 503, code: 'database-unavailable' });
    expect(
      toProblem(await rejection(upstream.serve(new Request('http://127.0.0.1/tracking/api/carrier')))),
    ).toMatchObject({ status: 503, code: 'database-unavailable' });
    const attempts = () => lines.filter((line) => line.includes('cannot be started')).length;
    expect(attempts()).toBe(1);
    clock.nowMs += 60_000;
    await rejection(upstream.accounts[0]!.client.readAccount());
    expect(attempts()).toBe(2);
    expect(lines.join('')).not.toContain('planted-password');
  });

  it('reports a database that goes away midway as such, and continues when it is back', async () => {
    const database = await createTestDatabase();
    cleanups.push(database.drop);
    const proxy = await startTcpProxy(Number(new URL(database.databaseUrl).port));
    cleanups.push(proxy.close);
    const source = { DATABASE_URL: throughProxy(database.databaseUrl, proxy), DEMO_UNITS: '2', PORT: '1' };
    const { upstream } = setUp(source);
    await upstream.start();
    const { usdot } = await upstream.accounts[0]!.client.readAccount();
    expect(upstream.readDatabase()).toMatchObject({ state: 'ok' });

    await proxy.cut();
    const error = await rejection(upstream.accounts[0]!.client.readVins(usdot));
    expect(toProblem(error)).toMatchObject({ status: 503, code: 'database-unavailable' });
    expect(upstream.readDatabase()).toMatchObject({ state: 'away' });
    const polled = await rejection(
      upstream.forward(new Request(`http://main-thread.invalid/api/units/${usdot}`)),
    );
    expect(polled).toMatchObject({ code: 'database-unavailable' });

    await proxy.restore();
    expect((await upstream.accounts[0]!.client.readVins(usdot)).vins).toHaveLength(2);
    expect(upstream.readDatabase()).toMatchObject({ state: 'ok' });
  });

  it('starts no devices where its database is lost during the start', async () => {
    const database = await createTestDatabase();
    cleanups.push(database.drop, () => void vi.restoreAllMocks());
    const requesting = vi.spyOn(globalThis, 'fetch');
    const query = Pool.prototype.query as (...args: unknown[]) => unknown;
    const lose = function (this: Pool, ...args: unknown[]) {
      return args[0] === 'SHOW server_version' ? Promise.reject(new Error('lost')) : query.apply(this, args);
    };
    vi.spyOn(Pool.prototype, 'query').mockImplementation(lose as never);
    const { lines, upstream } = setUp({ DATABASE_URL: database.databaseUrl, DEMO_UNITS: '2', PORT: '1' });
    await upstream.start();
    expect(lines.join('')).toContain('The embedded tracking service cannot be started.');
    expect(requesting).not.toHaveBeenCalled();
  });

  it('names the setting to set if no database is given', async () => {
    const { lines, upstream } = setUp({});
    await upstream.start();
    expect(lines.join('')).toContain('Neither TRACKING_BASE_URL nor DATABASE_URL is set.');
    expect(toProblem(await rejection(upstream.accounts[0]!.client.readUnits('1')))).toMatchObject({
      code: 'database-unavailable',
    });
  });
});

describe('an upstream with a provider', () => {
  const PROVIDER = { TRACKING_API_KEY: 'planted-key', TRACKING_PROVIDER_TOKEN: 'planted-token' };

  it('requests the provider over the network, with both secrets', async () => {
    const asked: Headers[] = [];
    const port = await listen(async (request) => {
      asked.push(request.headers);
      return Response.json({ companyName: 'Prairie Star', companyId: 'ps', usdot: '9000001' });
    });
    const { upstream } = setUp({ ...PROVIDER, TRACKING_BASE_URL: `http://127.0.0.1:${port}` });
    expect((await upstream.accounts[0]!.client.readAccount()).usdot).toBe('9000001');
    expect(asked[0]?.get('x-api-key')).toBe('planted-key');
    expect(asked[0]?.get('provider-token')).toBe('planted-token');
  });

  it('has no service of its own', async () => {
    const { upstream } = setUp({ ...PROVIDER, TRACKING_BASE_URL: 'https://provider.example' });
    const error = await rejection(upstream.serve(new Request('http://127.0.0.1/tracking/docs')));
    expect(toProblem(error)).toMatchObject({ status: 404, code: 'not-embedded' });
  });

  it('warns only of secrets that would travel in the clear', () => {
    const warn = (url: string) => setUp({ ...PROVIDER, TRACKING_BASE_URL: url }).lines.join('');
    expect(warn('http://provider.example')).toContain('both secrets travel in the clear');
    expect(warn('https://provider.example')).toBe('');
    expect(warn('http://localhost:4000')).toBe('');
  });
});
