import 'server-only';
import { toUtcText } from '@/lib/tracking/normalize/time';
import {
  NAME_KINDS,
  NAME_LABELS,
  nameOf,
  toPlainName,
  type NameKind,
  type Names,
} from '@/lib/wire/unit-names';

/** A name of a unit that was replaced by another. */
export interface NameChange {
  kind: NameKind;
  was: string;
  /** When the unit last had it, Unix ms. */
  untilMs: number;
  now: string;
  sinceMs: number;
}

export const NO_CHANGES: readonly NameChange[] = [];

/** The names of a unit; a name that the newest record leaves out stays as it was. */
export const withKnownNames = (known: Names, given: Names): Names => {
  const isWhole = given.deviceId !== null && given.truckNumber !== null && given.plateNumber !== null;
  if (isWhole) return given;
  const plate = given.plateNumber === null ? known : given;
  return {
    deviceId: given.deviceId ?? known.deviceId,
    truckNumber: given.truckNumber ?? known.truckNumber,
    plateState: plate.plateState,
    plateNumber: plate.plateNumber,
  };
};

/** The changes of names with a record at `atMs`; a name that soon returns to its former value counts as unchanged. */
export const observeNames = (
  changes: readonly NameChange[],
  known: Names,
  given: Names,
  untilMs: number,
  atMs: number,
  enterMs: number,
): readonly NameChange[] => {
  let next = changes;
  for (const kind of NAME_KINDS) {
    const was = nameOf(known, kind);
    const now = nameOf(given, kind);
    if (was === null || now === null || toPlainName(was) === toPlainName(now)) continue;
    const last = next.find((change) => change.kind === kind);
    next = next.filter((change) => change !== last);
    const isBack = last && toPlainName(last.was) === toPlainName(now) && atMs - last.sinceMs < enterMs;
    if (!isBack) next = [...next, { kind, was, untilMs, now, sinceMs: atMs }];
  }
  return next;
};

export const toChangeText = ({ kind, was, untilMs, now, sinceMs }: NameChange): string =>
  `Its ${NAME_LABELS[kind]} was ${was} until ${toUtcText(untilMs)} and is ${now} since ${toUtcText(sinceMs)}.`;

/** A name of a unit that another unit had before. */
export interface NameMove {
  kind: NameKind;
  name: string;
  /** The VIN or other key of the former holder, and until when it had the name. */
  fromKey: string;
  untilMs: number;
  sinceMs: number;
}

/** @param from the former holder, by its key or, for a viewer who may not see it, in general words */
export const toMoveText = ({ kind, name, fromKey, untilMs, sinceMs }: NameMove, from = fromKey): string =>
  `Its ${NAME_LABELS[kind]} ${name} belonged to ${from} until ${toUtcText(untilMs)}, and to this truck since ${toUtcText(sinceMs)}.`;
