/** A customer's portal shows a link's page in a frame, where the link names its origin; other pages do not. */
import { chromium, type Page, type Request } from '@playwright/test';
import { readLaunchOptions } from '@/testing/browser';
import { expect, test } from './support/fixtures';
import { readUnits } from './support/api-unit';
import { LONG } from './support/long';
import { sendAsPage } from './support/session';

const PORTAL = 'https://portal.example.com';
const DAY_MS = 86_400_000;

/** A page of an origin that shows an address in a frame. */
const openFramed = async (page: Page, origin: string, address: string): Promise<void> => {
  await page.route(`${origin}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>Portal</title><iframe src="${address}" width="700" height="900"></iframe>`,
    }),
  );
  const answered = new Promise<void>((resolve) => {
    const note = (request: Request): void => void (request.url() === address && resolve());
    page.on('requestfinished', note);
    page.on('requestfailed', note);
  });
  await page.goto(`${origin}/orders/4711`);
  await answered;
  await page.unroute(`${origin}/**`);
};

/** What a page shows, without ages, which go on. */
const SHOWN = (main: Element): string =>
  (main as HTMLElement).innerText.replaceAll(/\d+\s(?:s|min)\sago|\d+:\d\d/g, '');

/** The server is on this machine, which pages of the internet may not reach without being asked. */
const launch = () => {
  const { args, ...options } = readLaunchOptions();
  return chromium.launch({ ...options, args: [...args, '--disable-features=LocalNetworkAccessChecks'] });
};

test(
  'a page of an origin that a link names shows it in a frame, as it is without one',
  LONG,
  async ({ target, api }) => {
    const { application, usdot } = target;
    const unit = (await readUnits(api, usdot)).find(({ truckNumber }) => truckNumber !== null)!;
    const make = async (frameOrigins: string[]): Promise<{ id: string; address: string }> => {
      const response = await sendAsPage(
        application.url,
        `/api/fleets/${usdot}/shares`,
        {
          ...{ recipient: 'Acme', items: [{ loadId: null, unit: unit.vin, alias: '' }], precision: 'town' },
          ...{ fields: ['truckNumber'], delayMin: 0, endsMs: Date.now() + DAY_MS, endsOn: null },
          ...{ endsAtStop: null, endsAtSite: null, showsEnd: true, frameOrigins },
        },
        application.cookie,
      );
      const { id, link } = (await response.json()) as { id: string; link: string };
      return { id, address: new URL(link, application.url).href };
    };
    const [framed, alone] = [await make([PORTAL]), await make([])];
    const browser = await launch();
    try {
      const page = await browser.newPage();
      await openFramed(page, PORTAL, framed.address);
      const main = page.frameLocator('iframe').locator('main');
      await expect(main.getByRole('heading', { level: 1 })).toHaveText(unit.truckNumber!);
      const inFrame = await main.evaluate(SHOWN);

      await openFramed(page, 'https://evil.example.com', framed.address);
      await expect(main).toHaveCount(0);
      await openFramed(page, `${PORTAL}:8443`, framed.address);
      await expect(main).toHaveCount(0);
      await openFramed(page, PORTAL, alone.address);
      await expect(main).toHaveCount(0);

      await page.goto(framed.address);
      expect(await page.locator('main').evaluate(SHOWN)).toBe(inFrame);
      const [one, other] = await Promise.all([framed, alone].map(({ address }) => fetch(address)));
      const differing = ['content-security-policy', 'x-frame-options', 'cross-origin-resource-policy'];
      const read = (response: Response) =>
        [...response.headers].filter(
          ([name]) => ![...differing, 'date', 'etag', 'content-length', 'x-request-id'].includes(name),
        );
      expect(read(one!)).toEqual(read(other!));
      const policyOf = (response: Response): string => response.headers.get('content-security-policy')!;
      expect(policyOf(one!).replace(PORTAL, "'none'")).toBe(policyOf(other!));
    } finally {
      await browser.close();
      for (const { id } of [framed, alone])
        await sendAsPage(
          application.url,
          `/api/fleets/${usdot}/shares/${id}`,
          {},
          application.cookie,
          'DELETE',
        );
    }
  },
);
