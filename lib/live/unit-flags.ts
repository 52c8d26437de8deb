import 'server-only';
import { distanceM } from '@/lib/motion/distance';
import type { UnitMemory } from '@/lib/motion/memory';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { FLAGS, toFlagMask } from '@/lib/wire/status';
import type { FlagEvidence } from '@/lib/wire/unit';
import { METERS_PER_MILE } from '@/lib/wire/units';

const MINUTE_MS = 60_000;
const HOURS_PER_MS = 1 / 3_600_000;
const JUMP_BIT = 1 << FLAGS.indexOf('impossibleJump');
const ROSTER_BIT = 1 << FLAGS.indexOf('notOnRoster');

/** The VINs of a fleet; null while they could not be read. */
export type RosterVins = ReadonlySet<string> | null;

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

const toJumpWords = ({ fixes, doubtful }: UnitMemory): string | null => {
  const held = fixes[fixes.length - 1];
  if (!held || !doubtful) return null;
  const miles = distanceM(held, doubtful) / METERS_PER_MILE;
  const spanMs = doubtful.fixAtMs - held.fixAtMs;
  const span = spanMs < MINUTE_MS ? `${whole(spanMs / 1000)} s` : `${whole(spanMs / MINUTE_MS)} min`;
  const mph = whole(miles / (spanMs * HOURS_PER_MS));
  return `Its newest fix lies ${whole(miles)} mi from the one ${span} before: ${mph} mph. The old place is shown until a second fix confirms the new one.`;
};

/** A unit without a VIN cannot be looked up on a list of VINs. */
const isOffRoster = ({ vin }: UnitIdentity, roster: RosterVins): boolean =>
  vin !== null && roster !== null && !roster.has(vin);

/** The flags of a unit as they travel: those of its record, and those that only the feed can tell. */
export const toUnitFlagMask = (
  told: readonly FlagEvidence[],
  memory: UnitMemory,
  identity: UnitIdentity,
  roster: RosterVins,
): number => {
  let mask = told.length === 0 ? 0 : toFlagMask(told.map(({ flag }) => flag));
  if (memory.doubtful) mask |= JUMP_BIT;
  if (isOffRoster(identity, roster)) mask |= ROSTER_BIT;
  return mask;
};

/** The same flags, each with what it saw. */
export const toUnitFlags = (
  told: readonly FlagEvidence[],
  memory: UnitMemory,
  identity: UnitIdentity,
  roster: RosterVins,
): FlagEvidence[] => {
  const flags = [...told];
  const jump = toJumpWords(memory);
  if (jump !== null) flags.push({ flag: 'impossibleJump', words: jump });
  if (isOffRoster(identity, roster)) {
    const vins = `${whole(roster?.size ?? 0)} ${roster?.size === 1 ? 'VIN' : 'VINs'}`;
    flags.push({ flag: 'notOnRoster', words: `It reports, but is not on the fleet's roster of ${vins}.` });
  }
  return flags;
};
