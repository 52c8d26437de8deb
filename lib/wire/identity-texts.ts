import { list, nullable, object, text, type ShapeOf } from '@/lib/base/shape';
import type { UnitIdentity } from './fleet';
import { fromSteps, toSteps } from './number-planes';
import { fromTextColumn, textColumnSchema, toTextColumn, type TextColumn } from './text-planes';

/*
 * The names of many units on the wire: column by column, with repeated values once. A VIN has maker, model and plant in
 * its first and middle parts and a serial number in its last, so each part is a column of its own.
 */

const HEAD = 8;
const TAIL = 11;

const texts = list(nullable(text));

const COLUMNS = ['tail', 'key', 'truckNumber', 'plateNumber', 'deviceId'] as const;
type Column = (typeof COLUMNS)[number];

/** The part sent as JSON; a unit's indexes into `kinds`, `middles` and `states` are sent as numbers. */
export const identityTextsSchema = object({
  /** Values that vehicles share: the VIN's first part, make, model, fuel, type. */
  kinds: list(list(nullable(text), 5)),
  /** The VIN's check digit, model year and plant. */
  middles: texts,
  states: texts,
  /** The unit's own texts: `tail` of its VIN, `key` unless the VIN is it, and plates in the order of the states. */
  columns: object({
    tail: textColumnSchema,
    key: textColumnSchema,
    truckNumber: textColumnSchema,
    plateNumber: textColumnSchema,
    deviceId: textColumnSchema,
  } satisfies Record<Column, unknown>),
});
type IdentityTexts = ShapeOf<typeof identityTextsSchema>;

/**
 * For each unit its index into kinds, middles and states, and the difference of its year to that of the last unit with
 * the same middle, which contains the model year; then the numbers of each column.
 */
type IdentityNumbers = ArrayLike<number>[];

const OWN_LISTS = 4;

/** How many lists of numbers belong to the texts. */
export const countIdentityLists = ({ columns }: IdentityTexts): number =>
  COLUMNS.reduce((sum, name) => sum + columns[name].width, OWN_LISTS);

/** The distinct values in the order of their first use, and the index of each value among them. */
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

const textOf: Record<Column, (identity: UnitIdentity) => string | null> = {
  tail: ({ vin }) => vin?.slice(TAIL) ?? null,
  key: ({ key, vin }) => (key === vin ? null : key),
  truckNumber: ({ truckNumber }) => truckNumber,
  plateNumber: ({ plateNumber }) => plateNumber,
  deviceId: ({ deviceId }) => deviceId,
};

/** Units in the order of their states, so that plates of one state, which are similar, are adjacent. */
const orderByState = (states: ArrayLike<number>): number[] =>
  Array.from(states, (_, i) => i).sort((a, b) => states[a]! - states[b]! || a - b);

/** The inverse of fromIdentityTexts. */
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
  const years = identities.map(({ year }) => year ?? 0);
  const own = COLUMNS.map((name) => {
    const texts = identities.map(textOf[name]);
    const ordered = name === 'plateNumber' ? orderByState(states.is).map((i) => texts[i]!) : texts;
    return [name, toTextColumn(ordered)] as const;
  });
  return {
    texts: {
      kinds: kinds.once,
      middles: middles.once,
      states: states.once,
      columns: Object.fromEntries(own.map(([name, { column }]) => [name, column])) as Record<
        Column,
        TextColumn
      >,
    },
    numbers: [
      kinds.is,
      middles.is,
      states.is,
      toSteps(years, middles.is),
      ...own.flatMap(([, { numbers }]) => numbers),
    ],
  };
};

const NO_KIND = [null, null, null, null, null] as const;

/** @throws RangeError when the lists are not of one length, or a unit has neither a key nor a VIN. */
export const fromIdentityTexts = (from: IdentityTexts, numbers: IdentityNumbers): UnitIdentity[] => {
  const [kinds = [], middles = [], states = [], yearSteps = []] = numbers;
  const years = fromSteps(yearSteps, middles);
  let at = OWN_LISTS;
  const take = (column: TextColumn): (string | null)[] =>
    fromTextColumn(column, numbers.slice(at, (at += column.width)));
  const { columns } = from;
  const [tails, keys, truckNumbers] = [take(columns.tail), take(columns.key), take(columns.truckNumber)];
  const [platesByState, deviceIds] = [take(columns.plateNumber), take(columns.deviceId)];
  for (const list of [keys, truckNumbers, platesByState, deviceIds, kinds, middles, states, years]) {
    if (list.length !== tails.length) {
      throw new RangeError(`Got ${list.length} of ${tails.length} units' names.`);
    }
  }
  const plateNumbers: (string | null)[] = [];
  orderByState(states).forEach((i, place) => {
    plateNumbers[i] = platesByState[place]!;
  });
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
