/** Firefox by WebDriver BiDi, WebKitGTK by WebDriver, and Chromium, as one small interface. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { readLaunchOptions } from '@/testing/browser';
import { findFreePorts } from '@/testing/ports';
import { stopProgram } from './programs';

export const OTHER_BROWSERS = ['firefox', 'webkit'] as const;
export const BROWSERS = ['chromium', ...OTHER_BROWSERS] as const;
export type BrowserName = (typeof BROWSERS)[number];

const ZONE = 'America/Chicago';
export const SIZE = { width: 1440, height: 900 };

/** What a browser runs on. */
export interface Look {
  width: number;
  height: number;
  isDark: boolean;
  /** Fingers are its pointer. WebKitGTK has none such. */
  isTouch: boolean;
}
const DESK: Look = { ...SIZE, isDark: false, isTouch: false };
const WITHIN_MS = 30_000;

/** What differs between browsers. */
interface Driver {
  open(url: string): Promise<void>;
  /** Runs the source of a function in the page with arguments of JSON. */
  run(source: string, args: unknown[]): Promise<unknown>;
  clickAt(x: number, y: number): Promise<void>;
  /** Presses keys one after another; a name such as "Escape" is one key. */
  press(keys: readonly string[]): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** A picture of the window as PNG in base64. */
  capture(): Promise<string>;
  /** Errors of scripts and of the console so far. */
  readErrors(): Promise<string[]>;
  close(): Promise<void>;
}

/** The path that scripts/bootstrap.mjs noted. */
const pathOf = (program: string): string => readFileSync(`.cache/${program}`, 'utf8');

const COARSE = 1;

/** An older release, such as 140, does not know the orientation of the screen, which Puppeteer sets along with the size. */
const setFirefoxSize = async (page: Page, width: number, height: number): Promise<void> => {
  await page.setViewport({ width, height }).catch((error: unknown) => {
    if (!String(error).includes('unknown command emulation.setScreenOrientationOverride')) throw error;
  });
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
};

const openFirefox = async ({ width, height, isDark, isTouch }: Look): Promise<Driver> => {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: pathOf('firefox'),
    headless: true,
    defaultViewport: null,
    env: { ...process.env, TZ: ZONE },
    extraPrefsFirefox: {
      // As on most desks, scrollbars take room.
      'widget.gtk.overlay-scrollbars.enabled': false,
      'ui.useOverlayScrollbars': 0,
      'layout.css.prefers-color-scheme.content-override': isDark ? 0 : 1,
      ...(isTouch ? { 'ui.primaryPointerCapabilities': COARSE, 'ui.allPointerCapabilities': COARSE } : {}),
    },
  });
  const page = await browser.newPage();
  await setFirefoxSize(page, width, height);
  return { ...toDriver(browser, page), resize: (...size) => setFirefoxSize(page, ...size) };
};

const openChromium = async ({ width, height, isDark, isTouch }: Look): Promise<Driver> => {
  const { executablePath, ...options } = readLaunchOptions();
  const browser = await puppeteer.launch({
    ...options,
    ...(executablePath === undefined ? { channel: 'chrome' } : { executablePath }),
    headless: true,
    env: { ...process.env, TZ: ZONE },
  });
  const page = await browser.newPage();
  await page.setViewport({ width, height, isMobile: isTouch, hasTouch: isTouch });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' }]);
  return toDriver(browser, page);
};

/** Firefox's words for a request that was under way when its page was left, without and with a service worker. */
const LEFT = [
  'NS_BINDING_ABORTED',
  'A ServiceWorker intercepted the request and encountered an unexpected error',
];

