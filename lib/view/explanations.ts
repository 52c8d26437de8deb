/** Longer texts, which are loaded with what shows them: a unit's panel, the settings. */
import type { Flag, Reason } from '@/lib/motion/status';
import type { UnitDetail } from '@/lib/wire/unit';
import { fixAgeText, formatCount, formatDistance, formatDuration, toMph } from './format';
import { MINUTE_MS } from '@/lib/base/time';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import type { SilentReason } from './text';

/** An explanation of each flag for a new user. */
export const FLAG_MEANINGS: Record<Flag, string> = {
  noPosition: 'The provider lists the truck without a usable position.',
  clockFault: 'The times of its reports cannot be trusted.',
  impossibleJump:
    'A fix lies farther away than any truck drives; the old place is held until a second fix confirms it.',
  duplicateVin: 'Two records carry this VIN. Of one truck the newer fix is shown; two trucks are both shown.',
  badVin: 'The VIN fails its own check digit.',
  notOnRoster: 'It reports, but is not on the list of VINs of this USDOT number.',
  wrongCarrier: 'The VIN is registered to another USDOT number than the one that is watched.',
  frozenPosition: 'New fixes come, but they repeat one place to the last digit, and it was driving.',
  identityChange: 'Its device, truck number or plate has become another, or was another truck’s.',
  vinMismatch: 'The VIN says another model year or maker than the provider does.',
  implausiblePosition:
    'It is listed where this fleet does not drive; its coordinates may be swapped or lack a sign.',
  notIdentified:
    'Its VIN, device or truck number is missing, mistyped or shared with other trucks, so another name identifies it.',
};

/** A provider that repeats an old position with the present time does so for less. */
const HELD_MS = 5 * MINUTE_MS;

/** The doubt whether a fault is the truck's or its provider's, as the end of a sentence. */
const doubtText = ({
  reason,
  evidence,
  receivedAgeMs,
}: Pick<UnitDetail, 'reason' | 'evidence' | 'receivedAgeMs'>): string => {
  if (reason === 'overdue' && receivedAgeMs != null && receivedAgeMs >= 2 * MINUTE_MS)
    return `; it was ${formatDuration(receivedAgeMs)} old when it came, and whether the truck or the provider is behind is not known yet`;
  const isExact = reason === 'inPlace' && evidence.fixes > 1 && evidence.distanceM === 0;
  return isExact && evidence.spanMs < HELD_MS
    ? '; the same position to the last digit, which some providers repeat while a truck drives'
    : '';
};

const { placeM, walkMps, standAtMostMs, coarseStandMs, movingKph } = DEFAULT_MOTION_SETTINGS;
const KNOWN_BY_NEXT = 'known with its next fix';

const toWalkMs = (meters: number): number => (meters / walkMps) * 1000;

/** What would make the status of a truck known that neither clearly drives nor stands: the rules of `lib/motion`. */
const knownBy = ({ evidence: { distanceM } }: Pick<UnitDetail, 'evidence'>, coarseM: number): string => {
  const standMs = Math.min(toWalkMs(distanceM), standAtMostMs) + Math.min(toWalkMs(coarseM), coarseStandMs);
  const minutes = Math.max(1, Math.ceil(standMs / MINUTE_MS));
  return `known once it drives faster than ${toMph(movingKph)} mph, or stays within ${formatDistance(placeM)} for ${minutes} min`;
};

/** The evidence of the status: "3.1 mi in 4 min, 2 fixes". `nowMs` is server time, `fixAtMs` the newest fix,
 * `coarseM` the error of its positions. */
export const evidenceText = (
  detail: Pick<UnitDetail, 'reason' | 'evidence' | 'usualIntervalMs' | 'receivedAgeMs'>,
  fixAtMs: number | null,
  nowMs: number,
  coarseM = 0,
): string => {
  const { reason, evidence, usualIntervalMs } = detail;
  const distance = formatDistance(evidence.distanceM);
  const span = formatDuration(evidence.spanMs);
  const fixes = formatCount(evidence.fixes, 'fix', 'fixes');
  const reports =
    evidence.fixes < 2 ? '' : ` (${distance} over ${span}, ${formatCount(evidence.fixes, 'report')})`;
  const usually = usualIntervalMs === null ? '' : `usually every ${formatDuration(usualIntervalMs)}, `;
  const lastFix = fixAtMs === null ? 'no fix so far' : `last fix ${fixAgeText(nowMs - fixAtMs)}`;
  const texts: Record<Reason, string> = {
    displaced: `${distance} in ${span}, ${fixes}`,
    inPlace: `within ${distance} for ${span}, ${fixes}`,
    overdue: `${usually}${lastFix}`,
    vanishedMoving: `left the active list while moving, ${lastFix}`,
    vanishedStopped: `left the active list while parked, ${lastFix}`,
    quiet: `still listed, ${lastFix}`,
    neverSeen: 'on the roster, no fix since Linehaul began to watch',
    oneFix: `one fix, nothing to compare it with yet: ${KNOWN_BY_NEXT}`,
    unclear: `${distance} in ${span}, ${fixes}: too little to tell; ${knownBy(detail, coarseM)}`,
    noFix: `listed without a usable position or time: ${KNOWN_BY_NEXT} with both`,
    vanished: `left the active list, ${lastFix}`,
    byReceipt: `reporting, but its clock is wrong: times shown are when Linehaul received its reports${reports}`,
  };
  return `${texts[reason]}${doubtText(detail)}`;
};

/** The meaning of a status or flag, and what to do about it. */
export interface Explanation {
  means: string;
  act: string;
}

/** Each kind of silence. */
export const SILENT_HELP: Record<SilentReason, Explanation> = {
  vanishedMoving: {
    means: 'The provider stopped listing it as active while it was under way.',
    act: 'Call the driver. Its last place is shown, with its speed and heading where they are known.',
  },
  vanishedStopped: {
    means: 'The provider stopped listing it while it stood. Many trackers sleep when the ignition is off.',
    act: 'Usually nothing. Look where it stands, and whether it should be there.',
  },
  vanished: {
    means: 'The provider stopped listing it before enough fixes came to tell whether it moved.',
    act: 'Look at its last fix and judge by that.',
  },
  quiet: {
    means: 'It is still listed as active, but has sent no fix for half an hour.',
    act: 'Call when it should be on the road: the tracker may have lost power or reception.',
  },
  neverSeen: {
    means: 'Its VIN is on the roster, but no fix of it has come since Linehaul began to watch this fleet.',
    act: 'Check whether a tracker is fitted and switched on, or whether the truck has left the fleet.',
  },
};
