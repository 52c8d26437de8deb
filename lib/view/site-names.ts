/** The names of a fleet's sites by their ids, for lists and searches of its units. */
export interface SiteNames {
  names: ReadonlyMap<number, string>;
  /** Place of each site in the order of the names, from 1. */
  ranks: ReadonlyMap<number, number>;
}
