/** The demo, which opens signed in on its own machine only. */
import { expect, test } from './support/fixtures';
import { expectLive } from './support/fleet-page';
import { LONG } from './support/long';

test.setTimeout(120_000);

test('the demo opens signed in as a manager, says so, and has no users', async ({ page, target }) => {
  await page.goto(`/fleets/${target.usdot}`);
  await expectLive(page);
  await expect(page.getByRole('banner').getByRole('link', { name: /^Demo/ })).toBeVisible();
  await page.getByRole('button', { name: /^Account: / }).click();
  await expect(page.getByText(/demo opens signed in, as a manager/)).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toHaveCount(0);
  await page.goto('/users');
  await expect(page.getByRole('main')).toContainText('ACCOUNTS=required');
  await expect(page.getByRole('button', { name: 'Invite a user' })).toBeDisabled();
});

/** Run in the page: what a browser does where storage is blocked, where it is full, and where what it holds is damaged. */
const STORAGE_FAULTS = {
  blocked: () => {
    const forbid = (): never => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
      Object.defineProperty(window, name, { get: forbid });
    navigator.serviceWorker.register = () => Promise.reject(new DOMException('', 'SecurityError'));
    navigator.locks.request = () => Promise.reject(new DOMException('', 'SecurityError'));
  },
  full: () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Setting the value exceeded the quota.', 'QuotaExceededError');
    };
    caches.open = () => Promise.reject(new DOMException('', 'QuotaExceededError'));
  },
  damaged: () => {
    for (const name of [
      'alert-preferences-demo',
      'alerts-heard-9000001',
      'clock',
      'copies-of',
      'color-scheme',
    ])
      localStorage.setItem(`linehaul-${name}`, '{"sound":tr');
    sessionStorage.setItem('linehaul-reloaded-at', '{');
  },
};

test('storage that is blocked, full or damaged breaks no page', LONG, async ({ context, target }) => {
  for (const [name, fault] of Object.entries(STORAGE_FAULTS)) {
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => void errors.push(message));
    await page.addInitScript(fault);
    await page.goto(`/fleets/${target.usdot}`);
    await expectLive(page);
    await page.goto(`/fleets/${target.usdot}/alerts`);
    await page.getByRole('main').getByRole('button', { name: 'Alert notifications' }).click();
    await page.getByLabel('Play a sound').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    if (name === 'damaged') await expect(page.getByRole('dialog')).toBeHidden();
    else
      await expect(page.getByRole('dialog').getByRole('alert')).toContainText('does not let Linehaul store');
    expect(errors, name).toEqual([]);
    await page.close();
  }
});

test('handover and history ask for no day of a browser’s wrong clock', LONG, async ({ page, target }) => {
  const offMs = 3 * 86_400_000;
  await page.addInitScript((byMs) => {
    const own = Date.now;
    Date.now = () => own() + byMs;
  }, offMs);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (!pathname.startsWith('/api/') || pathname.endsWith('/live')) return;
    for (const [name, value] of searchParams)
      if (/^(since|from|to|fromMs|toMs)$/.test(name)) asked.push(`${name}=${value}`);
  });
  for (const name of ['handover', 'history']) {
    await page.goto(`/fleets/${target.usdot}/${name}`);
    await expect.poll(() => asked.length, name).toBeGreaterThan(0);
    const latestMs = Date.now() + offMs / 2;
    const isAhead = (each: string): boolean => {
      const value = each.split('=')[1]!;
      return (/^\d+$/.test(value) ? Number(value) : Date.parse(value)) > latestMs;
    };
    expect(asked.filter(isAhead)).toEqual([]);
    asked.length = 0;
  }
});

test('the demo is closed to every client of a proxy, and says how others can be let in', async ({
  page,
  target,
}) => {
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.7' });
  await page.goto(`/fleets/${target.usdot}`);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await expect(page.getByRole('main')).toContainText('ACCOUNTS=required');
  await expect(page.getByLabel('Password')).toHaveCount(0);
  const answer = await page.request.get(`/api/fleets/${target.usdot}/live`, {
    headers: { 'x-forwarded-for': '203.0.113.7' },
  });
  expect(answer.status()).toBe(401);
});

test('a page of another site cannot make the server watch a fleet', async ({ request, target }) => {
  const ask = async (headers: Record<string, string>) =>
    (await request.get(`/api/fleets/${target.usdot}/live`, { headers })).status();
  for (const site of ['cross-site', 'same-site'])
    expect(await ask({ 'sec-fetch-site': site }), site).toBe(403);
  expect(await ask({ origin: 'https://evil.example' })).toBe(403);
  expect(await ask({ 'sec-fetch-site': 'same-origin' })).toBe(200);
});
