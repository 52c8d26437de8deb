import type { Alert } from '@/lib/rules/alert-rule';
import { SEVERITY_LABELS } from '@/lib/alerts/text';
import type { Severity } from '@/lib/rules/severity';
import { isWaiting } from '@/components/alert-bell/text';
import type { AlertsAddress } from '../use-alerts-address';

const RANKS = Object.keys(SEVERITY_LABELS);
const rankOf = ({ severity }: Alert): number => RANKS.indexOf(severity);

interface AlertSections {
  /** The most severe first, and the newest first of those. */
  open: Alert[];
  /** Newest first. */
  closed: Alert[];
}

/** Alerts of several pages, each once, as the list shows them. `severity`: of this one only. */
export const toSections = (alerts: readonly Alert[], severity: Severity | null): AlertSections => {
  const shown = [...new Map(alerts.map((alert) => [alert.id, alert])).values()]
    .filter((alert) => severity === null || alert.severity === severity)
    .sort((a, b) => b.id - a.id);
  return {
    open: shown.filter(({ closedMs }) => closedMs === null).sort((a, b) => rankOf(b) - rankOf(a)),
    closed: shown.filter(({ closedMs }) => closedMs !== null),
  };
};

/** How many rows each filter shows beside the other one, of open alerts; undefined of all, which has older pages. */
export const countAlerts = (
  open: readonly Alert[],
  { list, severity }: Pick<AlertsAddress, 'list' | 'severity'>,
) => {
  const count = (of: AlertsAddress['list'], only: Severity | null): number | undefined =>
    of === 'all' ? undefined : toSections(of === 'waiting' ? open.filter(isWaiting) : open, only).open.length;
  return {
    ofList: (of: AlertsAddress['list']) => count(of, severity),
    ofSeverity: (of: Severity) => count(list, of),
  };
};

/** The alert that is `by` places after one in a list; the first or last where the list ends. */
export const stepTo = (ids: readonly number[], from: number | null, by: number): number | null => {
  const at = from === null ? -1 : ids.indexOf(from);
  if (at < 0) return (by > 0 ? ids[0] : ids.at(-1)) ?? null;
  return ids[Math.min(Math.max(at + by, 0), ids.length - 1)] ?? null;
};

/** The ids of a list from one to another, in either direction; the other alone where the first is not in it. */
export const rangeOf = (ids: readonly number[], from: number, to: number): number[] => {
  const [a, b] = [ids.indexOf(from), ids.indexOf(to)];
  return a < 0 || b < 0 ? [to] : ids.slice(Math.min(a, b), Math.max(a, b) + 1);
};
