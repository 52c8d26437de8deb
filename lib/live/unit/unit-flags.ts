import 'server-only';
import { parseMcNumber } from '@/lib/identity/carrier-numbers';
import type { FlagTrack } from '@/lib/motion/flag-hysteresis';
import type { UnitMemory } from '@/lib/motion/memory';
import { toUtcWords } from '@/lib/tracking/normalise-time';
import type { VinCarrier } from '@/lib/wire/carrier';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { FLAGS, flagBit, toFlagMask } from '@/lib/wire/status';
import type { Flag } from '@/lib/wire/status';
import type { FlagEvidence } from '@/lib/wire/unit';
import { whole } from './motion-text';
import { toChangeWords, toMoveWords } from './name-changes';
import type { NameChange, NameMove } from './name-changes';

/** The VINs of a fleet; null while they could not be read. */
export type RosterVins = ReadonlySet<string> | null;

/** The evidence for those flags of a unit that do not depend on its fixes. */
export interface FlagFacts {
  usdot: string;
  identity: UnitIdentity;
  /** The flags of the provider's newest record of it. */
  told: readonly FlagEvidence[];
  roster: RosterVins;
  carrier: VinCarrier | null;
  /** Why the listed position is implausible, as text; null where it is plausible. */
  implausible: string | null;
  /** How its VIN contradicts its year and make, as text; null where it does not. */
  mismatch: string | null;
}

/** Flags of a record that concern its vehicle or the answer, and not its fix. */
const OF_RECORD = flagBit('duplicateVin') | flagBit('badVin') | flagBit('notIdentified');

/**
 * A unit without a usable VIN cannot be looked up, and an empty roster of a fleet that reports is no roster.
 */
const isOffRoster = ({ identity: { vin, key }, roster }: FlagFacts): boolean =>
  vin !== null && vin === key && roster !== null && roster.size > 0 && !roster.has(vin);

/** Whether a VIN is registered to another USDOT number; an answer without one contradicts nothing. */
export const isOthers = ({ carrier, usdot }: Pick<FlagFacts, 'carrier' | 'usdot'>): boolean =>
  carrier !== null && carrier.usdot !== null && carrier.usdot !== usdot;

/** The mask of a unit's current findings, except those of its fixes and names. */
export const findFlags = (facts: FlagFacts): number => {
  let found = facts.told.length === 0 ? 0 : toFlagMask(facts.told.map(({ flag }) => flag)) & OF_RECORD;
  if (isOffRoster(facts)) found |= flagBit('notOnRoster');
  if (isOthers(facts)) found |= flagBit('wrongCarrier');
  if (facts.mismatch !== null) found |= flagBit('vinMismatch');
  if (facts.implausible !== null) found |= flagBit('implausiblePosition');
  return found;
};

const toCarrierWords = ({ carrier, usdot }: FlagFacts): string => {
  if (!carrier) return '';
  const { mcNumber } = carrier;
  const mc = mcNumber === null ? 'no MC number given' : (parseMcNumber(mcNumber) ?? mcNumber);
  return `Its VIN is registered to USDOT ${carrier.usdot} (${mc}), and it drives for USDOT ${usdot}. A leased truck may rightly differ. The provider said so at ${toUtcWords(carrier.askedAtMs)}.`;
};

const toRosterWords = ({ roster }: FlagFacts): string =>
  `It reports, but is not on the fleet's roster of ${whole(roster?.size ?? 0)} ${roster?.size === 1 ? 'VIN' : 'VINs'}.`;

const toFoundWords = (flag: Flag, facts: FlagFacts): string => {
  switch (flag) {
    case 'notOnRoster':
      return toRosterWords(facts);
    case 'wrongCarrier':
      return toCarrierWords(facts);
    case 'vinMismatch':
      return facts.mismatch ?? '';
    case 'implausiblePosition':
      return facts.implausible ?? '';
    default:
      return facts.told.find((evidence) => evidence.flag === flag)?.words ?? '';
  }
};

const HELD_BACK = 'The old place is shown until a second fix confirms the new one.';

const BY_RECEIPT = 'The times shown are when Linehaul received its reports.';

const toTrackWords = (
  track: FlagTrack,
  facts: FlagFacts,
  { doubtful, isByReceipt }: Pick<UnitMemory, 'doubtful' | 'isByReceipt'>,
): string => {
  const { flag, words, cleanSinceMs } = track;
  if (flag === 'impossibleJump' && doubtful !== null) return `${words} ${HELD_BACK}`;
  if (flag === 'clockFault' && isByReceipt) return `${words} ${BY_RECEIPT}`.trim();
  if (cleanSinceMs === null) return words || toFoundWords(flag, facts);
  return `${words} It has not been so since ${toUtcWords(cleanSinceMs)}; the flag goes if it stays that way.`.trim();
};

/** The flags that are shown, each with its evidence, in wire order. */
export const toUnitFlags = (
  tracks: readonly FlagTrack[],
  changes: readonly NameChange[],
  moves: readonly NameMove[],
  facts: FlagFacts,
  memory: Pick<UnitMemory, 'doubtful' | 'isByReceipt'>,
): FlagEvidence[] => {
  const flags = tracks
    .filter(({ isUp }) => isUp)
    .map((track) => ({ flag: track.flag, words: toTrackWords(track, facts, memory) }));
  const renamed = [...changes.map(toChangeWords), ...moves.map(toMoveWords)].join(' ');
  if (renamed !== '') flags.push({ flag: 'identityChange', words: renamed });
  return flags.sort((a, b) => FLAGS.indexOf(a.flag) - FLAGS.indexOf(b.flag));
};
