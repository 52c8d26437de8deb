/**
 * `npm run bench:map`: how fast the map and the list are, against what else would draw the same units. With --motions
 * it measures frame times alone and writes them to standard output; with MAP_PMTILES, over that street map.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApplication } from '@/e2e/support/application';
import startPostgres from '@/e2e/support/global-setup';
import { publishReport, toMarkdown, toSection } from '../support/report';
import { openBrowser } from './browser';
import { measureAll, measureAllMotions } from './measure-all';
import { createMovingFleet } from './moving-fleet';
import { buildPageFiles } from './page-files';
import { FULL, SMOKE } from './plan';
import { toMotionSection, toSections } from './sections';
import { toMotionFigures } from './targets';
import { startFixture } from './fixture';

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
const stopPostgres = await startPostgres();
const { MAP_PMTILES } = process.env;
const application = await startApplication(
  { ...NO_PROVIDER, ...(MAP_PMTILES && { MAP_PMTILES }) },
  join(folder, 'application.log'),
);
const fixture = await startFixture(application, await buildPageFiles());
const browser = await openBrowser();
try {
  const fleet = createMovingFleet(Math.max(...plan.sizes), SEED, startedAtMs);
  if (process.argv.includes('--motions')) {
    const motions = await measureAllMotions(browser, fixture, fleet, plan);
    const sections = [
      toSection('Targets', toMotionFigures(motions, plan)),
      toMotionSection({ motions }, plan),
    ];
    process.stdout.write(toMarkdown('Motions', ABOUT, sections, startedAtMs));
  } else {
    const measured = await measureAll(browser, fixture, fleet, plan);
    publishReport('map', toMarkdown('Map', ABOUT, toSections(measured, plan), startedAtMs), {
      isKept: !isSmoke,
    });
  }
} finally {
  await browser.close();
  await fixture.close();
  await application.stop();
  await stopPostgres();
  rmSync(folder, { recursive: true, force: true });
}
