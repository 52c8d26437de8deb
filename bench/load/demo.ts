import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { z } from 'zod';
import { DEMO_USDOT } from '@/e2e/support/application';
import { findFreePorts } from '@/testing/ports';
import { stopProgram, toEnv, waitForAnswer } from '@/e2e/support/programs';
import { createScratchFolder, removeScratchFolder } from '@/testing/scratch';
import { openDesk } from './browser';

/** A few of the demo's trucks never report. */
const LEAST_SHARE_DRAWN = 0.75;
const WARM_WITHIN_MS = 120_000;

/** A built checkout that shows its demo fleet. */
export interface Demo {
  url: string;
  /** Path of each page that is audited. */
  paths: { map: string; vehicle: string; roster: string };
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
const warmUp = async (browser: Browser, url: string, units: number): Promise<Demo['paths']> => {
  const { page, close } = await openDesk(browser);
  await page.goto(url);
  await page.waitForFunction(
    (least) =>
      Number(document.querySelector<HTMLElement>('.leaflet-container')?.dataset.drawnUnits ?? 0) >= least,
    units * LEAST_SHARE_DRAWN,
    { timeout: WARM_WITHIN_MS },
  );
  const fleet = `/fleets/${DEMO_USDOT}`;
  const vehicle = `${fleet}/units/${await findReportingVin(url)}`;
  const roster = `${fleet}/roster`;
  for (const path of [vehicle, roster]) await page.goto(`${url}${path}`);
  await close();
  return { map: '/', vehicle, roster };
};

/** Starts the production build of a checkout with an empty database and a demo fleet of this size. */
export const startDemo = async (
  checkout: string,
  units: number,
  browser: Browser,
  variables: Record<string, string> = {},
): Promise<Demo> => {
  const folder = createScratchFolder('linehaul-bench-');
  const log = join(folder, 'application.log');
  const [port] = (await findFreePorts(1)) as [number];
  const url = `http://127.0.0.1:${port}`;
  const output = openSync(log, 'w');
  const program = spawn(
    process.execPath,
    ['--conditions=react-server', '--import', 'tsx', 'server/main.ts'],
    {
      cwd: checkout,
      env: toEnv({
        DEMO_UNITS: String(units),
        LINEHAUL_DATA_DIR: folder,
        PORT: String(port),
        ...variables,
      }),
      stdio: ['ignore', output, output],
    },
  );
  closeSync(output);
  const stop = async () => {
    await stopProgram(program);
    await removeScratchFolder(folder);
  };
  try {
    await waitForAnswer(`${url}/api/health`, program, log);
    return { url, paths: await warmUp(browser, url, units), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
