import { flag, list, nullable, number, object, oneOf, text, type ShapeOf } from '@/lib/base/shape';
import { SEVERITIES } from '@/lib/rules/severity';

/** So many open alerts are sent; a screen shows fewer, and counts the others. */
export const MOST_OPEN_ALERTS = 50;

/** GET /api/fleets/:usdot/open-alerts: nothing that a person wrote on them, and no name of a person. */
export const openAlertsShape = object({
  /** Unacknowledged alerts first, by severity, then the newest. */
  alerts: list(
    object({
      id: number,
      ruleName: text,
      severity: oneOf(SEVERITIES),
      /** The truck by the name that it had; null: the feed of the fleet. */
      unitName: nullable(text),
      siteName: nullable(text),
      lat: nullable(number),
      lng: nullable(number),
      openedMs: number,
      /** Someone has acknowledged it. */
      isTaken: flag,
    }),
  ),
  /** The number of all open alerts. */
  count: number,
  /** The number of unacknowledged open alerts. */
  waiting: number,
});
export type OpenAlerts = ShapeOf<typeof openAlertsShape>;
export type OpenAlert = OpenAlerts['alerts'][number];

/** A list of alerts in which each truck stands once, with all its rules, where its first alert is. */
export const oncePerUnit = (alerts: readonly OpenAlert[]): OpenAlert[] => {
  const listed = new Map<string, OpenAlert>();
  for (const alert of alerts) {
    const key = alert.unitName ?? `alert ${alert.id}`;
    const first = listed.get(key);
    listed.set(
      key,
      first === undefined ? alert : { ...first, ruleName: `${first.ruleName}, ${alert.ruleName}` },
    );
  }
  return [...listed.values()];
};
