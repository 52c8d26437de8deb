import { z } from 'zod';
import type { UnitIdentity } from './fleet';

/*
 * The names of many units, as they travel: column by column, and what repeats once. A VIN says maker, model
 * and plant in its first and middle parts and counts in its last, so that each part is listed with its like.
 */

const HEAD = 8;
const TAIL = 11;

const texts = z.array(z.string().nullable());

/** The lists of texts; which of `kinds`, `middles` and `states` a unit has is told in numbers. */
export const identityTextsSchema = z.object({
  /** What vehicles have in common: the VIN's first part, make, model, fuel, type. */
  kinds: z.array(z.array(z.string().nullable()).length(5)),
  /** The VIN's check digit, model year and plant. */
  middles: texts,
  states: texts,
  /** The last part of each VIN; null where there is no VIN. */
  tails: texts,
  /** Each unit's key; null where that is its VIN. */
  keys: texts,
  truckNumbers: texts,
  plateNumbers: texts,
  deviceIds: texts,
});
export type IdentityTexts = z.infer<typeof identityTextsSchema>;

/** For each unit: index into kinds, middles and states, and the year, 0 for none. */
export type IdentityNumbers = [
  kind: ArrayLike<number>,
  middle: ArrayLike<number>,
  state: ArrayLike<number>,
  year: ArrayLike<number>,
];

/** Each value once, in the order of its first use, and which one each is. */
const toRepeated = <T>(values: readonly T[], toName: (value: T) => string): { once: T[]; is: Int32Array } => {
  const indexOf = new Map<string, number>();
  const once: T[] = [];
  const is = Int32Array.from(values, (value) => {
    const name = toName(value);
    const known = indexOf.get(name);
    if (known !== undefined) return known;
    indexOf.set(name, once.length);
    return once.push(value) - 1;
  });
  return { once, is };
};

/** fromIdentityTexts's inverse. */
export const toIdentityTexts = (
  identities: readonly UnitIdentity[],
): { texts: IdentityTexts; numbers: IdentityNumbers } => {
  const kinds = toRepeated(
    identities.map(({ vin, make, model, fuelType, assetType }) => [
      vin?.slice(0, HEAD) ?? null,
      make,
      model,
      fuelType,
      assetType,
    ]),
    (kind) => JSON.stringify(kind),
  );
  const middles = toRepeated(
    identities.map(({ vin }) => vin?.slice(HEAD, TAIL) ?? null),
    String,
  );
  const states = toRepeated(
    identities.map(({ plateState }) => plateState),
    (state) => JSON.stringify(state),
  );
  return {
    texts: {
      kinds: kinds.once,
      middles: middles.once,
      states: states.once,
      tails: identities.map(({ vin }) => vin?.slice(TAIL) ?? null),
      keys: identities.map(({ key, vin }) => (key === vin ? null : key)),
      truckNumbers: identities.map(({ truckNumber }) => truckNumber),
      plateNumbers: identities.map(({ plateNumber }) => plateNumber),
      deviceIds: identities.map(({ deviceId }) => deviceId),
    },
    numbers: [kinds.is, middles.is, states.is, Int32Array.from(identities, ({ year }) => year ?? 0)],
  };
};

const NO_KIND = [null, null, null, null, null] as const;

/** @throws RangeError when the lists are not of one length, or a unit has no name at all. */
export const fromIdentityTexts = (
  from: IdentityTexts,
  [kinds, middles, states, years]: IdentityNumbers,
): UnitIdentity[] => {
  const { tails, keys, truckNumbers, plateNumbers, deviceIds } = from;
  for (const list of [keys, truckNumbers, plateNumbers, deviceIds, kinds, middles, states, years]) {
    if (list.length !== tails.length) {
      throw new RangeError(`Got ${list.length} of ${tails.length} units' names.`);
    }
  }
  return tails.map((tail, i) => {
    const [head, make, model, fuelType, assetType] = from.kinds[kinds[i]!] ?? NO_KIND;
    const vin = tail === null ? null : `${head ?? ''}${from.middles[middles[i]!] ?? ''}${tail}`;
    const key = keys[i] ?? vin;
    if (key === null) throw new RangeError(`Unit ${i} has neither a key nor a VIN.`);
    return {
      key,
      vin,
      truckNumber: truckNumbers[i]!,
      plateState: from.states[states[i]!] ?? null,
      plateNumber: plateNumbers[i]!,
      make: make ?? null,
      model: model ?? null,
      year: years[i] || null,
      fuelType: fuelType ?? null,
      assetType: assetType ?? null,
      deviceId: deviceIds[i]!,
    };
  });
};
