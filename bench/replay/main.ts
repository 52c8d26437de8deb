/**
 * `npm run bench:replay`: frames while the past of a large fleet is played, and how soon the map shows a moment that is
 * dragged to, in Chromium without a GPU. With --smoke a small fleet, and no result is kept.
 */
import type { Page } from '@playwright/test';
import { DEMO_USDOT } from '@/e2e/support/application';
import { DEMO_SEED } from '@/service/demo/seed';
import { recordPastAt } from '@/server/service/demo-past';
import { startBenchPostgres } from '../ingest/database';
import { startDemo } from '../load/demo';
import { openBrowser, openPage } from '../map/browser';
import { atMost, publishReport, toMarkdown, toSection } from '../support/report';
import { median, percentile } from '../support/statistics';
import { MINUTE_MS } from '@/lib/base/time';

const isSmoke = process.argv.includes('--smoke');
const [UNITS, PLAYED_MS, DRAGS] = isSmoke ? [200, 2000, 5] : [10_000, 15_000, 40];
const FRAME_MS = 1000 / 60;
const MAP = '.leaflet-container';
const WITHIN_MS = 120_000;

declare global {
  interface Window {
    /** Milliseconds from the next move of the pointer to the first frame in which the map shows another moment. */
    redrawn: Promise<number>;
  }
}

/** Runs in the page. */
const watchRedraw = (selector: string): void => {
  const map = document.querySelector<HTMLElement>(selector)!;
  window.redrawn = new Promise((resolve, reject) => {
    const giveUp = setTimeout(() => reject(new Error('No other moment within ten seconds.')), 10_000);
    window.addEventListener(
      'pointermove',
      ({ timeStamp }) => {
        const observer = new MutationObserver(() => {
          observer.disconnect();
          clearTimeout(giveUp);
          requestAnimationFrame(() => resolve(performance.now() - timeStamp));
        });
        observer.observe(map, { attributeFilter: ['data-drawn-version'] });
      },
      { once: true, capture: true },
    );
  });
};

const openPast = async (page: Page, url: string): Promise<void> => {
  const atMs = Date.now() - 50 * MINUTE_MS;
  const moment = new Date(atMs).toISOString().slice(0, 19);
  await page.goto(`${url}/fleets/${DEMO_USDOT}?past=${moment}Z&speed=600`);
  await page.waitForFunction(
    ([map, units]) =>
      Number(document.querySelector<HTMLElement>(map)?.dataset.drawnUnits ?? 0) >= units * 0.7,
    [MAP, UNITS] as const,
    { timeout: WITHIN_MS },
  );
};

/** Frame times while the past is played. */
const measurePlaying = async (page: Page): Promise<number[]> => {
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForTimeout(1500);
  await page.evaluate(() => window.recorder.start());
  await page.waitForTimeout(PLAYED_MS);
  const { frameMs } = await page.evaluate(() => window.recorder.stop());
  await page.getByRole('button', { name: 'Pause' }).click();
  return frameMs;
};

/** Times from a move of the pointer on the time bar to its moment on the map, each move after the one before was drawn. */
const measureDragging = async (page: Page): Promise<number[]> => {
  const { x, y, width, height } = (await page.getByRole('slider', { name: 'Moment' }).boundingBox())!;
  const minuteOfDay = await page.evaluate(() => new Date().getHours() * 60 + new Date().getMinutes());
  const atX = (i: number): number => x + (width * (minuteOfDay - 50)) / (24 * 60) + 2 * i;
  await page.mouse.move(atX(0), y + height / 2);
  await page.mouse.down();
  await page.waitForTimeout(1000);
  const tookMs: number[] = [];
  for (let i = 1; i <= DRAGS; i++) {
    await page.evaluate(watchRedraw, MAP);
    await page.mouse.move(atX((i % 12) + 1), y + height / 2);
    tookMs.push(await page.evaluate(() => window.redrawn));
    await page.waitForTimeout(50);
  }
  await page.mouse.up();
  return tookMs;
};

const startedAtMs = Date.now();
const browser = await openBrowser();
const postgres = await startBenchPostgres();
const DATABASE_URL = await postgres.createDatabase('replay');
await recordPastAt(DATABASE_URL, { units: UNITS, seed: DEMO_SEED, hours: 1 }, new AbortController().signal);
const demo = await startDemo(process.cwd(), UNITS, browser, {
  DATABASE_URL,
  LINEHAUL_TEST_DEMO_HISTORY_HOURS: '0',
});
try {
  const { page, close } = await openPage(browser);
  await openPast(page, demo.url);
  const frameMs = await measurePlaying(page);
  const dragMs = await measureDragging(page);
  await close();
  const section = toSection(`${UNITS.toLocaleString('en-US')} units`, [
    atMost('a frame at 600×, p95', percentile(frameMs, 0.95), Math.ceil(FRAME_MS), 'ms'),
    {
      what: '… frames a second',
      measured: (frameMs.length / (frameMs.reduce((sum, each) => sum + each, 0) / 1000)).toFixed(1),
      target: '',
      isMet: null,
    },
    { what: '… longest', measured: `${Math.max(...frameMs).toFixed(0)} ms`, target: '', isMet: null },
    atMost('the map shows the moment dragged to, p95', percentile(dragMs, 0.95), 100, 'ms', 0),
    { what: '… median', measured: `${median(dragMs).toFixed(0)} ms`, target: '', isMet: null },
  ]);
  const about =
    'The production build in Chromium, 1600 × 900, without a GPU; server, database and browser share the machine. An hour of the demo fleet is recorded, polled each two minutes, and in PostgreSQL.';
  publishReport('replay', toMarkdown('Replay', about, [section], startedAtMs), { isKept: !isSmoke });
} finally {
  await browser.close();
  await demo.stop();
  await postgres.stop();
}
process.exit();
