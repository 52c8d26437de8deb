/**
 * Links of three servers of one installation, while the server that reads the fleet is killed, or is stopped for so long that
 * it loses it: none shows a fix that is later than the end, and what has ended or was revoked is gone on all of them.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import pg from 'pg';
import { MINUTE_MS, SECOND_MS } from '@/lib/base/time';
import type { toPublicSharing } from '@/lib/ops/health';
import { findFreePorts } from '@/testing/ports';
import { startRedis, type RedisServer } from '@/testing/redis-server';
import { toVin } from '@/testing/service/vehicles';
import { startProvider, type TestProvider } from '@/testing/tracking/provider';
import { TEMPLATE, createDatabase, readSharedPostgres } from './support/databases';
import { toMovingFleet } from './support/moving-provider';
import { stopProgram } from './support/programs';
import { startServer, type Server } from './support/servers';
import { sendAsPage } from './support/session';

const USDOT = '1000001';
const SITE = { lat: 35, lng: -101, radiusM: 150 };
const VINS = Array.from({ length: 6 }, (_, truck) => toVin(truck + 1));
const METERS = 1 / 111_195;
/** A truck stands at the site, drives away and comes back, s. */
const [THERE_S, AWAY_S] = [90, 40];
const ROUND_S = THERE_S + 2 * AWAY_S;
const SPEED = 30;
/** What ends the links of each truck. */
const RULES = ['arrival', 'departure', 'delivery', 'arrivalOrTime', 'time'] as const;
type Rule = (typeof RULES)[number];
const ENDINGS_PER_RULE = 6;
const GIVEN_UP_MS = 12 * MINUTE_MS;
/** What is gone is gone on every server after this. */
const HELD_MS = SECOND_MS;
/** A server that is stopped does not answer. */
const ANSWERED_WITHIN_MS = 2 * SECOND_MS;
/** A lease ends before this. */
const STOPPED_MS = 15 * SECOND_MS;

let redis: RedisServer;
let provider: TestProvider;
let database: pg.Client;
const servers: Server[] = [];

const { managerCookie: cookie } = process.env.E2E_POSTGRES ? readSharedPostgres() : { managerCookie: '' };

test.afterAll(async () => {
  for (const { program } of servers) program.kill('SIGCONT');
  await Promise.all(servers.map(({ program }) => stopProgram(program)));
  await database?.end();
  await provider?.close();
  await redis?.stop();
});

/** Meters north of the site at a time. */
const toNorthM = (truck: number, atS: number): number => {
  const s = (atS + (truck * ROUND_S) / VINS.length) % ROUND_S;
  if (s < THERE_S) return truck;
  return SPEED * (s < THERE_S + AWAY_S ? s - THERE_S : ROUND_S - s);
};

