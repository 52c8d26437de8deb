/** The demo, which opens signed in on its own machine only. */
import { expect, test } from './support/fixtures';
import { expectLive } from './support/fleet-page';

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
