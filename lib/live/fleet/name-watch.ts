import 'server-only';
import { toLateLimitMs } from '@/lib/motion/observe';
import type { MotionSettings } from '@/lib/motion/settings';
import { nameOf, toPlainName } from '@/lib/wire/unit-names';
import { createNameHolders } from './name-holders';
import type { CarriedUntil } from './name-holders';
import type { UnitRecord } from '../unit/unit-record';

/** Detects devices, truck numbers and plates that move from one VIN to another. */
export interface NameWatch {
  /** A unit is new, or was renamed. */
  note(record: UnitRecord): void;
  /** After the whole answer was applied: records on the units the names that they took over. */
  settle(nowMs: number, motion: MotionSettings): void;
  forget(record: UnitRecord): void;
}

/** Devices that two units of one answer claim, at most: beyond that, sharing is normal for the fleet. */
const MAX_CONTESTED = 1000;
const DEVICE = ['deviceId'] as const;

const isDuplicate = ({ story }: UnitRecord): boolean =>
  story.told[story.told.length - 1]?.flags.some(({ flag }) => flag === 'duplicateVin') ?? false;

export const createNameWatch = (fleet: {
  read: (key: string) => UnitRecord | null;
  /** Whether the answer that is being applied lists the unit. */
  isInAnswer: (key: string) => boolean;
}): NameWatch => {
  const holders = createNameHolders((key) => fleet.read(key)?.story.told[0]?.atMs ?? -Infinity);
  let noted: UnitRecord[] = [];
  /** Units whose device another one carries as well, until that one goes quiet. */
  let contested = new Set<UnitRecord>();

  const createCarriedUntil =
    (nowMs: number, motion: MotionSettings, onShared: () => void): CarriedUntil =>
    (key, kind, plain) => {
      const record = fleet.read(key);
      if (!record) return -Infinity;
      const { identity, memory, changes, atMs } = record.story.state;
      const name = nameOf(identity, kind);
      if (name === null || toPlainName(name) !== plain) {
        return changes.find((change) => change.kind === kind)?.untilMs ?? atMs;
      }
      if (!fleet.isInAnswer(key)) return atMs;
      if (kind !== 'deviceId') return null;
      // One device cannot report from two trucks: the one that went quiet no longer has it.
      if (nowMs - atMs > toLateLimitMs(memory, motion)) return atMs;
      onShared();
      return null;
    };

  return {
    note: (record) => void noted.push(record),
    settle: (nowMs, motion) => {
      if (noted.length === 0 && contested.size === 0) return;
      const still = new Set<UnitRecord>();
      const claim = (record: UnitRecord, kinds?: typeof DEVICE): void => {
        const { identity, atMs } = record.story.state;
        if (identity.vin === null || isDuplicate(record)) return;
        const carriedUntil = createCarriedUntil(nowMs, motion, () => {
          if (still.size < MAX_CONTESTED) still.add(record);
        });
        for (const { toKey, move } of holders.claim(identity, atMs, carriedUntil, kinds)) {
          const to = fleet.read(toKey);
          if (!to || move.untilMs === -Infinity) continue;
          to.moves = [...to.moves.filter(({ kind }) => kind !== move.kind), move];
          to.rewriteAtMs = -Infinity;
        }
      };
      for (const record of contested) claim(record, DEVICE);
      for (const record of noted) claim(record);
      noted = [];
      contested = still;
    },
    forget: (record) => {
      contested.delete(record);
      holders.forget(record.story.state.identity);
    },
  };
};
