import type { UnitFilter } from './filter';
import { VERDICT_LABELS } from './load-verdicts';
import { FLAG_LABELS, SILENT_REASONS, STATUS_LABELS, type ListColumn, type SilentReason } from './text';

export const SILENT_LABELS: Record<SilentReason, string> = {
  vanishedMoving: 'Vanished while moving',
  vanishedStopped: 'Vanished while parked',
  vanished: 'Vanished',
  quiet: 'Gone quiet',
  neverSeen: 'Never seen',
};

export const COLUMN_LABELS: Readonly<Record<ListColumn, string>> = {
  plate: 'Plate',
  vin: 'VIN',
  vehicle: 'Year, make, model',
  device: 'Device',
  tags: 'Tags',
};

/** The parts of a filter as text; `siteName` gives a site's name by its id. */
export const filterTexts = (
  { query, statuses, flagged, flags, reasons, tags, sites, loads }: UnitFilter,
  siteName: (id: number) => string | undefined,
): string[] => [
  ...(query.trim() === '' ? [] : [`search “${query.trim()}”`]),
  ...statuses.map((status) => STATUS_LABELS[status]),
  ...(flagged ? ['to check'] : []),
  ...flags.map((flag) => FLAG_LABELS[flag]),
  ...SILENT_REASONS.filter((reason) => reasons.includes(reason)).map((reason) => SILENT_LABELS[reason]),
  ...tags.map((tag) => `tag ${tag}`),
  ...loads.map((verdict) => `load: ${VERDICT_LABELS[verdict].toLowerCase()}`),
  ...sites.map((id) => `at ${siteName(id) ?? `site ${id}`}`),
];