const answer = (response: ServerResponse, body: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

const startTrucks = (): Promise<TestProvider> =>
  startProvider((request, response) => {
    const [, , resource] = (request.url ?? '').split('/');
    if (resource === 'carrier')
      return answer(response, { companyName: 'Prairie Star', companyId: 'ps', usdot: USDOT });
    if (resource === 'vin-numbers') return answer(response, VINS);
    const atS = Math.floor(Date.now() / 1000);
    const units = VINS.map((vin, truck) => ({
      vin,
      coordinates: { lat: SITE.lat + toNorthM(truck, atS) * METERS, lng: SITE.lng },
      unixTimestamp: atS,
    }));
    answer(response, { units });
  });

/** Sends a change to the first server that answers; null where the end of a link has come already. */
const send = async <T>(path: string, body: unknown, method = 'POST'): Promise<T | null> => {
  for (const { url } of servers) {
    try {
      const response = await sendAsPage(url, `/api/fleets/${USDOT}${path}`, body, cookie, method);
      const text = await response.text();
      if (text.includes('share-would-end')) return null;
      if (response.status < 500) {
        expect(response.ok, text).toBe(true);
        return (text === '' ? null : JSON.parse(text)) as T;
      }
    } catch (error) {
      // A server that was killed.
      if (!(error instanceof TypeError)) throw error;
    }
  }
  throw new Error(`No server takes ${path}.`);
};

interface Link {
  rule: Rule;
  id: string;
  path: string;
  /** The newest fix that any server has shown. */
  newestMs: number;
  shown: number;
  tags: Set<string>;
  /** When the first answer came that it has ended; null: it goes on. */
  endedAtMs: number | null;
}

let loads = 0;

/** A link that a truck's next visit ends; null: its truck has just arrived. */
const makeLink = async (rule: Rule, truck: number, siteId: number): Promise<Link | null> => {
  const ofLoad = rule === 'delivery' || rule === 'arrivalOrTime';
  let loadId: number | null = null;
  if (ofLoad)
    ({ id: loadId } = (await send<{ id: number }>('/loads', {
      ...{ reference: `L${(loads += 1)}`, unit: VINS[truck] },
      stops: [{ kind: 'delivery', siteId, place: null, appointment: null }],
    }))!);
  const hasTime = rule === 'time' || rule === 'arrivalOrTime';
  const on = rule === 'arrivalOrTime' ? 'arrival' : rule === 'time' ? null : rule;
  const made = await send<{ id: string; link: string }>('/shares', {
    ...{ recipient: 'Acme', precision: 'exact', fields: ['status', 'stops', 'trail'], delayMin: 0 },
    items: [{ loadId, unit: ofLoad ? null : VINS[truck], alias: '' }],
    endsMs: hasTime ? Date.now() + Math.round(20 + Math.random() * 120) * SECOND_MS : null,
    ...{ endsOn: on, endsAtStop: null, endsAtSite: on === null || ofLoad ? null : siteId },
    ...{ showsEnd: true, frameOrigins: [] },
  });
  if (made === null) return null;
  const { id, link: path } = made;
  return { rule, id, path, newestMs: 0, shown: 0, tags: new Set(), endedAtMs: null };
};

let clients = 0;

/** Opens a link on a server, from a client of its own; null where the server is away. */
const open = async (server: Server, path: string, tag?: string): Promise<Response | null> => {
  clients += 1;
  const address = `10.${(clients >> 16) % 256}.${(clients >> 8) % 256}.${clients % 256}`;
  try {
    const response = await fetch(`${server.url}${path}?again=${Date.now()}`, {
      headers: { 'x-forwarded-for': address, ...(tag !== undefined && { 'if-none-match': tag }) },
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    });
    // Its database may be away while a server starts.
    return response.status >= 500 ? null : response;
  } catch (error) {
    if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return null;
    throw error;
  }
};

/** Opens a link on a server, and notes what it shows; what is wrong. */
const look = async (server: Server, link: Link): Promise<string | null> => {
  const sentMs = Date.now();
  const tag = [...link.tags].at(-1);
  const response = await open(server, link.path, Math.random() < 0.5 ? tag : undefined);
  if (response === null) return null;
  const text = await response.text().catch(() => null);
  if (text === null) return null;
  const about = `${link.rule} ${link.id} on ${server.url}: ${response.status}`;
  if (response.status === 410) {
    link.endedAtMs ??= Date.now();
    return /data-age|<svg|data-tag/.test(text) ? `${about} shows something` : null;
  }
  if (response.status !== 200 && response.status !== 304) return about;
  if (link.endedAtMs !== null && sentMs > link.endedAtMs + HELD_MS) return `${about} after its end`;
  if (response.status === 304) return link.tags.has(tag!) ? null : `${about} for another tag`;
  link.tags.add(response.headers.get('etag')!);
  const ages = [...text.matchAll(/data-age="(\d+)"/g)].map(([, ms]) => Number(ms));
  link.newestMs = Math.max(link.newestMs, ...ages);
  link.shown += 1;
  return null;
};

const findOwner = async (): Promise<number> => {
  const ready = await Promise.all(
    servers.map(async ({ url }) => {
      const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
      const response = await fetch(`${url}/api/health/ready`, { signal }).catch(() => null);
      return response && ((await response.json()) as ReturnType<typeof toPublicSharing>);
    }),
  );
  return ready.findIndex((each) => each?.servers?.some(({ isThis, fleets }) => isThis && fleets === 1));
};

test('no server shows a fix after the end, nor anything a second after it, while those that read the fleet are replaced', async ({}, testInfo) => {
  test.setTimeout(GIVEN_UP_MS + 5 * MINUTE_MS);
  redis = await startRedis((await findFreePorts(1))[0]!);
  provider = await startTrucks();
  const databaseUrl = await createDatabase(TEMPLATE);
  database = new pg.Client(databaseUrl);
  await database.connect();
  const variables = {
    ...toMovingFleet(provider.baseUrl, USDOT, testInfo.outputPath('history')),
    ...{ DATABASE_URL: databaseUrl, REDIS_URL: redis.url, TRUSTED_PROXIES: '1' },
  };
  const start = (name: string) => startServer(variables, testInfo.outputPath(`server-${name}.log`));
  // The first one migrates the tables.
  for (const name of ['0', '1', '2']) servers.push(await start(name));
  const { lat, lng, radiusM } = SITE;
  const { id: siteId } = (await send<{ id: number }>('/sites', {
    ...{ name: 'Yard', kind: 'yard', color: '#336699', notes: '', openingHours: null, marginM: 0 },
    shape: { type: 'circle', lat, lng, radiusM },
  }))!;
  await expect.poll(findOwner).toBeGreaterThanOrEqual(0);

  const links: Link[] = [];
  const ended: Link[] = [];
  const faults: string[] = [];
  const countOf = (rule: Rule): number => ended.filter((each) => each.rule === rule).length;
  const startedMs = Date.now();
  let isOver = false;
  const isDone = (): boolean =>
    isOver ||
    RULES.every((rule) => countOf(rule) >= ENDINGS_PER_RULE) ||
    Date.now() - startedMs > GIVEN_UP_MS;

  /** Replaces the owner of the fleet again and again: by a kill, or by a stop in which it loses its lease. */
  const kinds: string[] = [];
  const replace = async (): Promise<void> => {
    for (let turn = 0; !isDone(); turn += 1) {
      await sleep(20 * SECOND_MS);
      const owner = await findOwner();
      if (owner < 0) continue;
      const { program } = servers[owner]!;
      const kind = turn % 2 === 0 ? 'SIGKILL' : 'SIGSTOP';
      program.kill(kind);
      await sleep(STOPPED_MS);
      if (kind === 'SIGSTOP') program.kill('SIGCONT');
      else servers[owner] = await start(`${owner}-turn-${turn}`);
      kinds.push(kind);
    }
  };
  const watch = async (index: number): Promise<void> => {
    while (!isDone()) {
      for (const link of [...links]) {
        const fault = await look(servers[index]!, link);
        if (fault !== null) faults.push(fault);
      }
      await sleep(300);
    }
  };
  /** Makes a link in place of each that has ended some seconds ago. */
  const renew = async (): Promise<void> => {
    let turn = 0;
    while (!isDone()) {
      for (const link of links.filter(
        ({ endedAtMs }) => endedAtMs !== null && Date.now() - endedAtMs > 10 * SECOND_MS,
      )) {
        links.splice(links.indexOf(link), 1);
        ended.push(link);
      }
      const places = RULES.flatMap((rule) => VINS.map((_, truck) => ({ rule, truck })));
      while (links.length < 15) {
        const { rule, truck } = places[(turn += 7) % places.length]!;
        const link = countOf(rule) < 2 * ENDINGS_PER_RULE && (await makeLink(rule, truck, siteId));
        if (link) links.push(link);
      }
      await sleep(SECOND_MS);
    }
  };
  const work = [replace(), renew(), ...servers.map((_, index) => watch(index))];
  try {
    await Promise.all(work);
  } finally {
    isOver = true;
    await Promise.allSettled(work);
  }
  expect(faults).toEqual([]);
  expect(RULES.map((rule) => [rule, countOf(rule) >= ENDINGS_PER_RULE])).toEqual(
    RULES.map((rule) => [rule, true]),
  );
  expect(new Set(kinds)).toEqual(new Set(['SIGKILL', 'SIGSTOP']));

  const { rows } = await database.query<{ id: string; endedMs: number; seenMs: number }>(
    `select s.id, least(s.ends_ms, i.ended_ms)::float8 as "endedMs" from linehaul.shares s
     join linehaul.share_items i on i.share_id = s.id where s.id = any($1)`,
    [ended.map(({ id }) => id)],
  );
  for (const { id, rule, newestMs, shown } of ended) {
    const { endedMs } = rows.find((row) => row.id === id)!;
    expect(newestMs, `${rule} ${id}, shown ${shown} times`).toBeLessThanOrEqual(endedMs);
  }
  // That of a departure shows where its truck is until it leaves, for most of the time.
  expect(ended.reduce((sum, { shown }) => sum + shown, 0)).toBeGreaterThan(ended.length);

  // A revocation on one server holds on all of them within a second.
  await expect.poll(findOwner, { timeout: 30_000 }).toBeGreaterThanOrEqual(0);
  for (let i = 0; i < 9; i += 1) {
    const link = (await makeLink('time', i % VINS.length, siteId))!;
    const [by, other] = [servers[i % 3]!, servers[(i + 1) % 3]!];
    for (const server of servers) expect((await open(server, link.path))?.status).toBe(200);
    const revoked = await sendAsPage(by.url, `/api/fleets/${USDOT}/shares/${link.id}`, {}, cookie, 'DELETE');
    expect(revoked.status).toBe(204);
    const revokedMs = Date.now();
    const statuses: (number | undefined)[] = [];
    while (Date.now() - revokedMs < 3 * SECOND_MS) {
      const sentMs = Date.now();
      const answers = await Promise.all([...servers, other].map((server) => open(server, link.path)));
      if (sentMs - revokedMs > HELD_MS) statuses.push(...answers.map((response) => response?.status));
      await sleep(50);
    }
    expect([statuses.length > 10, new Set(statuses)]).toEqual([true, new Set([404])]);
  }
});
