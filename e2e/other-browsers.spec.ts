/** The first things that a dispatcher does, in Firefox and in WebKit: every other test runs in Chromium. */
import { type TrackingApi, companyTest, expect, test } from './support/fixtures';
import { readUnits } from './support/api-unit';
import { startFront, type Front } from './support/front';
import { findLayoutFaults } from './support/layout';
import { LONG } from './support/long';
import { OTHER_BROWSERS, SIZE, openOtherBrowser } from './support/other-browsers';
import { PAPER, applyPrintStyle, readPaper } from './support/paper';
import { MANAGER } from './support/session';
import type { Target } from './support/target';

test.setTimeout(240_000);

type OtherBrowser = Awaited<ReturnType<typeof openOtherBrowser>>;

const OPTIONS = '[role=listbox] [role=option]';

/** Runs in the page. How many units its map represents. */
const readDrawnUnits = (): number =>
  Number(document.querySelector<HTMLElement>('.leaflet-container')?.dataset.drawnUnits ?? NaN);

/** Runs in the page. The number in the first button of the list, "All 400". */
const readListed = (): number =>
  Number(/^All (\d+)/.exec(document.querySelector('[aria-label="Trucks to list"]')?.textContent ?? '')?.[1]);

/** Opens a browser for a test; afterwards it must have seen no error of a script. */
const withBrowser = async (
  name: (typeof OTHER_BROWSERS)[number],
  study: (browser: OtherBrowser) => Promise<void>,
): Promise<void> => {
  const browser = await openOtherBrowser(name);
  try {
    await study(browser);
    expect(await browser.readErrors()).toEqual([]);
  } finally {
    await browser.close();
  }
};

const expectSoundLayout = (browser: OtherBrowser): Promise<void> =>
  expect.poll(() => browser.evaluate(findLayoutFaults)).toEqual([]);

const openMap = async (browser: OtherBrowser, url: string, usdot: string): Promise<void> => {
  await browser.open(`${url}/fleets/${usdot}`);
  await expect.poll(() => browser.evaluate(readDrawnUnits), { timeout: 45_000 }).toBeGreaterThan(100);
  await browser.see('button', 'Live · ');
  await expectSoundLayout(browser);
};

/** The map with its menus, the list, a search and a truck's panel. */
const findTruck = async (browser: OtherBrowser): Promise<void> => {
  await browser.click('button[aria-haspopup]', 'Filter by flag');
  await browser.see('[role=menuitemcheckbox]', 'Bad VIN');
  await expectSoundLayout(browser);
  await browser.press(['Escape']);
  const all = await browser.evaluate(readListed);
  await browser.click('[role=search] input');
  await browser.type('freightliner');
  await expect.poll(() => browser.evaluate(readListed)).toBeLessThan(all);
  await browser.press(['Escape']);
  await expect.poll(() => browser.evaluate(readListed)).toBe(all);
  await browser.click(OPTIONS);
  await browser.see('[role=complementary] h2, aside h2');
  await expectSoundLayout(browser);
  await browser.press(['Escape']);
  await browser.waitFor('no panel', () => document.querySelector('[data-panel="false"]') !== null);
};

/** Every tool of the map can be pressed on a phone on its side, over which the sheet with the list lies. */
const reachTools = async (browser: OtherBrowser): Promise<void> => {
  await browser.resize(683, 300);
  await expect
    .poll(() =>
      browser.evaluate(() =>
        [...document.querySelectorAll('[role=group][aria-label=Map] button')].flatMap((button) => {
          const { left, top, width, height } = button.getBoundingClientRect();
          const hit = document.elementFromPoint(left + width / 2, top + height / 2);
          return hit !== null && button.contains(hit) ? [] : [button.getAttribute('aria-label')];
        }),
      ),
    )
    .toEqual([]);
  await browser.resize(1440, 900);
};

const goBackInTime = async (browser: OtherBrowser): Promise<void> => {
  await browser.click('button', 'Back in time');
  await browser.see('[role=slider]', 'Moment');
  await browser.press(['Home']);
  await browser.waitFor('the past', () => document.querySelector('[data-past="true"]') !== null);
  await browser.click('button', 'Back to live');
  await browser.waitFor('the live screen', () => document.querySelector('[data-past="false"]') !== null);
};

/** Runs in the page. Plays until the marks of the trucks were drawn eight times; how often they and the lines below were. */
const countDrawings = async (): Promise<{ lines: number; marks: number }> => {
  const drawn = { lines: 0, marks: 0 };
  const { prototype } = CanvasRenderingContext2D;
  const { clearRect } = prototype;
  prototype.clearRect = function (...area) {
    const pane = this.canvas.parentElement?.className ?? '';
    if (pane.includes('trail-marks')) drawn.marks++;
    else if (pane.includes('trail')) drawn.lines++;
    clearRect.apply(this, area);
  };
  document.querySelector<HTMLElement>('[aria-label="Play"]')!.click();
  // Long before this many frames, unless nothing is drawn.
  for (let frame = 0; frame < 1000 && drawn.marks < 8; frame++) await new Promise(requestAnimationFrame);
  document.querySelector<HTMLElement>('[aria-label="Pause"]')!.click();
  prototype.clearRect = clearRect;
  return drawn;
};

