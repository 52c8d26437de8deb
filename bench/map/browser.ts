import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from '@playwright/test';
import { readLaunchOptions } from '@/testing/browser';
import type { Device } from './plan';

const SIZE = { width: 1600, height: 900 };

export const openBrowser = (): Promise<Browser> => {
  const { executablePath, args } = readLaunchOptions();
  return chromium.launch({
    executablePath,
    args: [...args, '--enable-precise-memory-info'],
  });
};

export interface OpenPage {
  page: Page;
  cdp: CDPSession;
  close(): Promise<void>;
}

interface PageOptions {
  device?: Pick<Device, 'ratio'>;
  /** Reduced motion: nothing glides. */
  isStill?: boolean;
}

/** A page of its own context, 1600 × 900, with the recorder of frames in it. */
export const openPage = async (
  browser: Browser,
  { device = { ratio: 1 }, isStill = false }: PageOptions = {},
): Promise<OpenPage> => {
  const context: BrowserContext = await browser.newContext({
    viewport: SIZE,
    deviceScaleFactor: device.ratio,
    locale: 'en-US',
    timezoneId: 'America/Chicago',
    colorScheme: 'light',
    reducedMotion: isStill ? 'reduce' : 'no-preference',
  });
  const page = await context.newPage();
  // What tsx compiles names its inner functions by a helper that the page does not have.
  await page.addInitScript('globalThis.__name = (named) => named');
  await page.addInitScript(installRecorder);
  return { page, cdp: await context.newCDPSession(page), close: () => context.close() };
};

declare global {
  interface Window {
    /** Records when frames begin, milliseconds, and the largest number of sprites that one drew. */
    recorder: { start(): void; stop(): { frameMs: number[]; mostSprites: number } };
  }
}

/** Runs in the page. */
const installRecorder = (): void => {
  let frames: number[] = [];
  let mostSprites = 0;
  let frame = 0;
  const tick = (atMs: number): void => {
    frames.push(atMs);
    const sprites = document.querySelector<HTMLElement>('.leaflet-container')?.dataset.sprites;
    mostSprites = Math.max(mostSprites, Number(sprites ?? 0));
    frame = requestAnimationFrame(tick);
  };
  window.recorder = {
    start: () => {
      [frames, mostSprites] = [[], 0];
      frame = requestAnimationFrame(tick);
    },
    stop: () => {
      cancelAnimationFrame(frame);
      return { frameMs: frames.slice(1).map((atMs, i) => atMs - frames[i]!), mostSprites };
    },
  };
};

const MIB = 2 ** 20;

/** What the page's script holds after garbage collection, MiB: objects, and the bytes of typed arrays. */
export const readHeapMib = async (cdp: CDPSession): Promise<number> => {
  await cdp.send('HeapProfiler.enable');
  for (let i = 0; i < 3; i++) await cdp.send('HeapProfiler.collectGarbage');
  const usage = (await cdp.send('Runtime.getHeapUsage')) as { usedSize: number; backingStorageSize?: number };
  return (usage.usedSize + (usage.backingStorageSize ?? 0)) / MIB;
};
