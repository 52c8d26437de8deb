import type { UnitSummary } from './fleet-map-props';

/** What a unit is called by a screen reader: name, status, speed, place, age. */
export const toUnitWords = (summary: UnitSummary): string =>
  [
    summary.title,
    summary.statusWords,
    summary.speedWords,
    summary.placeWords,
    summary.oldWords && `fix ${summary.oldWords}`,
    summary.flagged ? 'needs a check' : null,
  ]
    .filter(Boolean)
    .join(', ');
