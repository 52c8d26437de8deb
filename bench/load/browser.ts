import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  type Page,
} from '@playwright/test';
import { screenEmulationMetrics, throttling, userAgents } from 'lighthouse/core/config/constants.js';
import { readLaunchOptions } from '@/testing/browser';

const { executablePath, args } = readLaunchOptions();

/** No machine but this one is reachable, so that the tile server of OpenStreetMap changes no figure. */
export const LAUNCH = {
  executablePath,
  args: [...args, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
};

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...LAUNCH,
    // Playwright turns it off.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });

export interface OpenPage {
  page: Page;
  cdp: CDPSession;
  close(): Promise<void>;
}

const openPage = async (browser: Browser, form: 'mobile' | 'desktop'): Promise<OpenPage> => {
  const { width, height, deviceScaleFactor, mobile } = screenEmulationMetrics[form]!;
  const options: BrowserContextOptions = {
    viewport: { width, height },
    deviceScaleFactor,
    isMobile: mobile,
    hasTouch: mobile,
    userAgent: userAgents[form],
    locale: 'en-US',
    timezoneId: 'America/Chicago',
  };
  const context = await browser.newContext(options);
  const page = await context.newPage();
  // What tsx compiles names its inner functions by a helper that the page does not have.
  await page.addInitScript('globalThis.__name = (named) => named');
  return { page, cdp: await context.newCDPSession(page), close: () => context.close() };
};

/** A page with an empty cache on Lighthouse's desktop. */
export const openDesktop = (browser: Browser): Promise<OpenPage> => openPage(browser, 'desktop');

/** A page with an empty cache on Lighthouse's phone, whose network and processor are slowed down, not simulated. */
export const openPhone = async (browser: Browser): Promise<OpenPage> => {
  const opened = await openPage(browser, 'mobile');
  const slow = throttling.mobileSlow4G;
  const toBytesPerS = (kbps: number): number => (kbps * 1024) / 8;
  await opened.cdp.send('Network.enable');
  await opened.cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: slow.requestLatencyMs,
    downloadThroughput: toBytesPerS(slow.downloadThroughputKbps),
    uploadThroughput: toBytesPerS(slow.uploadThroughputKbps),
  });
  await opened.cdp.send('Emulation.setCPUThrottlingRate', { rate: slow.cpuSlowdownMultiplier });
  return opened;
};
