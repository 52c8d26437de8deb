import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { z } from 'zod';
import { addSession } from '@/e2e/support/session';
import { startReceiver } from '@/testing/alerts/receiver';
import { runStatement } from '@/testing/template';
import { openBrowser, openPage } from '../map/browser';
import type { RunningApplication } from '../server/processes';
import { atMost, toSection, type Section } from '../support/report';
import { median, percentile } from '../support/statistics';
import { createRule, post } from './fixture';
import { plan } from './plan';
import { LIMIT_MPH } from './speeding-fleet';

/** Beside the one that has a recorded past. */
export const LIVE_USDOT = '9000002';
const WITHIN_MS = 120_000;
/** Of the newest alert under the bell. */
const NEWEST = '[role=dialog] li a';

/** A unit whose alert became the newest on the screen, and when, Unix ms. */
interface Shown {
  unit: string;
  atMs: number;
}

declare global {
  interface Window {
    shownAlerts: Shown[];
  }
}

/** Runs in the page: notes each new newest alert once a frame has it. */
const watchNewest = (selector: string): void => {
  const readUnit = (): string =>
    new URL(document.querySelector<HTMLAnchorElement>(selector)!.href).searchParams.get('unit')!;
  let newest = readUnit();
  window.shownAlerts = [];
  new MutationObserver(() => {
    const unit = readUnit();
    if (unit === newest) return;
    newest = unit;
    requestAnimationFrame(() => window.shownAlerts.push({ unit, atMs: Date.now() }));
  }).observe(document.querySelector(selector)!.closest('[role=dialog]')!, {
    subtree: true,
    childList: true,
    attributes: true,
  });
};

/** The map of the fleet with the newest alerts under its bell. */
const openAlerts = async (page: Page, { url, cookie }: RunningApplication): Promise<void> => {
  await addSession(page.context(), url, cookie);
  await page.goto(`${url}/fleets/${LIVE_USDOT}`);
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Alerts/ })
    .click();
  await page.locator(NEWEST).first().waitFor({ timeout: WITHIN_MS });
  await page.evaluate(watchNewest, NEWEST);
};

const messageSchema = z.object({
  type: z.enum(['alert.opened', 'alert.closed']),
  timestamp: z.iso.datetime().transform((text) => Date.parse(text)),
  data: z.object({ unit: z.object({ key: z.string() }) }),
});

/** A message as it arrived; `pollMs`: when the answer was seen that opened or closed its alert, Unix ms. */
interface Arrived {
  id: string;
  type: z.infer<typeof messageSchema>['type'];
  unit: string;
  pollMs: number;
  afterMs: number;
}

/** Takes messages until it is closed. */
const startInbox = async () => {
  const arrivedMs: number[] = [];
  const receiver = await startReceiver(() => {
    arrivedMs.push(Date.now());
    return 204;
  });
  const readArrived = (): Arrived[] =>
    receiver.received.map(({ headers, body }, i) => {
      const { type, timestamp, data } = messageSchema.parse(JSON.parse(body.toString()));
      const id = String(headers['webhook-id']);
      return { id, type, unit: data.unit.key, pollMs: timestamp, afterMs: arrivedMs[i]! - timestamp };
    });
  return { url: receiver.url, close: receiver.close, readArrived };
};

/** How long after each poll that opened alerts the page showed one of them, ms. */
const toShownAfterMs = (opened: readonly Arrived[], shown: readonly Shown[]): number[] => {
  const pollOf = new Map(opened.map(({ unit, pollMs }) => [unit, pollMs]));
  const first = new Map<number, number>();
  for (const { unit, atMs } of shown) {
    const pollMs = pollOf.get(unit);
    // It may have been shown for an earlier alert of the same unit, too.
    if (pollMs !== undefined && atMs >= pollMs && !first.has(pollMs)) first.set(pollMs, atMs - pollMs);
  }
  return [...first.values()];
};

const countOpened = async (
  { databaseUrl }: RunningApplication,
  fromMs: number,
  toMs: number,
): Promise<number> => {
  const [row] = await runStatement(
    databaseUrl,
    'SELECT count(*)::int AS opened FROM linehaul.alerts WHERE usdot = $1 AND opened_ms >= $2 AND opened_ms < $3',
    [LIVE_USDOT, fromMs, toMs],
  );
  return Number(row!.opened);
};

const toFigures = (arrived: readonly Arrived[], opened: number, shownMs: readonly number[]): Section => {
  const ofOpened = arrived.filter(({ type }) => type === 'alert.opened');
  const openedMs = ofOpened.map(({ afterMs }) => afterMs);
  const closedMs = arrived.filter(({ type }) => type === 'alert.closed').map(({ afterMs }) => afterMs);
  const polls = new Set(ofOpened.map(({ pollMs }) => pollMs)).size;
  const minutes = plan.countedMs / 60_000;
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  const shown = (what: string, measured: string) => ({ what, measured, target: '', isMet: null });
  const ids = new Set(ofOpened.map(({ id }) => id)).size;
  return toSection(
    `From a poll to people, ${plan.speedingUnits.toLocaleString('en-US')} units polled every ${plan.pollMs / 1000} s`,
    [
      shown(
        'alerts that opened, and that closed',
        `${(opened / minutes).toFixed(0)} and ${(closedMs.length / minutes).toFixed(0)} a minute`,
      ),
      atMost('message about an opened alert at its receiver, p99', percentile(openedMs, 0.99), 2000, 'ms', 0),
      shown('… median and most', `${ms(median(openedMs))} and ${ms(Math.max(...openedMs))}`),
      {
        what: '… alerts that have one',
        measured: `${ids} of ${opened}`,
        target: 'all',
        isMet: ids === opened,
      },
      shown(
        '… about a closed alert, median and p99',
        `${ms(median(closedMs))} and ${ms(percentile(closedMs, 0.99))}`,
      ),
      atMost('alert on the screen, median', median(shownMs), 1000, 'ms', 0),
      shown('… p99', ms(percentile(shownMs, 0.99))),
      shown('… polls whose alerts it showed', `${shownMs.length} of ${polls}`),
    ],
    [
      'Counted from the moment in which the answer of the provider was read. The trucks exceed a speed in turns. A receiver on the same machine answers 204; the browser shows the map with the newest alerts under the bell. Server, PostgreSQL, provider, receiver and browser share the processors.',
    ],
  );
};

/** How soon after a poll its alerts are at a receiver and on the screen. */
export const measurePollToPeople = async (application: RunningApplication): Promise<Section> => {
  const inbox = await startInbox();
  const browser = await openBrowser();
  try {
    const hook = { name: 'Receiver', url: inbox.url, minSeverity: 'info', isEnabled: true };
    await post(application, LIVE_USDOT, 'webhooks', hook);
    await post(application, LIVE_USDOT, 'alert-rules', createRule(LIMIT_MPH));
    const { page } = await openPage(browser);
    await openAlerts(page, application);
    await sleep(plan.warmUpMs);
    const fromMs = Date.now();
    await sleep(plan.countedMs);
    const toMs = Date.now();
    // Messages that failed once come later.
    await sleep(2 * plan.pollMs);
    const counted = inbox.readArrived().filter(({ pollMs }) => pollMs >= fromMs && pollMs < toMs);
    const shown = await page.evaluate(() => window.shownAlerts);
    const opened = counted.filter(({ type }) => type === 'alert.opened');
    return toFigures(counted, await countOpened(application, fromMs, toMs), toShownAfterMs(opened, shown));
  } finally {
    await browser.close();
    await inbox.close();
  }
};
