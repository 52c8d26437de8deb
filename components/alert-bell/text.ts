import type { DeliveryState } from '@/lib/alerts/schema';
import { type Severity, SEVERITIES } from '@/lib/rules/severity';
import type { Alert } from '@/lib/rules/alert-rule';

/** What a person or a program gets by its least severity. */
export const LEAST_SEVERITY_LABELS: Record<Severity, string> = {
  info: 'All alerts',
  warning: 'Warnings and critical alerts',
  critical: 'Critical alerts only',
};

export const LEAST_SEVERITIES = Object.entries(LEAST_SEVERITY_LABELS).map(([value, label]) => ({
  value,
  label,
}));

export const DELIVERY_STATE_LABELS: Record<DeliveryState, string> = {
  pending: 'Waiting',
  sent: 'Delivered',
  failed: 'Failed',
};

/** As many are read out; the list has the others. */
const SPOKEN = 3;

/** "1 new alert. Truck 116 …", "5 new alerts. …" with the first of them. */
export const newAlertsText = (sentences: readonly string[]): string => {
  const count = `${sentences.length} new alert${sentences.length === 1 ? '' : 's'}`;
  return [count, ...sentences.slice(0, SPOKEN)].map((sentence) => `${sentence}.`).join(' ');
};

/** Whether an alert is open and not acknowledged. */
export const isWaiting = ({ closedMs, acknowledgedBy }: Alert): boolean =>
  closedMs === null && acknowledgedBy === null;

export const worstOf = (alerts: readonly Pick<Alert, 'severity'>[]): Severity =>
  SEVERITIES.findLast((severity) => alerts.some((alert) => alert.severity === severity)) ?? 'info';