const toDriver = (browser: Browser, page: Page): Driver => {
  const errors: string[] = [];
  page.on('pageerror', (error) => {
    if (!LEFT.some((words) => String(error).includes(words))) errors.push(`error: ${String(error)}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`console: ${message.text()}`);
  });
  return {
    open: async (url) => void (await page.goto(url, { waitUntil: 'domcontentloaded', timeout: WITHIN_MS })),
    run: (source, args) => page.evaluate(`(${source})(...${JSON.stringify(args)})`),
    clickAt: (x, y) => page.mouse.click(x, y),
    press: async (keys) => {
      for (const key of keys) await page.keyboard.press(key as 'Escape');
    },
    resize: (width, height) => page.setViewport({ width, height }),
    capture: () => page.screenshot({ encoding: 'base64' }),
    readErrors: () => Promise.resolve(errors),
    close: () => browser.close(),
  };
};

const WEBDRIVER_KEYS: Record<string, string> = {
  ...{ Tab: '\uE004', Enter: '\uE007', Escape: '\uE00C', PageDown: '\uE00F' },
  ...{ End: '\uE010', Home: '\uE011', ArrowDown: '\uE015' },
};

/** Starts a program with a display of its own, which Xvfb chooses. */
const startDisplay = async (): Promise<{ display: string; process: ChildProcess }> => {
  const xvfb = spawn(
    pathOf('xvfb'),
    ['-displayfd', '1', '-screen', '0', '1920x1200x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const number = await new Promise<string>((resolve, reject) => {
    xvfb.stdout.once('data', (text: Buffer) => resolve(String(text).trim()));
    xvfb.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}.`)));
  });
  return { display: `:${number}`, process: xvfb };
};

type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

const startWebKitDriver = async (
  display: string,
  isDark: boolean,
): Promise<{ call: Call; process: ChildProcess }> => {
  const [port] = (await findFreePorts(1)) as [number];
  const program = spawn(pathOf('webkit-driver'), [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    // It refuses its sandbox to root, as whom containers run.
    env: {
      ...process.env,
      ...(isDark ? { GTK_THEME: 'Adwaita:dark' } : {}),
      ...{ DISPLAY: display, TZ: ZONE, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
    },
  });
  const url = `http://127.0.0.1:${port}`;
  for (const startedAt = Date.now(); ; await sleep(50)) {
    const isUp = await fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) break;
    if (Date.now() - startedAt > WITHIN_MS) throw new Error('WebKitWebDriver does not answer.');
  }
  const call: Call = async (method, path, body) => {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const { value } = (await (await fetch(url + path, init)).json()) as { value: unknown };
    const { error, message } = { ...(value as { error?: string; message?: string } | null) };
    if (error !== undefined) throw new Error(`${method} ${path}: ${error}, ${message}`);
    return value;
  };
  return { call, process: program };
};

/** Runs in the page. Notes errors from here on: WebDriver reports none, and runs nothing before a page is loaded. */
const noteErrors = (): void => {
  const noted: string[] = [];
  Object.assign(window, { notedErrors: noted });
  Object.assign(console, {
    error: (...parts: unknown[]): void => void noted.push(`console: ${parts.join(' ')}`),
  });
  addEventListener('error', ({ message }) => void noted.push(`error: ${message}`));
  addEventListener('unhandledrejection', ({ reason }) => void noted.push(`error: ${String(reason)}`));
};

