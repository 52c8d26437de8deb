/*
 * Checks of JSON that our own server sends. The live path uses these instead of zod, which would be a tenth of the
 * script that a phone has to load before it shows a map; what people and providers send is checked by zod.
 */

/** A value has another shape than the one it is read as: client and server are of different builds. */
export class ShapeError extends TypeError {
  override name = 'ShapeError';
}

export interface Shape<T> {
  accepts: (value: unknown) => value is T;
  /** The value itself. @throws ShapeError */
  parse: (value: unknown) => T;
}
export type ShapeOf<S> = S extends Shape<infer T> ? T : never;

const EXCERPT_CHARACTERS = 80;

const toShape = <T>(accepts: (value: unknown) => value is T): Shape<T> => ({
  accepts,
  parse: (value) => {
    if (accepts(value)) return value;
    throw new ShapeError(`Got another shape: ${JSON.stringify(value)?.slice(0, EXCERPT_CHARACTERS)}`);
  },
});

export const text = toShape((value): value is string => typeof value === 'string');
export const flag = toShape((value): value is boolean => typeof value === 'boolean');
/** Any finite number. */
export const number = toShape((value): value is number => Number.isFinite(value));

/** A whole number from `least` to `most`. */
export const integer = (least = -Number.MAX_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER): Shape<number> =>
  toShape(
    (value): value is number => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  );

export const oneOf = <T extends string>(names: readonly T[]): Shape<T> =>
  toShape((value): value is T => names.includes(value as T));

export const nullable = <T>(shape: Shape<T>): Shape<T | null> =>
  toShape((value): value is T | null => value === null || shape.accepts(value));

/** A value of one shape or the other. */
export const either = <A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> =>
  toShape((value): value is A | B => one.accepts(value) || other.accepts(value));

/** A property that may be missing. */
export const optional = <T>(shape: Shape<T>): Shape<T | undefined> =>
  toShape((value): value is T | undefined => value === undefined || shape.accepts(value));

/** A list, of exactly `length` items if given. */
export const list = <T>(item: Shape<T>, length?: number): Shape<T[]> =>
  toShape(
    (value): value is T[] =>
      Array.isArray(value) && (length === undefined || value.length === length) && value.every(item.accepts),
  );

/** A list of two. */
export const pair = <T>(item: Shape<T>): Shape<[T, T]> =>
  toShape((value): value is [T, T] => list(item, 2).accepts(value));

type Properties = Record<string, Shape<unknown>>;
type OptionalKey<P> = { [K in keyof P]: undefined extends ShapeOf<P[K]> ? K : never }[keyof P];
type Value<P extends Properties> = { [K in Exclude<keyof P, OptionalKey<P>>]: ShapeOf<P[K]> } & {
  [K in OptionalKey<P>]?: ShapeOf<P[K]>;
};
/** Resolves an intersection, for legible types. */
type Plain<T> = { [K in keyof T]: T[K] };

/** An object with these properties, and perhaps others. */
export const object = <P extends Properties>(properties: P): Shape<Plain<Value<P>>> => {
  const entries = Object.entries(properties);
  return toShape(
    (value): value is Plain<Value<P>> =>
      typeof value === 'object' &&
      value !== null &&
      entries.every(([name, shape]) => shape.accepts((value as Record<string, unknown>)[name])),
  );
};
