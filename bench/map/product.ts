import type { Browser, Page } from '@playwright/test';
import { percentile } from '../support/statistics';
import { openPage, readHeapMib, type OpenPage } from './browser';
import { measureMainThread, type MainThreadCost } from './main-thread';
import type { Fixture } from './fixture';
import type { Device } from './plan';

const PATH = '/fleets/9000001';
/** Dallas, where there are units at every zoom. */
const PLACE = '32.78,-96.8';
const MAP = '.leaflet-container';
const WITHIN_MS = 60_000;
const SETTLED_MS = 1500;

/** In this order: a flight ends at another zoom. */
export const MOTIONS = ['drag-pan', 'wheel zoom', 'glide', 'fly-to'] as const;
export type Motion = (typeof MOTIONS)[number];

export interface MotionFrames {
  motion: Motion;
  p95Ms: number;
  /** What the page's main thread does in a frame, by the processor's clock. */
  p95CpuMs: number;
  mostSprites: number;
}

const untilDrawn = (page: Page, version: string): Promise<unknown> =>
  page.waitForFunction(
    ([map, wanted]) => document.querySelector<HTMLElement>(map!)?.dataset.drawnVersion === wanted,
    [MAP, version],
    { timeout: WITHIN_MS },
  );

/** Opens the fleet screen on the stage's fleet and waits until map and list show it. */
export const openFleet = async (
  browser: Browser,
  fixture: Fixture,
  { zoom = 5, ...options }: { zoom?: number; device?: Device; isStill?: boolean } = {},
): Promise<OpenPage> => {
  const opened = await openPage(browser, options);
  await opened.page.goto(`${fixture.url}${PATH}?at=@${PLACE},${zoom}z`);
  await untilDrawn(opened.page, fixture.version());
  await opened.page.getByRole('option').first().waitFor({ timeout: WITHIN_MS });
  await opened.page.waitForTimeout(SETTLED_MS);
  return opened;
};

/** Makes the page ask at once, as it does when the network is back. */
const pollNow = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.dispatchEvent(new Event('offline'));
    window.dispatchEvent(new Event('online'));
  });

/** Moves the fleet on by one poll and waits until the page has drawn it. */
const pollOnce = async (page: Page, fixture: Fixture): Promise<void> => {
  const version = fixture.step();
  await pollNow(page);
  await untilDrawn(page, version);
};

/** What a poll in which every unit moves costs the main thread, from the request to the settled screen. */
export const measurePoll = (browser: Browser, page: Page, fixture: Fixture): Promise<MainThreadCost> =>
  measureMainThread(browser, page, async () => {
    await pollOnce(page, fixture);
    // What React puts off, such as the list, comes after the map.
    await page.waitForTimeout(300);
  });

const DRAG_STEPS = 60;

const selectFirst = async (page: Page): Promise<void> => {
  await page.getByRole('option').first().click();
  await page.waitForTimeout(1000);
};

const moves: Record<Motion, (page: Page, fixture: Fixture) => Promise<void>> = {
  'drag-pan': async ({ mouse }) => {
    await mouse.move(1300, 600);
    await mouse.down();
    for (let i = 1; i <= DRAG_STEPS; i++) await mouse.move(1300 - 8 * i, 600 - 4 * i);
    await mouse.up();
  },
  'wheel zoom': async (page) => {
    await page.mouse.move(1000, 450);
    for (const deltaY of [-120, -120, 120, 120]) {
      await page.mouse.wheel(0, deltaY);
      await page.waitForTimeout(350);
    }
  },
  'fly-to': async (page) => {
    await page.getByRole('option').first().click();
    await page.waitForTimeout(1500);
  },
  glide: async (page, fixture) => {
    await pollOnce(page, fixture);
    await page.waitForTimeout(1500);
  },
};

/** Frame times while the map is moved in one way, after another, from a zoom. */
export const measureMotions = async (
  browser: Browser,
  fixture: Fixture,
  zoom: number,
  device: Device,
): Promise<MotionFrames[]> => {
  const { page, cdp, close } = await openFleet(browser, fixture, { zoom, device });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: device.slowdown });
  const measured: MotionFrames[] = [];
  for (const motion of MOTIONS) {
    // What is selected already is flown to; the panel that a selection opens is no motion.
    if (motion === 'fly-to') await selectFirst(page);
    await page.evaluate(() => window.recorder.start());
    const { p95CpuMs } = await measureMainThread(browser, page, () => moves[motion](page, fixture));
    const { frameMs, mostSprites } = await page.evaluate(() => window.recorder.stop());
    measured.push({ motion, p95Ms: percentile(frameMs, 0.95), p95CpuMs, mostSprites });
    await page.waitForTimeout(300);
  }
  await close();
  return measured;
};

