import type { SiteKind } from '@/lib/rules/site';

/** Apart from other texts, because the map loads it with its first scripts. */
export const SITE_KIND_LABELS: Record<SiteKind, string> = {
  yard: 'Yard',
  customer: 'Customer',
  fuel: 'Fuel stop',
  noGo: 'No-go area',
  other: 'Other',
};
