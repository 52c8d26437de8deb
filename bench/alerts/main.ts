/**
 * `npm run bench:alerts`: processor time of judging the sites and the rules of a fleet with each poll, and that of looking
 * at every site for each unit that moved; then, with the built application, the page of a site, the preview of a rule, and
 * the way of alerts from a poll to a webhook and the screen. With --smoke small fleets, and no result is kept.
 */
import { loadavg } from 'node:os';
import { startFaultyProvider } from '@/testing/tracking/faulty-provider';
import { publishReport, toMarkdown } from '../support/report';
import { measureEvaluation } from './evaluation';
import { openFixture } from './fixture';
import { isSmoke, plan } from './plan';
import { LIVE_USDOT, measurePollToPeople } from './poll-to-people';
import { measurePreview } from './rule-preview';
import { measureSitePage } from './site-page';
import { createSpeedingFleet } from './speeding-fleet';

const startedAtMs = Date.now();
const readLoad = (): string => loadavg()[0]!.toFixed(1);
const loadBefore = readLoad();
const evaluation = measureEvaluation();
const provider = await startFaultyProvider({
  account: { companyName: 'Bench Freight', companyId: 'bench', usdot: LIVE_USDOT },
});
provider.give(LIVE_USDOT, createSpeedingFleet(plan.speedingUnits, plan.cycleS, Date.now()));
const application = await openFixture(provider);
try {
  const sitePage = await measureSitePage(application);
  const preview = await measurePreview(application);
  // Last, because its rule goes on.
  const sections = [evaluation, await measurePollToPeople(application), sitePage, preview];
  const about = `What sites and alerts cost with each poll, by a process of its own, and how soon users and their programs have what comes of it, by the production build with a PostgreSQL on the same disk. Load average of the machine before and after the run: ${loadBefore} and ${readLoad()}.`;
  publishReport('alerts', toMarkdown('Alerts', about, sections, startedAtMs), { isKept: !isSmoke });
} finally {
  await application.stop();
  await provider.close();
}
process.exit();
