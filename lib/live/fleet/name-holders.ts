import 'server-only';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { NAME_KINDS, nameOf, toPlainName } from '@/lib/wire/unit-names';
import type { NameKind } from '@/lib/wire/unit-names';
import type { NameMove } from '../unit/name-changes';

/** A name that one unit took over from another. */
export interface Takeover {
  toKey: string;
  move: NameMove;
}

/**
 * The end of the time in which a unit carried a name, Unix ms; null while it carries it. A unit that is not
 * listed carries no name.
 */
export type CarriedUntil = (key: string, kind: NameKind, plainName: string) => number | null;

/** The start of the time in which a unit is known to carry its names, Unix ms. */
export type CarriedSince = (key: string) => number;

/** The units that hold each device, truck number and plate. */
export interface NameHolders {
  /**
   * Records a unit's names since `atMs`. Two units that carry one name together share it: the name did not
   * move.
   */
  claim(
    identity: UnitIdentity,
    atMs: number,
    carriedUntil: CarriedUntil,
    kinds?: readonly NameKind[],
  ): Takeover[];
  /** Removes the names of a unit that was forgotten. */
  forget(identity: UnitIdentity): void;
}

export const createNameHolders = (carriedSince: CarriedSince): NameHolders => {
  /** The key of the unit by the name: a large fleet has three of these for each of its units. */
  const holders: Record<NameKind, Map<string, string>> = {
    deviceId: new Map(),
    truckNumber: new Map(),
    plate: new Map(),
  };

  const claimOne = (
    { key }: UnitIdentity,
    kind: NameKind,
    name: string,
    atMs: number,
    carriedUntil: CarriedUntil,
  ): Takeover | null => {
    const plain = toPlainName(name);
    const holder = holders[kind].get(plain);
    if (holder === key) return null;
    if (holder === undefined) {
      holders[kind].set(plain, key);
      return null;
    }
    const untilMs = carriedUntil(holder, kind, plain);
    if (untilMs === null) return null;
    // Answers may arrive in any order: the unit with the latest report holds the name, and the other one held
    // it before.
    const sinceMs = carriedSince(holder);
    if (sinceMs > atMs) {
      return { toKey: holder, move: { kind, name, fromKey: key, untilMs: atMs, sinceMs } };
    }
    holders[kind].set(plain, key);
    return { toKey: key, move: { kind, name, fromKey: holder, untilMs, sinceMs: atMs } };
  };

  return {
    claim: (identity, atMs, carriedUntil, kinds = NAME_KINDS) => {
      const takeovers: Takeover[] = [];
      for (const kind of kinds) {
        const name = nameOf(identity, kind);
        const takeover = name === null ? null : claimOne(identity, kind, name, atMs, carriedUntil);
        if (takeover) takeovers.push(takeover);
      }
      return takeovers;
    },
    forget: (identity) => {
      for (const kind of NAME_KINDS) {
        const name = nameOf(identity, kind);
        if (name === null) continue;
        const plain = toPlainName(name);
        if (holders[kind].get(plain) === identity.key) holders[kind].delete(plain);
      }
    },
  };
};
