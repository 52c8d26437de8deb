/** A Map, a WeakMap or a cache. */
interface Store<K, V> {
  get: (key: K) => V | undefined;
  set: (key: K, value: V) => unknown;
}

/** The value under a key; where there is none, the value of `make`, which is stored. */
export const getOrMake = <K, V>(store: Store<K, V>, key: K, make: () => V): V => {
  const known = store.get(key);
  if (known !== undefined) return known;
  const made = make();
  store.set(key, made);
  return made;
};

/** The promise under a key; where there is none, the promise of `read`, which is stored unless it fails. */
export const getOrRead = <K, V>(
  store: Store<K, Promise<V>> & { delete: (key: K) => unknown },
  key: K,
  read: () => Promise<V>,
): Promise<V> =>
  getOrMake(store, key, () => {
    const reading = read();
    reading.catch(() => store.delete(key));
    return reading;
  });

/** Adds an item to the list under a key. */
export const addTo = <K, T>(lists: Map<K, T[]>, key: K, item: T): void => {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
};

/** Groups of items with the same key, in the order of their first members. */
export const groupBy = <T, K>(items: Iterable<T>, toKey: (item: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>();
  for (const item of items) addTo(groups, toKey(item), item);
  return groups;
};

/** Groups that have one item of each name at most, in the order of items: what comes after another is in a later group. */
export const toGroups = <T>(items: readonly T[], nameOf: (item: T) => string): T[][] => {
  const groups: T[][] = [];
  const counts = new Map<string, number>();
  for (const item of items) {
    const name = nameOf(item);
    const index = counts.get(name) ?? 0;
    counts.set(name, index + 1);
    (groups[index] ??= []).push(item);
  }
  return groups;
};
