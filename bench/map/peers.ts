import type { Browser, Page } from '@playwright/test';
import { percentile } from '../support/statistics';
import { openPage, readHeapMib, type OpenPage } from './browser';
import { measureMainThread, type MainThreadCost } from './main-thread';
import type { PageName } from './page-files';
import type { Fixture } from './fixture';
import type { DeclutterCheck } from './pages/check-declutter';

/** What a way of drawing units did on a page of its own, with nothing else on it. */
export interface DrawnAlone {
  firstDrawMs: number;
  polls: MainThreadCost[];
  dragP95Ms: number;
  /** Draw calls while the map was dragged: none, where a picture is slid instead. */
  drawCalls: number;
}

/** Why a way of drawing has no figures. */
export class DidNotFinishError extends Error {
  override name = 'DidNotFinishError';
}

const orGiveUp = async <T>(work: Promise<T>, withinMs: number): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const giveUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DidNotFinishError(`within ${withinMs / 1000} s`)), withinMs);
  });
  try {
    return await Promise.race([work, giveUp]);
  } finally {
    clearTimeout(timer);
  }
};

const openAlone = async (browser: Browser, fixture: Fixture, name: PageName): Promise<OpenPage> => {
  const opened = await openPage(browser);
  await opened.page.goto(`${fixture.url}/peers/${name}.html`);
  await opened.page.evaluate(() => window.candidate.load(0));
  return opened;
};

const countDrawCalls = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const counts = window as unknown as { drawCalls: number };
    counts.drawCalls = 0;
    const count = (prototype: object, name: string): void => {
      const own = prototype as Record<string, (...given: unknown[]) => unknown>;
      const draw = own[name]!;
      own[name] = function counted(this: unknown, ...given: unknown[]) {
        counts.drawCalls++;
        return draw.apply(this, given);
      };
    };
    for (const name of ['drawImage', 'fill', 'stroke']) count(CanvasRenderingContext2D.prototype, name);
  });

const DRAG_STEPS = 40;

/** Drags the map, and looks before the button is let go. */
const measureDrag = async (page: Page): Promise<{ dragP95Ms: number; drawCalls: number }> => {
  await countDrawCalls(page);
  await page.mouse.move(1000, 500);
  await page.mouse.down();
  await page.mouse.move(995, 498);
  await page.evaluate(() => {
    (window as unknown as { drawCalls: number }).drawCalls = 0;
    window.recorder.start();
  });
  for (let i = 1; i <= DRAG_STEPS; i++) await page.mouse.move(995 - 6 * i, 498 - 3 * i);
  const { frameMs } = await page.evaluate(() => window.recorder.stop());
  const drawCalls = await page.evaluate(() => (window as unknown as { drawCalls: number }).drawCalls);
  await page.mouse.up();
  return { dragP95Ms: percentile(frameMs, 0.95), drawCalls };
};

/** Draws a fleet, polls it and drags the map. @throws DidNotFinishError when it takes longer than `withinMs` */
export const measureAlone = async (
  browser: Browser,
  fixture: Fixture,
  name: PageName,
  polls: number,
  withinMs: number,
): Promise<DrawnAlone> => {
  const { page, close } = await openAlone(browser, fixture, name);
  const measure = async (): Promise<DrawnAlone> => {
    const firstDrawMs = await page.evaluate(() => window.candidate.create());
    await page.waitForTimeout(500);
    const costs: MainThreadCost[] = [];
    for (let step = 1; step <= polls; step++) {
      await page.evaluate((to) => window.candidate.load(to), step);
      costs.push(
        await measureMainThread(browser, page, async () => {
          await page.evaluate(() => window.candidate.move());
          await page.waitForTimeout(100);
        }),
      );
    }
    return { firstDrawMs, polls: costs, ...(await measureDrag(page)) };
  };
  try {
    return await orGiveUp(measure(), withinMs);
  } finally {
    await close();
  }
};

/** Figures that only our own layer has. */
export interface LayerFacts {
  /** On pages that had drawn nothing yet, and again and again on one that had. */
  firstDrawMs: number[];
  againDrawMs: number[];
  heapMib: number;
  clickMs: number[];
  hoverMs: number[];
  mostUnitsFound: number;
  declutter: { zoom: number; check: DeclutterCheck }[];
}

const LOOKS = 1000;
const FRESH_PAGES = 5;

const measureFirstDraws = async (browser: Browser, fixture: Fixture): Promise<number[]> => {
  const tookMs: number[] = [];
  for (let i = 0; i < FRESH_PAGES; i++) {
    const { page, close } = await openAlone(browser, fixture, 'layer');
    await page.evaluate(() => window.candidate.create());
    tookMs.push(await page.evaluate(() => window.layer.readFirstDrawMs()));
    await close();
  }
  return tookMs;
};

export const measureLayer = async (
  browser: Browser,
  fixture: Fixture,
  zooms: readonly number[],
  repetitions: number,
): Promise<LayerFacts> => {
  const firstDrawMs = await measureFirstDraws(browser, fixture);
  const { page, cdp, close } = await openAlone(browser, fixture, 'layer');
  await page.evaluate(() => window.candidate.create());
  await page.evaluate(() => window.layer.remove());
  const againDrawMs: number[] = [];
  for (let i = 0; i < repetitions; i++) {
    againDrawMs.push(await page.evaluate(() => window.layer.addAgain()));
    await page.evaluate(() => window.layer.remove());
    await page.waitForTimeout(200);
  }
  await page.evaluate(() => window.layer.release());
  const heapBeforeMib = await readHeapMib(cdp);
  await page.evaluate(() => window.layer.addAgain());
  await page.waitForTimeout(500);
  const heapMib = (await readHeapMib(cdp)) - heapBeforeMib;
  const click = await page.evaluate((times) => window.layer.look('click', times), LOOKS);
  const hover = await page.evaluate((times) => window.layer.look('mousemove', times), LOOKS);
  await page.evaluate(() => window.candidate.load(1));
  await page.evaluate(() => window.candidate.move());
  const declutter: LayerFacts['declutter'] = [];
  for (const zoom of zooms)
    declutter.push({ zoom, check: await page.evaluate((at) => window.layer.checkDeclutter(at), zoom) });
  await close();
  return {
    firstDrawMs,
    againDrawMs,
    heapMib,
    clickMs: click.tookMs,
    hoverMs: hover.tookMs,
    mostUnitsFound: click.mostUnits,
    declutter,
  };
};
