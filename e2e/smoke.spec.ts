import { expect, test } from './support/fixtures';

test('the application answers, and its first page opens', async ({ page, request }) => {
  expect((await request.get('/api/health')).status()).toBe(200);
  const response = await page.goto('/');
  expect(response?.status()).toBe(200);
  await expect(page).toHaveTitle(/Linehaul/);
});

test('a fleet is marked as the demo only where the embedded service can have made it up', async ({
  page,
  target,
}) => {
  await page.goto(`/fleets/${target.usdot}`);
  await expect(page.getByRole('banner')).toContainText(`USDOT ${target.usdot}`);
  const marks = target.name === 'embedded' ? 1 : 0;
  await expect(page.getByRole('banner').getByText('Demo fleet')).toHaveCount(marks);
});

test('the tracking API answers a key that was issued for the tests', async ({ api, target }) => {
  const carrier = await api.read<{ usdot: string }>('/api/carrier');
  expect(carrier.usdot).toBe(target.usdot);
});