/** Milliseconds from a key in the search field to the frame in which both list and map show the answer. */
export const measureKeystrokes = async (page: Page, keys: readonly string[]): Promise<number[]> => {
  const search = page.getByRole('combobox', { name: 'Search' });
  await search.click();
  const tookMs: number[] = [];
  for (const key of keys) {
    await page.evaluate(watchAnswer, MAP);
    await page.keyboard.press(key);
    tookMs.push(await page.evaluate(() => window.answered));
    await page.waitForTimeout(300);
  }
  return tookMs;
};

declare global {
  interface Window {
    /** Milliseconds from the next key pressed until list and map have changed. */
    answered: Promise<number>;
  }
}

/** Runs in the page. */
const watchAnswer = (mapSelector: string): void => {
  const map = document.querySelector<HTMLElement>(mapSelector)!;
  const list = document.querySelector<HTMLElement>('[role="group"][aria-label="Trucks to list"]')!;
  const [unitsBefore, listBefore] = [map.dataset.drawnUnits, list.textContent];
  const { requestAnimationFrame: request } = window;
  let isInFrame = false;
  window.requestAnimationFrame = (draw) =>
    request((atMs) => {
      isInFrame = true;
      try {
        draw(atMs);
      } finally {
        // After the observers of what was drawn.
        queueMicrotask(() => (isInFrame = false));
      }
    });
  window.answered = new Promise<number>((resolve, reject) => {
    const giveUp = setTimeout(() => reject(new Error('No answer to a key within ten seconds.')), 10_000);
    const onKey = ({ timeStamp }: KeyboardEvent): void => {
      const look = (): void => {
        if (map.dataset.drawnUnits === unitsBefore || list.textContent === listBefore) return;
        observer.disconnect();
        clearTimeout(giveUp);
        // The first task after the frame: what was changed is on its way to the screen. What is drawn as a frame is
        // made is shown by that frame, everything else by the next.
        const channel = new MessageChannel();
        channel.port1.onmessage = () => resolve(performance.now() - timeStamp);
        const notify = (): void => channel.port2.postMessage(null);
        if (isInFrame) notify();
        else request(notify);
      };
      const observer = new MutationObserver(look);
      observer.observe(map, { attributes: true });
      observer.observe(list, { subtree: true, childList: true, characterData: true });
    };
    window.addEventListener('keydown', onKey, { once: true, capture: true });
  }).finally(() => (window.requestAnimationFrame = request));
};

/** Heap of the whole page after polls, MiB. */
export const measureHeap = async (browser: Browser, fixture: Fixture): Promise<number> => {
  const { page, cdp, close } = await openFleet(browser, fixture);
  for (let i = 0; i < 3; i++) await pollOnce(page, fixture);
  const heapMib = await readHeapMib(cdp);
  await close();
  return heapMib;
};

const WARM_POLLS = 100;

/** Runs in the page: polls `polls` times, each time as soon as the previous answer is drawn. */
const pollAgainAndAgain = ({ map, polls }: { map: string; polls: number }): Promise<void> =>
  new Promise((resolve) => {
    const element = document.querySelector<HTMLElement>(map)!;
    const poll = (): void => {
      window.dispatchEvent(new Event('offline'));
      window.dispatchEvent(new Event('online'));
    };
    let version = element.dataset.drawnVersion;
    let left = polls;
    const observer = new MutationObserver(() => {
      if (element.dataset.drawnVersion === version) return;
      version = element.dataset.drawnVersion;
      left -= 1;
      if (left > 0) {
        // The answer that was drawn is not yet done with.
        setTimeout(poll);
        return;
      }
      observer.disconnect();
      resolve();
    });
    observer.observe(element, { attributeFilter: ['data-drawn-version'] });
    poll();
  });

/** A page that was left open. */
export interface Day {
  /** How many polls there was time for. */
  polls: number;
  /** Heap after the first hundred, and after all of them, MiB. */
  earlyMib: number;
  lateMib: number;
}

/** Leaves a page open for so many polls, or for as long as there is time. */
export const measureDay = async (
  browser: Browser,
  fixture: Fixture,
  { polls, withinMs }: { polls: number; withinMs: number },
): Promise<Day> => {
  const { page, cdp, close } = await openFleet(browser, fixture);
  const beganAtMs = performance.now();
  const batch = Math.min(WARM_POLLS, Math.ceil(polls / 2));
  fixture.hurry(true);
  await page.evaluate(pollAgainAndAgain, { map: MAP, polls: batch });
  const earlyMib = await readHeapMib(cdp);
  let done = batch;
  while (done < polls && performance.now() - beganAtMs < withinMs) {
    const next = Math.min(batch, polls - done);
    await page.evaluate(pollAgainAndAgain, { map: MAP, polls: next });
    done += next;
  }
  const lateMib = await readHeapMib(cdp);
  fixture.hurry(false);
  await close();
  return { polls: done, earlyMib, lateMib };
};
