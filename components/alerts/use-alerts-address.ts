import { toQuery, useAddress } from '@/components/ui/use-address';
import { SEVERITY_LABELS } from '@/lib/alerts/text';
import type { Severity } from '@/lib/rules/severity';

export const TABS = ['alerts', 'rules', 'webhooks'] as const;
export type Tab = (typeof TABS)[number];

/** Alerts by their state: all, those that need someone, those that have not closed. */
export const LISTS = ['all', 'waiting', 'open'] as const;

/** The part of the page and the filter of its list, as the address has them. */
export interface AlertsAddress {
  tab: Tab;
  list: (typeof LISTS)[number];
  /** Null: all. */
  severity: Severity | null;
  /** Id of the alert that a message links to. */
  alertId: number | null;
}

const SEVERITIES = Object.keys(SEVERITY_LABELS) as Severity[];

export const toAlertsSearch = ({ tab, list, severity, alertId }: AlertsAddress): string =>
  toQuery({
    tab: tab === 'alerts' ? null : tab,
    show: list === 'all' ? null : list,
    severity,
    alert: alertId,
  });

const parse = (search: URLSearchParams): AlertsAddress => ({
  tab: TABS.find((tab) => tab === search.get('tab')) ?? 'alerts',
  list: LISTS.find((list) => list === search.get('show')) ?? 'all',
  severity: SEVERITIES.find((severity) => severity === search.get('severity')) ?? null,
  alertId: /^\d{1,15}$/.test(search.get('alert') ?? '') ? Number(search.get('alert')) : null,
});

export const useAlertsAddress = () => useAddress({ parse, toSearch: toAlertsSearch });