/** A truck's day, which plays. */
const openDay = async (browser: OtherBrowser, target: Target, api: TrackingApi): Promise<void> => {
  const [unit] = (await readUnits(api, target.usdot)).filter(({ coordinates }) => coordinates !== null);
  await browser.open(`${target.application.url}/fleets/${target.usdot}/units/${unit?.vin}?view=day`);
  await browser.see('[role=slider]', 'Moment of the day');
  await expect
    .poll(() =>
      browser.evaluate(() =>
        [...document.querySelectorAll('select')].map((each) => getComputedStyle(each).appearance),
      ),
    )
    .toEqual(['none', 'none']);
  await expectSoundLayout(browser);
  // A long line takes these browsers longer than a frame.
  const { lines, marks } = await browser.evaluate(countDrawings);
  expect(marks).toBe(8);
  expect(lines).toBeLessThan(4);
};

/** Runs in the page. How many colors a picture of the window has within a field. */
const countColors = async (png: string, selector: string): Promise<number> => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const context = document.createElement('canvas').getContext('2d')!;
  const { left, top, width, height } = document.querySelector(selector)!.getBoundingClientRect();
  [context.canvas.width, context.canvas.height] = [width, height];
  context.drawImage(image, -left, -top);
  const inset = 6;
  const { data } = context.getImageData(inset, inset, width - 2 * inset, height - 2 * inset);
  return new Set(new Uint32Array(data.buffer)).size;
};

/** The fields of who was in an area: coordinates are whole, and an empty time shows no sample. */
const askWho = async (browser: OtherBrowser, name: string, { application, usdot }: Target): Promise<void> => {
  const area = 'rectangle:34.12345,-118.12345,49.12345,-107.12345';
  await browser.open(`${application.url}/fleets/${usdot}/history?question=who&area=${area}`);
  await browser.see('label', 'First day from');
  const readFields = () =>
    [...document.querySelectorAll<HTMLInputElement>('input[type=number]')].map(
      ({ value, scrollWidth, clientWidth }) => (scrollWidth <= clientWidth ? value : `${value}, cut off`),
    );
  await expect
    .poll(() => browser.evaluate(readFields))
    .toEqual(['34.12345', '-118.12345', '49.12345', '-107.12345']);
  // Firefox and Chromium write dashes.
  if (name === 'webkit')
    await expect
      .poll(async () => browser.evaluate(countColors, await browser.capture(), 'input[type=time]'))
      .toBe(1);
  await expectSoundLayout(browser);
};

/** Waits until the browser holds a copy of the fleet and of its page. */
const awaitCopies = (browser: OtherBrowser): Promise<void> =>
  browser.waitFor('copies', async () => {
    const copies = await (await caches.open('linehaul-copies')).keys();
    return copies.length === 2 && (await navigator.serviceWorker.ready).active?.state === 'activated';
  });

/** The last known fleet, without a server. */
const openWithoutServer = async (browser: OtherBrowser, front: Front, usdot: string): Promise<void> => {
  await front.cut();
  await browser.open(`${front.url}/fleets/${usdot}`);
  await browser.see('button', 'No connection · showing ');
  await expect.poll(() => browser.evaluate(readDrawnUnits)).toBeGreaterThan(100);
};

for (const name of OTHER_BROWSERS) {
  const offline = name === 'firefox' ? ', also without a server' : '';
  test(`${name} shows the map, finds a truck, and shows the past, a day and the history${offline}`, async ({
    target,
    api,
  }) => {
    const { application, usdot } = target;
    const { headers } = await application.fetch(`/api/fleets/${usdot}/live`);
    const front = await startFront(application.url, headers.get('x-linehaul-build')!);
    try {
      await withBrowser(name, async (browser) => {
        await openMap(browser, front.url, usdot);
        await findTruck(browser);
        await reachTools(browser);
        await goBackInTime(browser);
        if (offline !== '') await awaitCopies(browser);
        await openDay(browser, target, api);
        await askWho(browser, name, target);
        if (offline !== '') await openWithoutServer(browser, front, usdot);
      });
    } finally {
      await front.close();
    }
  });

  test(`${name} prints every page`, LONG, async ({ target }) => {
    await withBrowser(name, async (browser) => {
      const fleet = `${target.application.url}/fleets/${target.usdot}`;
      for (const [path, text] of [
        ['roster', 'Roster'],
        ['history', 'History'],
        ['history?question=miles', 'History'],
        ['history?question=quality', 'History'],
        ['history?question=facilities', 'History'],
        ['handover', 'What changed'],
        ['sites', 'Sites'],
        ['alerts', 'Alerts'],
      ] as const) {
        await browser.open(`${fleet}/${path}`);
        await browser.see('h1', text);
        await expectSoundLayout(browser);
        await browser.resize(PAPER.width, PAPER.height);
        // The head is rendered once the page's script listens for printing.
        await expect
          .poll(async () => {
            await browser.evaluate(applyPrintStyle);
            return (await browser.evaluate(readPaper)).head;
          })
          .toContain('Printed ');
        expect((await browser.evaluate(readPaper)).faults, path).toEqual([]);
        await browser.resize(SIZE.width, SIZE.height);
      }
    });
  });

  companyTest(`${name} signs in`, LONG, async ({ company: { application } }) => {
    await withBrowser(name, async (browser) => {
      await browser.open(`${application.url}/sign-in`);
      await browser.see('h1', 'Sign in');
      await expectSoundLayout(browser);
      await browser.click('input[type=email]');
      await browser.type(MANAGER.email);
      await browser.click('input[type=password]');
      await browser.type(MANAGER.password);
      await browser.click('button[type=submit]', 'Sign in');
      await browser.see('button', 'Live · ');
    });
  });
}
