import 'server-only';
import { toSpanText } from '@/lib/tracking/normalize/time';
import type { ProblemKind } from '@/lib/wire/fleet';
import { formatWhole } from '@/lib/view/format';
import type { Norms } from './fleet-norms';
import type { LiveSettings } from './settings';

/** An answer compared with the known fleet. */
export interface Comparison extends Norms {
  /** Units that it lists, and records in it that could not be read. */
  units: number;
  unreadable: number;
  /** Records of the last accepted answer that was of usual length. */
  before: number;
  /** Records of the last answer that listed any. */
  lastListed: number;
  /** Units that it lists again. */
  stillListed: number;
  /** Units that are new to the feed; a unit that only the roster has counts as new. */
  strangers: number;
  /** Units with a fix older than the one held, and with a newer one. */
  older: number;
  newer: number;
  /** Units with exactly the fix that is held. */
  repeated: number;
  /** VINs that it lists, and how many of them are on the roster; null while there is no roster. */
  vins: number;
  onRoster: number | null;
  rosterVins: number;
  /** The provider's text of an error beside the list; null: none. */
  errorBeside?: string | null | undefined;
  /** The lead of our clock over the provider's, ms; null where that is not known. */
  clockLeadMs: number | null;
  /** The anomaly of the last answer. */
  hadClockAnomaly: boolean;
}

/** Why a readable answer is not accepted at once. */
export interface Anomaly {
  kind: Extract<
    ProblemKind,
    'drop' | 'otherFleet' | 'older' | 'repeated' | 'unusable' | 'errorInside' | 'clock'
  >;
  message: string;
  detail: string;
  /**
   * The answer is accepted only after it has been repeated for this long; 0 accepts it at once and reports the anomaly.
   */
  holdMs: number;
}

type AnomalySettings = Pick<
  LiveSettings,
  'anomalyHoldMs' | 'anomalyMinUnits' | 'anomalyShare' | 'clockApartMs' | 'clockTogetherMs'
>;

const PROVIDER = 'The tracking provider';

const toDropAnomaly = (
  { units, unreadable, before, lastListed, strangers, mostDepartures }: Comparison,
  { anomalyHoldMs, anomalyMinUnits }: AnomalySettings,
): Anomaly | null => {
  const detail = `The answer lists ${units} trucks, of which ${strangers} are new, after one of ${lastListed}.`;
  if (units === 0 && unreadable === 0 && lastListed > 0) {
    const message = `${PROVIDER} lists no truck any more; before, it listed ${formatWhole(lastListed)}.`;
    return { kind: 'drop', message, detail, holdMs: lastListed >= anomalyMinUnits ? anomalyHoldMs : 0 };
  }
  if (before - units - unreadable <= mostDepartures) return null;
  const message = `${PROVIDER} lists only ${formatWhole(units)} of the ${formatWhole(before)} trucks that it listed before.`;
  return { kind: 'drop', message, detail, holdMs: anomalyHoldMs };
};

/** Records carry no USDOT number: only unknown units show that they are another fleet's. */
const toOtherFleetAnomaly = (
  { units, before, stillListed, strangers, vins, onRoster, rosterVins }: Comparison,
  { anomalyHoldMs, anomalyMinUnits, anomalyShare }: AnomalySettings,
): Anomaly | null => {
  if (units < anomalyMinUnits) return null;
  const isReplaced =
    before >= anomalyMinUnits &&
    stillListed < before * anomalyShare &&
    strangers > units * (1 - anomalyShare);
  const isOffRoster =
    onRoster !== null &&
    rosterVins >= anomalyMinUnits &&
    vins >= anomalyMinUnits &&
    onRoster < vins * anomalyShare;
  const isOnRoster = onRoster !== null && vins > 0 && onRoster >= vins * anomalyShare;
  const detail =
    `The answer lists ${units} trucks, ${strangers} of them new; ${stillListed} of ${before} were listed before; ` +
    (onRoster === null
      ? 'there is no roster.'
      : `${onRoster} of ${vins} VINs are on the roster of ${rosterVins}.`);
  if (isReplaced && !isOnRoster) {
    const message = `${PROVIDER} lists other trucks than before, as if it answered for another fleet.`;
    // An answer that contradicts the roster is never accepted; without a roster, duration is the only evidence.
    return { kind: 'otherFleet', message, detail, holdMs: isOffRoster ? Infinity : anomalyHoldMs };
  }
  if (!isOffRoster) return null;
  const message = `Hardly any of the ${formatWhole(vins)} trucks that the tracking provider lists is on the fleet's roster: one of the two may be another fleet's.`;
  return { kind: 'otherFleet', message, detail, holdMs: 0 };
};

