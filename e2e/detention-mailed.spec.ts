/** In each browser, a detention statement from a visit in three clicks, mailed, and verified by a stranger on a phone. */
import { DEMO_USDOT } from './support/application';
import { PHONE } from './support/axe';
import { companyTest as test, expect } from './support/fixtures';
import { readLiveUnits } from './support/live-fleet';
import { BROWSERS, openOtherBrowser } from './support/other-browsers';
import { dropPdf, makeStay } from './support/proof';
import { MANAGER } from './support/session';
import { removeSites } from './support/sites';

test.setTimeout(240_000);

test.afterEach(({ company: { application } }) => removeSites({ application, usdot: DEMO_USDOT }));

/** Runs in the page. The status of a sign-in, whose session the browser keeps. */
const sendSignIn = async (email: string, password: string): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email, password });
  return (await fetch('/api/auth/sign-in/email', { method: 'POST', headers, body })).status;
};

/** Runs in the page. Whether something is wider than it. */
const isTooWide = (): boolean => document.documentElement.scrollWidth > document.documentElement.clientWidth;

for (const [i, name] of BROWSERS.entries())
  test(`a statement in three clicks, mailed and verified by a stranger on a phone, in ${name}`, async ({
    request,
    company: { application, mailServer },
  }) => {
    const { url } = application;
    const fleet = { application, usdot: DEMO_USDOT };
    const units = (await readLiveUnits(request, DEMO_USDOT)).filter(({ hasPosition }) => hasPosition);
    const at = { lat: 44.05, lng: -121.3 - i };
    const siteId = await makeStay(fleet, { name: `Acme of ${name}`, unit: units[i]!.key, at });
    const to = `kim-${name}@customer.test`;

    const desk = await openOtherBrowser(name);
    try {
      await desk.open(`${url}/sign-in`);
      expect(await desk.evaluate(sendSignIn, MANAGER.email, MANAGER.password)).toBe(200);
      await desk.open(`${url}/fleets/${DEMO_USDOT}/sites/${siteId}`);
      await desk.click('button', 'Statement about truck');
      await desk.see('[role=dialog] dd', '1 h 15 min at least');
      await desk.click('[role=dialog] button', 'Issue statement');
      await desk.see('[role=dialog] h2', 'Statement issued');
      // Beside the three clicks that lead to the statement.
      await desk.click('[role=dialog] button', 'Mail…');
      await desk.waitFor('the field', () => document.activeElement?.getAttribute('name') === 'address');
      await desk.type(to);
      await desk.press(['Enter']);
      await desk.see('[role=dialog] p', 'It was mailed.');
      await desk.click('[role=dialog] a', 'Open');
      await desk.see('main h1', 'Detention');
      await desk.see('main', '$75.00');
      expect(await desk.readErrors()).toEqual([]);
    } finally {
      await desk.close();
    }

    const mail = mailServer.received.find((received) => received.to[0] === to)!;
    expect(mail.text.replace(/=\r\n/g, '')).toContain(`${url}/verify`);
    const [, pdf] = /application\/pdf[\s\S]*?\r\n\r\n([\w+/=\r\n]+)/.exec(mail.text)!;
    const phone = await openOtherBrowser(name, { ...PHONE, isDark: true, isTouch: name !== 'webkit' });
    try {
      await phone.open(`${url}/verify`);
      await phone.evaluate(dropPdf, pdf!.replace(/\s/g, ''));
      await phone.see('.verdict h2', 'Genuine and unchanged');
      await phone.see('main', '$75.00');
      await phone.see('main', `Acme of ${name}`);
      expect(await phone.evaluate(isTooWide)).toBe(false);
      expect(await phone.readErrors()).toEqual([]);
    } finally {
      await phone.close();
    }
  });
