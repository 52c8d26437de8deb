import { SEVERITIES, type Severity } from '@/lib/rules/severity';
import type { WeeklyHours } from '@/lib/rules/site';
import { isWithinHours } from '@/lib/rules/hours';

/** How a user hears of alerts beyond the list on the screen. */
export interface AlertPreferences {
  /** `digest`: one message an hour. */
  email: 'off' | 'each' | 'digest';
  push: boolean;
  sound: boolean;
  desktop: boolean;
  /** Below it nothing but the list shows an alert. */
  minSeverity: Severity;
  /** Nothing but the list shows an alert in these hours, critical ones apart; null: none. */
  quietHours: WeeklyHours | null;
}

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
