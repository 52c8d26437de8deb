import { readUnits } from './support/api-unit';
import { expect, test } from './support/fixtures';
import { createFleetPage } from './support/fleet-page';
import { watchViolations } from './support/violations';

test.setTimeout(120_000);

test('no page violates its own policy', async ({ page, api, target: { usdot } }) => {
  const found = await watchViolations(page);
  const [unit] = await readUnits(api, usdot);
  const fleet = createFleetPage(page);
  await fleet.open(usdot, `?unit=${unit?.vin}`);
  await expect(fleet.panel.getByText('Public record')).toBeVisible();
  // The base map is painted by a worker and arrives as pictures.
  await expect(fleet.map.locator('.leaflet-tile-loaded').first()).toBeAttached();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.getByRole('link', { name: 'Roster' }).click();
  await expect(page.getByRole('row').nth(3)).toBeVisible();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  await saving;
  await page.getByRole('link', { name: 'Status' }).click();
  await expect(page.getByRole('article', { name: 'Prairie Star Freight' })).toContainText('Live');
  for (const path of [`/fleets/${usdot}/units/${unit?.vin}`, '/status', '/fleets/90A', '/no-such-page']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  expect(found()).toEqual([]);
});

test('a failure of the root layout is shown on a page of its own, which also follows the policy', async ({
  page,
}) => {
  const found = await watchViolations(page);
  await page.addInitScript(() => {
    window.matchMedia = () => {
      throw new Error('planted');
    };
  });
  await page.goto('/help');
  await expect(page.getByRole('heading', { level: 1, name: 'Linehaul broke' })).toBeVisible();
  await expect(page.locator('body')).toHaveCSS('max-width', '480px');
  await expect(page.locator('body')).toHaveCSS('font-family', 'system-ui, sans-serif');
  // Light or dark like the system, text and background alike, although half of our styles remain.
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(18, 18, 18)');
  await expect(page.locator('body')).toHaveCSS('color', 'rgb(255, 255, 255)');
  expect(found().filter((text) => !text.includes('planted'))).toEqual([]);
});

test('a script injected into a page does not run', async ({ page, target: { usdot } }) => {
  const found = await watchViolations(page);
  await page.goto('/status');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const hasRun = await page.evaluate(() => {
    const main = document.querySelector('main')!;
    main.insertAdjacentHTML('beforeend', '<img src="/nothing" onerror="window.ran = true">');
    const script = document.createElement('div');
    script.innerHTML = '<a href="javascript:window.ran = true">go</a>';
    main.append(script);
    script.querySelector('a')!.click();
    return new Promise((resolve) => setTimeout(() => resolve('ran' in window), 500));
  });
  expect(hasRun).toBe(false);
  expect(found().filter((text) => text.startsWith('script-src'))).not.toEqual([]);
  expect(usdot).toBeTruthy();
});

test('each page has its own nonce, and every answer has the security headers', async ({
  request,
  target: { usdot },
}) => {
  const nonces = new Set<string>();
  for (let time = 0; time < 3; time++) {
    const response = await request.get('/status');
    const policy = response.headers()['content-security-policy'] ?? '';
    const nonce = /script-src 'self' 'nonce-([\w+/=]{24})' 'strict-dynamic'/.exec(policy)?.[1] ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    const scripts = (await response.text()).match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(3);
    for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(3);
  for (const path of [
    '/status',
    `/api/fleets/${usdot}/roster`,
    '/basemap/overview.json',
    '/icon.svg',
    '/nothing',
  ]) {
    const headers = (await request.get(path)).headers();
    expect(headers, path).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'permissions-policy': expect.stringContaining('geolocation=()'),
      'cross-origin-opener-policy': 'same-origin',
      'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
    });
    // No header says that the browser used TLS.
    expect(headers, path).not.toHaveProperty('strict-transport-security');
  }
  expect((await request.get('/api/health')).headers()['content-security-policy']).toContain(
    "default-src 'none'",
  );
});

test('a poll and the past are answered before Next.js, with the answer of Next.js', async ({
  request,
  target: { usdot },
}) => {
  const ask = async (path: string) => {
    const response = await request.get(path, { headers: { 'accept-encoding': 'identity' } });
    // Headers that differ per answer, and the transfer encoding.
    const { vary, date, 'x-request-id': id, 'content-length': length, ...rest } = response.headers();
    const { 'transfer-encoding': pieces, ...headers } = rest;
    expect([date, id, length ?? pieces].every(Boolean)).toBe(true);
    return { vary, answer: { status: response.status(), headers, body: await response.text() } };
  };
  // Only Next.js decodes a number in this spelling.
  const written = `%3${usdot[0]}${usdot.slice(1)}`;
  for (const name of ['live?since=not/a/version', 'live', 'past?at=1', 'past'])
    // A new version may come between the two.
    await expect(async () => {
      const soon = await ask(`/api/fleets/${usdot}/${name}`);
      const late = await ask(`/api/fleets/${written}/${name}`);
      expect(late.answer).toEqual(soon.answer);
      expect(late.vary).toContain('rsc');
      expect(soon.vary ?? '').not.toContain('rsc');
    }).toPass();
});

test('a page answers reads and refuses writes', async ({ request }) => {
  for (const path of ['/status', '/']) {
    const response = await request.post(path, {
      data: { any: 'thing' },
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(response.status(), path).toBe(405);
    expect(response.headers()['allow']).toBe('GET, HEAD');
  }
  const foreign = await request.post('/status', { data: {}, headers: { 'sec-fetch-site': 'cross-site' } });
  expect(foreign.status()).toBe(403);
  const own = { data: {}, headers: { 'sec-fetch-site': 'same-origin' } };
  expect((await request.post('/api/health', own)).status()).toBe(405);
});