const openWebKit = async ({ width, height, isDark }: Look): Promise<Driver> => {
  const screen = await startDisplay();
  const driver = await startWebKitDriver(screen.display, isDark);
  const options = { binary: pathOf('webkit-browser'), args: ['--automation'] };
  const { sessionId } = (await driver.call('POST', '/session', {
    capabilities: {
      // It draws without a graphics card: frames take long on a busy machine.
      alwaysMatch: { timeouts: { script: 120_000 }, 'webkitgtk:browserOptions': options },
    },
  })) as { sessionId: string };
  const call = (method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> =>
    driver.call(method, `/session/${sessionId}/${path}`, body);
  const run: Driver['run'] = (source, args) =>
    call('POST', 'execute/sync', { script: `return (${source})(...arguments)`, args });
  const errors: string[] = [];
  const takeErrors = async (): Promise<string[]> => {
    const noted = (await run('() => window.notedErrors?.splice(0) ?? []', [])) as string[];
    errors.push(...noted);
    return errors;
  };
  const act = (type: 'pointer' | 'key', actions: object[]): Promise<unknown> =>
    call('POST', 'actions', { actions: [{ type, id: type, actions }] });
  const resize: Driver['resize'] = async (wide, high) => {
    await call('POST', 'window/rect', { x: 0, y: 0, width: wide, height: high });
    // The height of its own bar is not the page's.
    const missing = high - Number(await run('() => innerHeight', []));
    await call('POST', 'window/rect', { x: 0, y: 0, width: wide, height: high + missing });
  };
  await resize(width, height);
  return {
    open: async (url) => {
      await takeErrors();
      await call('POST', 'url', { url });
      await run(String(noteErrors), []);
    },
    run,
    clickAt: async (x, y) => {
      const [left, top] = [Math.round(x), Math.round(y)];
      const steps = [
        { type: 'pointerMove', x: left, y: top, duration: 0 },
        { type: 'pointerDown', button: 0 },
      ];
      await act('pointer', [...steps, { type: 'pointerUp', button: 0 }]);
    },
    press: async (keys) => {
      const values = keys.map((key) => WEBDRIVER_KEYS[key] ?? key);
      const types = ['keyDown', 'keyUp'];
      await act(
        'key',
        values.flatMap((value) => types.map((type) => ({ type, value }))),
      );
    },
    resize,
    capture: async () => String(await call('GET', 'screenshot')),
    readErrors: takeErrors,
    close: async () => {
      await driver.call('DELETE', `/session/${sessionId}`);
      await Promise.all([stopProgram(driver.process), stopProgram(screen.process)]);
    },
  };
};

const OPENERS: Record<BrowserName, (look: Look) => Promise<Driver>> = {
  chromium: openChromium,
  firefox: openFirefox,
  webkit: openWebKit,
};

/** Runs in the page. A place at a share of the width of the first shown element that matches a selector and has a text or a label. */
const findPlace = (selector: string, text: string, share: number): { x: number; y: number } | null => {
  for (const element of document.querySelectorAll(selector)) {
    const label = element.getAttribute('aria-label') ?? element.textContent;
    const { width, height } = element.getBoundingClientRect();
    if (!label.includes(text) || width === 0 || height === 0) continue;
    element.scrollIntoView({ block: 'nearest' });
    const { left, top } = element.getBoundingClientRect();
    return { x: left + width * share, y: top + height / 2 };
  }
  return null;
};

/** Runs in the page. Whether a click at a place is one on what a selector matches. */
const isUncovered = (selector: string, { x, y }: { x: number; y: number }): boolean =>
  document.elementFromPoint(x, y)?.closest(selector) != null;

/** Chromium's words for a page that was left while it was looked at. */
const CONTEXT_LEFT = /Execution context (?:was destroyed|is not available)|Cannot find context/;

/** Opens a browser, at a desk unless another look is given. */
export const openOtherBrowser = async (name: BrowserName, look = DESK) => {
  const driver = await OPENERS[name](look);
  const evaluate = async <T, A extends unknown[]>(
    run: (...args: A) => T | Promise<T>,
    ...args: A
  ): Promise<T> => (await driver.run(String(run), args)) as T;
  const isTrue = async <A extends unknown[]>(run: (...args: A) => unknown, args: A): Promise<boolean> => {
    try {
      return Boolean(await evaluate(run, ...args));
    } catch (error) {
      if (CONTEXT_LEFT.test(String(error))) return false;
      throw error;
    }
  };
  /** Waits until a function of the page returns something true, also of the page that comes next. */
  const waitFor = <A extends unknown[]>(what: string, run: (...args: A) => unknown, ...args: A) =>
    expect.poll(() => isTrue(run, args), { message: what, timeout: WITHIN_MS }).toBe(true);
  return {
    ...driver,
    evaluate,
    waitFor,
    /** Waits for an element by a selector and a part of its text or label. */
    see: (selector: string, text = '') => waitFor(`${selector} “${text}”`, findPlace, selector, text, 0.5),
    /** Clicks in the middle of an element, or at another share of its width. */
    click: async (selector: string, text = '', share = 0.5): Promise<void> => {
      let place: { x: number; y: number } | null = null;
      // Once it stands still and nothing covers it: what is laid out late would be missed, a menu that closes be hit.
      await expect
        .poll(
          async () => {
            const before = place;
            place = await evaluate(findPlace, selector, text, share);
            const isStill = place !== null && place.x === before?.x && place.y === before.y;
            return isStill && (await evaluate(isUncovered, selector, place!));
          },
          { message: `${selector} “${text}”`, timeout: WITHIN_MS },
        )
        .toBe(true);
      const { x, y } = place!;
      await driver.clickAt(x, y);
    },
    type: (text: string) => driver.press([...text]),
  };
};
