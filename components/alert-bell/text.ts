import type { DeliveryState } from '@/lib/alerts/schema';
import type { Severity } from '@/lib/rules/severity';

/** What a person or a program gets by its least severity. */
export const LEAST_SEVERITY_LABELS: Record<Severity, string> = {
  info: 'All alerts',
  warning: 'Warnings and critical alerts',
  critical: 'Critical alerts only',
};

/** The same as choices. */
export const LEAST_SEVERITIES = Object.entries(LEAST_SEVERITY_LABELS).map(([value, label]) => ({
  value,
  label,
}));

export const DELIVERY_STATE_LABELS: Record<DeliveryState, string> = {
  pending: 'Waiting',
  sent: 'Delivered',
  failed: 'Failed',
};