const toOlderAnomaly = (
  { stillListed, older, newer }: Comparison,
  { anomalyHoldMs, anomalyShare }: AnomalySettings,
): Anomaly | null => {
  if (newer > 0 || older === 0 || older < stillListed * anomalyShare) return null;
  return {
    kind: 'older',
    message: `${PROVIDER} answers with older positions than before; the newer ones are kept.`,
    detail: `The answer has older fixes than the last of ${older} trucks, and newer ones of none.`,
    holdMs: anomalyHoldMs,
  };
};

const toRepeatedAnomaly = (
  { isStill, units, unreadable }: Comparison,
  { anomalyHoldMs }: AnomalySettings,
): Anomaly | null => {
  if (!isStill || units === 0 || unreadable > 0) return null;
  return {
    kind: 'repeated',
    message: `${PROVIDER} repeats its last answer: no truck has a newer position.`,
    detail: `No truck of ${units} has a newer fix than in the answers before, as trucks of this fleet usually do in each.`,
    holdMs: anomalyHoldMs,
  };
};

const toUnreadableAnomaly = (
  { units, unreadable }: Comparison,
  { anomalyMinUnits, anomalyShare }: AnomalySettings,
): Anomaly | null => {
  const records = units + unreadable;
  if (unreadable === 0 || records < anomalyMinUnits || unreadable < records * anomalyShare) return null;
  return {
    kind: 'unusable',
    message: `${formatWhole(unreadable)} of the ${formatWhole(records)} records that the tracking provider sends cannot be read; the trucks that they may be about stay where they were.`,
    detail: `In ${unreadable} of ${records} records nothing names a truck; trucks that are missing may be among them.`,
    holdMs: 0,
  };
};

const toErrorAnomaly = ({ units, errorBeside }: Comparison): Anomaly | null =>
  errorBeside == null
    ? null
    : {
        kind: 'errorInside',
        message: `${PROVIDER} lists ${formatWhole(units)} trucks and reports an error beside them: others may be missing.`,
        detail: `The answer has an error beside its list: ${errorBeside}.`,
        holdMs: 0,
      };

/** Ages and statuses are computed by our clock: where it contradicts the provider's, all of them are uncertain. */
const toClockAnomaly = (
  { clockLeadMs, hadClockAnomaly }: Comparison,
  { clockApartMs, clockTogetherMs }: AnomalySettings,
): Anomaly | null => {
  if (clockLeadMs === null) return null;
  const apartMs = Math.abs(clockLeadMs);
  if (apartMs < (hadClockAnomaly ? clockTogetherMs : clockApartMs)) return null;
  const apart = toSpanText(apartMs);
  return {
    kind: 'clock',
    message: `The clocks of this server and of the tracking provider are ${apart} apart. One of them is wrong, so ages, late and silent may be wrong too.`,
    detail: `The server's clock is ${apart} ${clockLeadMs > 0 ? 'ahead of' : 'behind'} the Date of the provider's answers.`,
    holdMs: 0,
  };
};

/** The gravest anomaly of an answer; null where there is none. */
export const findAnomaly = (comparison: Comparison, settings: AnomalySettings): Anomaly | null =>
  toOtherFleetAnomaly(comparison, settings) ??
  toDropAnomaly(comparison, settings) ??
  toOlderAnomaly(comparison, settings) ??
  toRepeatedAnomaly(comparison, settings) ??
  toUnreadableAnomaly(comparison, settings) ??
  toErrorAnomaly(comparison) ??
  toClockAnomaly(comparison, settings);
