import { rulePreviewAnswer } from '@/lib/alerts/answers';
import { DEMO_CARRIER } from '@/service/simulator/vehicles';
import type { RunningApplication } from '../server/processes';
import { toSection, type Section } from '../support/report';
import { median } from '../support/statistics';
import { createRule, post, timeCalls } from './fixture';
import { plan } from './plan';

/** Some of the demo's trucks are faster now and then. */
const SPEED_MPH = 70;

/** Server time of what a rule would have sent during the recorded days. */
export const measurePreview = async (application: RunningApplication): Promise<Section> => {
  let alerts = 0;
  const [firstMs, ...othersMs] = await timeCalls(plan.previews, async () => {
    const answer = await post(application, DEMO_CARRIER.usdot, 'alert-rules/preview', createRule(SPEED_MPH));
    alerts = rulePreviewAnswer.parse(answer).count;
  });
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const shown = (what: string, measured: string) => ({ what, measured, target: '', isMet: null });
  return toSection(`What a rule would have sent, ${plan.recordedDays} days of ${plan.recordedUnits} units`, [
    shown('a rule of speed for all units, with the start of the threads', seconds(firstMs!)),
    ...(othersMs.length === 0 ? [] : [shown('… again, median', seconds(median(othersMs)))]),
    shown('alerts that it would have opened', alerts.toLocaleString('en-US')),
  ]);
};
