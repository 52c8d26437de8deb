/** All of Linehaul on a PostgreSQL behind PgBouncer, which gives each transaction another connection. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { startReceiver } from '@/testing/alerts/receiver';
import { startPgBouncer } from '@/testing/pg-bouncer';
import { createScratchFolder, removeScratchFolder } from '@/testing/scratch';
import { DEMO_USDOT, startApplication } from './support/application';
import { createDatabase } from './support/databases';
import { createFleetPage, expectLive } from './support/fleet-page';
import { findFreePorts } from '@/testing/ports';
import { sendAsPage } from './support/session';
import { MINUTE_MS } from '@/lib/base/time';

const SOON = { timeout: 60_000 };

test('users, reports, recording, alerts and their messages work through PgBouncer', async ({
  page,
  context,
}, testInfo) => {
  const folder = createScratchFolder('linehaul-pgbouncer-');
  const [port] = (await findFreePorts(1)) as [number];
  const bouncer = await startPgBouncer(await createDatabase(), port, folder);
  const log = testInfo.outputPath('application.log');
  const application = await startApplication(
    {
      DATABASE_URL: bouncer.databaseUrl,
      ACCOUNTS: 'required',
      DEMO_UNITS: '60',
      LINEHAUL_TEST_DEMO_HISTORY_HOURS: '1',
      PRIVATE_ADDRESSES: 'allow',
    },
    log,
  );
  const receiver = await startReceiver();
  const post = async (path: string, body: object): Promise<void> => {
    const { url, cookie } = application;
    const response = await sendAsPage(url, `/api/fleets/${DEMO_USDOT}/${path}`, body, cookie);
    expect(response.ok, path).toBe(true);
  };
  try {
    await application.signIn(context);
    await page.goto(`${application.url}/fleets/${DEMO_USDOT}`);
    await expectLive(page);
    await expect.poll(async () => (await createFleetPage(page).readDrawn()).units, SOON).toBeGreaterThan(40);

    await post('webhooks', { name: 'Board', url: receiver.url, minSeverity: 'info', isEnabled: true });
    await post('alert-rules', {
      ...{ name: 'Silent', condition: { kind: 'silent', forMin: 1 }, units: { type: 'all' }, schedule: null },
      ...{ severity: 'warning', coolDownMin: 30, isEnabled: true, isOwn: false },
    });
    await expect.poll(() => receiver.received.length, SOON).toBeGreaterThan(0);
    const past = `/api/fleets/${DEMO_USDOT}/past?at=${Date.now() - 30 * MINUTE_MS}`;
    await expect.poll(async () => (await application.fetch(past)).status, SOON).toBe(200);
    expect(readFileSync(log, 'utf8')).not.toMatch(/prepared statement|unsupported startup parameter/);
  } finally {
    await receiver.close();
    await application.stop();
    await bouncer.stop();
    await removeScratchFolder(folder);
  }
});
