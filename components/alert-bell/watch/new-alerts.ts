import { SEVERITIES, type Severity } from '@/lib/rules/severity';
import type { Alert } from '@/lib/rules/alert-rule';

/** As many are read out; the list has the others. */
const SPOKEN = 3;

/** The most severe of some alerts. */
export const worstOf = (alerts: readonly Pick<Alert, 'severity'>[]): Severity =>
  SEVERITIES.findLast((severity) => alerts.some((alert) => alert.severity === severity)) ?? 'info';

/** "1 new alert. Truck 116 …", "5 new alerts. …" with the first of them. */
export const newAlertsText = (sentences: readonly string[]): string => {
  const count = `${sentences.length} new alert${sentences.length === 1 ? '' : 's'}`;
  return [count, ...sentences.slice(0, SPOKEN)].map((sentence) => `${sentence}.`).join(' ');
};
