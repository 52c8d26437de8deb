/**
 * A rolling upgrade behind a balancer, seen by pages in a browser: servers of two builds answer them in turns, and neither
 * build can read the live answers of the other. cluster-faults.spec.ts has servers whose messages differ.
 */
import { readFileSync } from 'node:fs';
import { expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { startBalancer, type Balancer } from '@/testing/balancer';
import { findFreePorts } from '@/testing/ports';
import { startRedis, type RedisServer } from '@/testing/redis-server';
import type { TestProvider } from '@/testing/tracking/provider';
import { TEMPLATE, createDatabase, readSharedPostgres } from './support/databases';
import { expectLive, notices, watchLoads } from './support/fleet-page';
import { SITE, VINS, startMovingProvider, toMovingFleet } from './support/moving-provider';
import { stopProgram } from './support/programs';
import { buildNextFormat, startServer, type Server } from './support/servers';
import { addSession } from './support/session';

const USDOT = '1000001';
/** Of a tab for one build, see components/fleet-state/reload.ts; this upgrade has one build to reload for. */
const MOST_RELOADS = 3;
/** Three answers, ten seconds without a touch, and the reload. */
const RELOADS_WITHIN = { timeout: 60_000 };
/** Also on a busy machine. */
const BUILDS_WITHIN_MS = 600_000;

let redis: RedisServer;
let provider: TestProvider;
let balancer: Balancer;
let ports: number[];
let servers: Server[] = [];
let variables: Record<string, string>;

test.beforeAll(async ({}, testInfo) => {
  const [redisPort, ...rest] = (await findFreePorts(4)) as [number, ...number[]];
  ports = rest;
  [redis, provider] = [await startRedis(redisPort), await startMovingProvider(USDOT)];
  variables = {
    DATABASE_URL: await createDatabase(TEMPLATE),
    REDIS_URL: redis.url,
    TRUSTED_PROXIES: '1',
    ...toMovingFleet(provider.baseUrl, USDOT, testInfo.outputPath('history')),
  };
  const start = (index: number): Promise<Server> =>
    startServer({ ...variables, PORT: String(ports[index]) }, testInfo.outputPath(`server-${index}.log`));
  // The first one migrates the tables.
  servers = [await start(0)];
  servers.push(...(await Promise.all([start(1), start(2)])));
  balancer = await startBalancer({ servers: ports });
});

test.afterAll(async () => {
  await balancer?.stop();
  await Promise.all(servers.map(({ program }) => stopProgram(program)));
  await provider?.close();
  await redis?.stop();
});

interface Frame {
  /** Null before the page has them, 'gone' after that. */
  coordinates: string | null;
  notices: string | null;
  heading: string | null;
  alert: string | null;
}

/** Sends each change of what the page shows to the test. It runs in the page, with nothing of this file. */
const sendFrames = (): void => {
  let last = '';
  let isShown = false;
  const read = (selector: string): string | null => document.querySelector(selector)?.textContent ?? null;
  setInterval(() => {
    const terms = [...document.querySelectorAll('dt')];
    const shown = terms.find((term) => term.textContent === 'Coordinates')?.parentElement?.textContent;
    const frame = JSON.stringify({
      coordinates: shown ?? (isShown ? 'gone' : null),
      notices: read('[aria-label="Notices"]'),
      heading: read('h1'),
      alert: read('[role="alert"]'),
    });
    isShown ||= shown !== undefined;
    if (frame !== last) (window as unknown as { noteFrame: (frame: string) => void }).noteFrame(frame);
    last = frame;
  }, 50);
};

/** A signed-in browser behind the balancer. `faults` has what a page of it shows and must not. */
const openBrowser = async (browser: Browser) => {
  const context: BrowserContext = await browser.newContext({ serviceWorkers: 'block' });
  await addSession(context, balancer.url, readSharedPostgres().managerCookie);
  const faults: string[] = [];
  let latitudes = 0;
  await context.exposeFunction('noteFrame', (text: string) => {
    const { coordinates, notices, heading, alert } = JSON.parse(text) as Frame;
    if (notices !== null && !notices.startsWith('Linehaul was updated.')) faults.push(notices);
    if (alert) faults.push(alert);
    if (/missing|broke|not found/i.test(heading ?? '')) faults.push(heading!);
    if (coordinates === null) return;
    const [lat, lng] =
      coordinates
        .replaceAll('−', '-')
        .match(/-?\d+\.\d+/g)
        ?.map(Number) ?? [];
    if (lat === undefined || lat < SITE.lat || lat > SITE.lat + 0.0041 || lng !== SITE.lng)
      faults.push(coordinates);
    latitudes++;
  });
  await context.addInitScript(sendFrames);
  const page = await context.newPage();
  const builds = new Map<string, number>();
  page.on('response', (response) => {
    const build = response.headers()['x-linehaul-build'];
    if (build !== undefined) builds.set(build, (builds.get(build) ?? 0) + 1);
  });
  page.on('pageerror', ({ message }) => void faults.push(message));
  const answersOf = (build: string): number => builds.get(build) ?? 0;
  return { context, page, faults, answersOf, latitudes: () => latitudes };
};

const openFleet = async (page: Page): Promise<void> => {
  await page.goto(`${balancer.url}/fleets/${USDOT}?unit=${VINS[0]}`);
  await expectLive(page);
};

test('pages of two builds whose servers answer in turns show no wrong frame and no error, and the old one becomes the new one', async ({
  browser,
}, testInfo) => {
  test.setTimeout(BUILDS_WITHIN_MS);
  const next = await buildNextFormat();
  const old = readFileSync('.next/BUILD_ID', 'utf8').trim();
  expect(next.build).not.toBe(old);
  const staying = await openBrowser(browser);
  const loads = watchLoads(staying.page);
  await openFleet(staying.page);

  for (const index of ports.keys()) {
    await stopProgram(servers[index]!.program);
    const log = testInfo.outputPath(`next-${index}.log`);
    servers[index] = await startServer({ ...variables, PORT: String(ports[index]) }, log, next);
    const before = staying.answersOf(next.build);
    await expect.poll(() => staying.answersOf(next.build), { timeout: 30_000 }).toBeGreaterThan(before + 2);
    // Browsers without any file of either build, whose first page comes from a server of one or the other.
    for (let visitor = 0; visitor < 3; visitor++) {
      const { context, page, faults, answersOf } = await openBrowser(browser);
      await openFleet(page);
      await expect.poll(() => answersOf(old) + answersOf(next.build)).toBeGreaterThan(4);
      expect(faults, `visitor ${visitor} after ${index + 1} servers`).toEqual([]);
      await context.close();
    }
  }
  expect(staying.answersOf(old)).toBeGreaterThan(3);
  expect(staying.faults).toEqual([]);

  await expect.poll(() => staying.page.content(), RELOADS_WITHIN).toContain(next.build);
  await expectLive(staying.page);
  await expect(notices(staying.page)).toBeHidden();
  const latitudes = staying.latitudes();
  await expect.poll(staying.latitudes, { timeout: 15_000 }).toBeGreaterThan(latitudes + 3);
  // One that is live stays as it is.
  expect(loads()).toBeGreaterThanOrEqual(1);
  expect(loads()).toBeLessThanOrEqual(MOST_RELOADS + 1);
  expect(staying.faults).toEqual([]);
  await staying.context.close();
});
