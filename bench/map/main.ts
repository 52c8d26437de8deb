/** `npm run bench:map`: how fast the map and the list are, against what else would draw the same units. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApplication } from '@/e2e/support/application';
import { publishReport, toMarkdown } from '../support/report';
import { openBrowser } from './browser';
import { measureAll } from './measure-all';
import { createMovingFleet } from './moving-fleet';
import { buildPageFiles } from './page-files';
import { FULL, SMOKE } from './plan';
import { toSections } from './sections';
import { startStage } from './stage';

const SEED = 7;
/** Nothing listens there: the fixture answers the browser's live requests. */
const NO_PROVIDER = {
  TRACKING_BASE_URL: 'http://127.0.0.1:9',
  TRACKING_API_KEY: 'bench',
  TRACKING_PROVIDER_TOKEN: 'bench',
};
const ABOUT =
  'The production build in Chromium, 1600 × 900, without a GPU, driven by mouse and keyboard; live answers come from a stub on the loopback interface, and every unit moves about 250 m with every poll. Peers get the same places on a page of their own.';

const isSmoke = process.argv.includes('--smoke');
const plan = isSmoke ? SMOKE : FULL;
const startedAtMs = Date.now();
const folder = mkdtempSync(join(tmpdir(), 'linehaul-bench-'));
const application = await startApplication(NO_PROVIDER, join(folder, 'application.log'));
const stage = await startStage(application, await buildPageFiles());
const browser = await openBrowser();
try {
  const fleet = createMovingFleet(Math.max(...plan.sizes), SEED, startedAtMs);
  const measured = await measureAll(browser, stage, fleet, plan);
  publishReport('map', toMarkdown('Map', ABOUT, toSections(measured, plan), startedAtMs), { isSmoke });
} finally {
  await browser.close();
  await stage.close();
  await application.stop();
  rmSync(folder, { recursive: true, force: true });
}
