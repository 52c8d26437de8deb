import 'server-only';
import { LRUCache } from 'lru-cache';
import { parseMcNumber } from '@/lib/identity/carrier-numbers';
import '@/lib/identity/all-makers';
import { judgeVin, type StatedVehicle } from '@/lib/identity/decode-vin';
import { parseVin } from '@/lib/identity/vin';
import type { FlagTrack } from '@/lib/motion/flag-hysteresis';
import type { MotionState, FrozenRun } from '@/lib/motion/motion-state';
import { toUtcText } from '@/lib/tracking/normalize/time';
import type { VinCarrier, FlagEvidence } from '@/lib/wire/unit';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { FLAGS, flagBit, toFlagMask, type Flag } from '@/lib/motion/status';
import { toChangeText, toMoveText, type NameChange, type NameMove } from './name-changes';
import { distanceM } from '@/lib/geo/geodesy';
import { newestOf } from '@/lib/motion/track';
import { METERS_PER_MILE } from '@/lib/geo/units';
import { MINUTE_MS } from '@/lib/base/time';
import { getOrMake } from '@/lib/base/maps';
import { formatWhole } from '@/lib/view/format';

/** The VINs of a fleet; null while they could not be read. */
export type RosterVins = ReadonlySet<string> | null;

/** The evidence for those flags of a unit that do not depend on its fixes. */
export interface FlagFacts {
  usdot: string;
  identity: UnitIdentity;
  /** The flags of the provider's newest record of it. */
  recordFlags: readonly FlagEvidence[];
  roster: RosterVins;
  carrier: VinCarrier | null;
  /** Why the listed position is implausible, as text; null where it is plausible. */
  implausible: string | null;
  /** How its VIN contradicts its year and make, as text; null where it does not. */
  mismatch: string | null;
}

/** Verdicts; '' where a VIN agrees. A fleet has few models, so that each is judged once. */
const mismatches = new LRUCache<string, string>({ max: 2000 });

const findMismatch = (vehicle: StatedVehicle): string =>
  judgeVin(vehicle)
    .filter(
      ({ about, verdict }) =>
        verdict === 'wrong' && (about === 'maker' || (about === 'year' && vehicle.year !== null)),
    )
    .map(({ text }) => text)
    .join(' ');

/**
 * How a VIN contradicts the given year, make and model; null where it agrees, encodes too little or is not in the
 * table.
 */
export const toMismatchText = ({ vin, make, model, year }: UnitIdentity): string | null => {
  if (vin === null || (make === null && year === null) || parseVin(vin) !== vin) return null;
  // The part that the year and the maker are read from: the maker's identifier, and the characters of the year.
  const key = `${vin.slice(0, 3)}${vin.charAt(6)}${vin.charAt(9)}|${year}|${make}|${model}`;
  return getOrMake(mismatches, key, () => findMismatch({ vin, make, model, year })) || null;
};

/** Flags of a record that concern its vehicle or the answer, and not its fix. */
const OF_RECORD = flagBit('duplicateVin') | flagBit('badVin') | flagBit('notIdentified');

/** A unit without a usable VIN cannot be looked up, and an empty roster of a fleet that reports is no roster. */
const isOffRoster = ({ identity: { vin, key }, roster }: FlagFacts): boolean =>
  vin !== null && vin === key && roster !== null && roster.size > 0 && !roster.has(vin);

/** Whether a VIN is registered to another USDOT number; an answer without one contradicts nothing. */
export const isOthers = ({ carrier, usdot }: Pick<FlagFacts, 'carrier' | 'usdot'>): boolean =>
  carrier !== null && carrier.usdot !== null && carrier.usdot !== usdot;

/** The mask of a unit's current findings, except those of its fixes and names. */
export const findFlags = (facts: FlagFacts): number => {
  let found =
    facts.recordFlags.length === 0 ? 0 : toFlagMask(facts.recordFlags.map(({ flag }) => flag)) & OF_RECORD;
  if (isOffRoster(facts)) found |= flagBit('notOnRoster');
  if (isOthers(facts)) found |= flagBit('wrongCarrier');
  if (facts.mismatch !== null) found |= flagBit('vinMismatch');
  if (facts.implausible !== null) found |= flagBit('implausiblePosition');
  return found;
};

const toCarrierText = ({ carrier, usdot }: FlagFacts): string => {
  if (!carrier) return '';
  const { mcNumber } = carrier;
  const mc = mcNumber === null ? 'no MC number given' : (parseMcNumber(mcNumber) ?? mcNumber);
  return `Its VIN is registered to USDOT ${carrier.usdot} (${mc}), and it drives for USDOT ${usdot}. A leased truck may rightly differ. Provider data from ${toUtcText(carrier.requestedAtMs)}.`;
};

