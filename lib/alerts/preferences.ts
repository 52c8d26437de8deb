import { SEVERITIES, type Severity } from '@/lib/rules/severity';
import type { ShapeOf } from '@/lib/base/shape';
import type { preferencesAnswer } from './answers';
import { isWithinHours } from '@/lib/rules/hours';

export type AlertPreferences = ShapeOf<typeof preferencesAnswer>;

export const DEFAULT_PREFERENCES: AlertPreferences = {
  email: 'off',
  push: false,
  sound: false,
  desktop: false,
  minSeverity: 'warning',
  quietHours: null,
};

/** Whether an alert is as severe as a least severity. */
export const isSevere = (severity: Severity, least: Severity): boolean =>
  SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least);

/** Whether a user wants to hear of an alert at a moment: it is severe enough, and the hours are not quiet. */
export const isWanted = (
  { minSeverity, quietHours }: Pick<AlertPreferences, 'minSeverity' | 'quietHours'>,
  severity: Severity,
  atMs: number,
): boolean =>
  isSevere(severity, minSeverity) &&
  (severity === 'critical' || quietHours === null || !isWithinHours(quietHours, atMs));
