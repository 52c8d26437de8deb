import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from '@playwright/test';
import { z } from 'zod';
import { DEMO_USDOT } from '@/e2e/support/application';
import { findFreePorts } from '@/testing/ports';
import { startProgram, stopProgram, waitForAnswer } from '@/e2e/support/programs';
import { createScratchFolder, removeScratchFolder } from '@/testing/scratch';
import { openDesktop } from './browser';
import { makeShareLink } from '../support/share-link';

/** A few of the demo's trucks never report. */
const LEAST_SHARE_DRAWN = 0.75;
const WARM_WITHIN_MS = 120_000;
/** The line of the log that says so. */
const PAST_IS_RECORDED = 'The demo fleet has a recorded past.';

/** A built checkout that shows its demo fleet. */
export interface Demo {
  url: string;
  /** Path of each page that is audited. */
  paths: { map: string; vehicle: string; roster: string };
  /** The link to a truck of it; null where the checkout has no links. */
  link: string | null;
  stop(): Promise<void>;
}

const fetchJson = async <T>(url: string, schema: z.ZodType<T>): Promise<T> =>
  schema.parse(await (await fetch(url)).json());

/** The first VIN of the roster whose truck has reported. */
const findReportingVin = async (url: string): Promise<string> => {
  const fleet = `${url}/api/fleets/${DEMO_USDOT}`;
  const { vins } = await fetchJson(`${fleet}/roster`, z.object({ vins: z.array(z.string()) }));
  for (const vin of vins) {
    const { unit } = await fetchJson(`${fleet}/units/${vin}`, z.object({ unit: z.object({}).nullable() }));
    if (unit !== null) return vin;
  }
  throw new Error('No truck of the demo has reported.');
};

/** Waits until the map has drawn most trucks, and opens each other page, so that no measured load is the server's first. */
const warmUp = async (
  browser: Browser,
  url: string,
  units: number,
): Promise<Pick<Demo, 'paths' | 'link'>> => {
  const { page, close } = await openDesktop(browser);
  await page.goto(url);
  await page.waitForFunction(
    (least) =>
      Number(document.querySelector<HTMLElement>('.leaflet-container')?.dataset.drawnUnits ?? 0) >= least,
    units * LEAST_SHARE_DRAWN,
    { timeout: WARM_WITHIN_MS },
  );
  const fleet = `/fleets/${DEMO_USDOT}`;
  const vin = await findReportingVin(url);
  const vehicle = `${fleet}/units/${vin}`;
  const roster = `${fleet}/roster`;
  const link = await makeShareLink(url, { usdot: DEMO_USDOT, vin });
  for (const path of [vehicle, roster, ...(link === null ? [] : [link])]) await page.goto(`${url}${path}`);
  await close();
  return { paths: { map: '/', vehicle, roster }, link };
};

interface RunningServer {
  url: string;
  log: string;
  stop(): Promise<void>;
}

/** Starts the production build of a checkout with an empty database and a demo fleet of this size. */
const startServer = async (
  checkout: string,
  units: number,
  variables: Record<string, string>,
): Promise<RunningServer> => {
  const folder = createScratchFolder('linehaul-bench-');
  const log = join(folder, 'application.log');
  const [port] = (await findFreePorts(1)) as [number];
  const url = `http://127.0.0.1:${port}`;
  const own = { DEMO_UNITS: String(units), LINEHAUL_DATA_DIR: folder, PORT: String(port) };
  const program = startProgram('start', [], { ...own, ...variables }, log, checkout);
  const stop = async () => {
    await stopProgram(program);
    await removeScratchFolder(folder);
  };
  try {
    await waitForAnswer(`${url}/api/health`, program, log);
    return { url, log, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Starts such a demo, and opens its pages. */
export const startDemo = async (
  checkout: string,
  units: number,
  browser: Browser,
  variables: Record<string, string> = {},
): Promise<Demo> => {
  const { url, stop } = await startServer(checkout, units, variables);
  try {
    return { url, ...(await warmUp(browser, url, units)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** How long after its server answers the demo has these last hours as its past, ms: it is recorded at the first start. */
export const timePast = async (checkout: string, units: number, hours: number): Promise<number> => {
  const { log, stop } = await startServer(checkout, units, {
    LINEHAUL_TEST_DEMO_HISTORY_HOURS: String(hours),
    LOG_LEVEL: 'info',
  });
  const from = performance.now();
  try {
    while (!readFileSync(log, 'utf8').includes(PAST_IS_RECORDED)) {
      if (performance.now() - from > WARM_WITHIN_MS)
        throw new Error('The past of the demo was not recorded.');
      await sleep(50);
    }
    return performance.now() - from;
  } finally {
    await stop();
  }
};