const OFF_ROSTER = "It reports, but is not on the fleet's roster.";

const toRosterText = ({ roster }: FlagFacts): string =>
  `It reports, but is not on the fleet's roster of ${whole(roster?.size ?? 0)} ${roster?.size === 1 ? 'VIN' : 'VINs'}.`;

const toFindingText = (flag: Flag, facts: FlagFacts): string => {
  switch (flag) {
    case 'notOnRoster':
      return toRosterText(facts);
    case 'wrongCarrier':
      return toCarrierText(facts);
    case 'vinMismatch':
      return facts.mismatch ?? '';
    case 'implausiblePosition':
      return facts.implausible ?? '';
    default:
      return facts.recordFlags.find((evidence) => evidence.flag === flag)?.text ?? '';
  }
};

const HELD_BACK = 'The old place is shown until a second fix confirms the new one.';

const BY_RECEIPT = 'The times shown are when Linehaul received its reports.';

const toTrackText = (
  track: FlagTrack,
  facts: FlagFacts,
  { unconfirmed, isByReceipt }: Pick<MotionState, 'unconfirmed' | 'isByReceipt'>,
): string => {
  const { flag, text, cleanSinceMs } = track;
  if (flag === 'impossibleJump' && unconfirmed !== null) return `${text} ${HELD_BACK}`;
  if (flag === 'clockFault' && isByReceipt) return `${text} ${BY_RECEIPT}`.trim();
  if (cleanSinceMs === null) return text || toFindingText(flag, facts);
  return `${text} It has not been so since ${toUtcText(cleanSinceMs)}; the flag goes if it stays that way.`.trim();
};

/** The text for a viewer of some trucks, where the whole one names or counts others; undefined: the text itself. */
const toSeenText = ({ flag, cleanSinceMs }: FlagTrack, facts: FlagFacts): string | undefined => {
  if (cleanSinceMs !== null) return undefined;
  if (flag === 'notOnRoster') return OFF_ROSTER;
  return facts.recordFlags.find((evidence) => evidence.flag === flag)?.seenText;
};

/** The flags that are shown, each with its evidence, in wire order. */
export const toUnitFlags = (
  tracks: readonly FlagTrack[],
  changes: readonly NameChange[],
  moves: readonly NameMove[],
  facts: FlagFacts,
  motionState: Pick<MotionState, 'unconfirmed' | 'isByReceipt'>,
): FlagEvidence[] => {
  const flags = tracks
    .filter(({ isUp }) => isUp)
    .map((track): FlagEvidence => {
      const seenText = toSeenText(track, facts);
      const text = toTrackText(track, facts, motionState);
      return { flag: track.flag, text, ...(seenText !== undefined && { seenText }) };
    });
  const own = changes.map(toChangeText);
  const text = [...own, ...moves.map((move) => toMoveText(move))].join(' ');
  const seenText = [...own, ...moves.map((move) => toMoveText(move, 'another truck'))].join(' ');
  if (text !== '') flags.push({ flag: 'identityChange', text, ...(moves.length > 0 && { seenText }) });
  return flags.sort((a, b) => FLAGS.indexOf(a.flag) - FLAGS.indexOf(b.flag));
};

const HOURS_PER_MS = 1 / 3_600_000;
const KPH_PER_MPH = METERS_PER_MILE / 1000;

const whole = (value: number): string => formatWhole(Math.round(value));

const toSpanText = (ms: number): string =>
  ms < MINUTE_MS ? `${whole(ms / 1000)} s` : `${whole(ms / MINUTE_MS)} min`;

/** Describes a jump: how far, how soon, how fast. */
export const toJumpText = ({ track, unconfirmed }: MotionState): string => {
  const held = newestOf(track);
  if (!held || !unconfirmed) return '';
  const miles = distanceM(held, unconfirmed) / METERS_PER_MILE;
  const spanMs = unconfirmed.fixAtMs - held.fixAtMs;
  const mph = whole(miles / (spanMs * HOURS_PER_MS));
  return `A fix lies ${whole(miles)} mi from the one ${toSpanText(spanMs)} before: ${mph} mph.`;
};

/** Describes the evidence of a frozen position. */
export const toFrozenText = (run: FrozenRun | null): string => {
  if (!run) return '';
  const lasted = toSpanText(run.lastAtMs - run.sinceMs);
  const mph = whole(run.speedKph / KPH_PER_MPH);
  return `New fixes come, but their place has been the same to the last digit since ${toUtcText(run.sinceMs)}: ${run.fixes} fixes in ${lasted}. Up to then it drove ${mph} mph and did not slow down.`;
};
