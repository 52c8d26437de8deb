/** Firefox by WebDriver BiDi and WebKitGTK by WebDriver, as one small interface. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import puppeteer from 'puppeteer-core';
import { findFreePorts } from '@/testing/ports';
import { stopProgram } from './programs';

export const OTHER_BROWSERS = ['firefox', 'webkit'] as const;
type BrowserName = (typeof OTHER_BROWSERS)[number];

const ZONE = 'America/Chicago';
export const SIZE = { width: 1440, height: 900 };
const WITHIN_MS = 30_000;

/** What differs between the two. */
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

const openFirefox = async (): Promise<Driver> => {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: pathOf('firefox'),
    headless: true,
    env: { ...process.env, TZ: ZONE },
    // As on most desks, scrollbars take room.
    extraPrefsFirefox: { 'widget.gtk.overlay-scrollbars.enabled': false, 'ui.useOverlayScrollbars': 0 },
  });
  const page = await browser.newPage();
  await page.setViewport(SIZE);
  const errors: string[] = [];
  page.on('pageerror', (error) => {
    // Firefox's word for a request that was under way when its page was left.
    if (!String(error).includes('NS_BINDING_ABORTED')) errors.push(`error: ${String(error)}`);
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

const WEBDRIVER_KEYS: Record<string, string> = { Escape: '\uE00C', End: '\uE010', Home: '\uE011' };

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

const startWebKitDriver = async (display: string): Promise<{ call: Call; process: ChildProcess }> => {
  const [port] = (await findFreePorts(1)) as [number];
  const program = spawn(pathOf('webkit-driver'), [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    // It refuses its sandbox to root, as whom containers run.
    env: { ...process.env, DISPLAY: display, TZ: ZONE, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
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

const openWebKit = async (): Promise<Driver> => {
  const screen = await startDisplay();
  const driver = await startWebKitDriver(screen.display);
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
  const resize = async (width: number, height: number): Promise<void> => {
    await call('POST', 'window/rect', { x: 0, y: 0, width, height });
    // The height of its own bar is not the page's.
    const missing = height - Number(await run('() => innerHeight', []));
    await call('POST', 'window/rect', { x: 0, y: 0, width, height: height + missing });
  };
  await resize(SIZE.width, SIZE.height);
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

const OPENERS: Record<BrowserName, () => Promise<Driver>> = { firefox: openFirefox, webkit: openWebKit };

/** Runs in the page. The middle of the first shown element that matches a selector and has a text or a label. */
const findPlace = (selector: string, text: string): { x: number; y: number } | null => {
  for (const element of document.querySelectorAll(selector)) {
    const label = element.getAttribute('aria-label') ?? element.textContent;
    const { width, height } = element.getBoundingClientRect();
    if (!label.includes(text) || width === 0 || height === 0) continue;
    element.scrollIntoView({ block: 'nearest' });
    const { left, top } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  }
  return null;
};

/** Opens one of the other browsers. */
export const openOtherBrowser = async (name: BrowserName) => {
  const driver = await OPENERS[name]();
  const evaluate = async <T, A extends unknown[]>(
    run: (...args: A) => T | Promise<T>,
    ...args: A
  ): Promise<T> => (await driver.run(String(run), args)) as T;
  /** Waits until a function of the page returns something true. */
  const waitFor = <A extends unknown[]>(what: string, run: (...args: A) => unknown, ...args: A) =>
    expect
      .poll(async () => Boolean(await evaluate(run, ...args)), { message: what, timeout: WITHIN_MS })
      .toBe(true);
  return {
    ...driver,
    evaluate,
    waitFor,
    /** Waits for an element by a selector and a part of its text or label. */
    see: (selector: string, text = '') => waitFor(`${selector} “${text}”`, findPlace, selector, text),
    click: async (selector: string, text = ''): Promise<void> => {
      let place: { x: number; y: number } | null = null;
      // Once it stands still: what is laid out late would be missed.
      await expect
        .poll(
          async () => {
            const before = place;
            place = await evaluate(findPlace, selector, text);
            return place !== null && place.x === before?.x && place.y === before.y;
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
