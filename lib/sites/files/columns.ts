import { findRepeatedColumns, toColumnName, toQuotedList } from '../../table-files/table';

/** Other names of columns of a table, and of properties of features, by those that are read. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  name: ['site', 'site_name', 'location_name', 'title', 'location'],
  latitude: ['lat', 'y'],
  longitude: ['lng', 'lon', 'long', 'x'],
  corners: [],
  radius_m: ['radius_meters', 'radius_metres', 'radius_meter'],
  radius_km: ['radius_kilometers', 'radius_kilometres', 'radius_kilometer'],
  radius_mi: ['radius_miles', 'radius_mile'],
  radius_ft: ['radius_feet', 'radius_foot'],
  radius_yd: ['radius_yards', 'radius_yard'],
  radius: [],
  kind: [],
  // Other programs have kinds of their own in these.
  category: ['type'],
  color: ['colour'],
  notes: ['note', 'comment', 'comments', 'description'],
  opening_hours: ['hours'],
  margin_m: ['margin_meters', 'margin_metres', 'margin'],
};

/** The meaning by which a column is read, by its name. */
const MEANINGS: ReadonlyMap<string, string> = new Map(
  Object.entries(ALIASES).flatMap(([meaning, others]) => [meaning, ...others].map((name) => [name, meaning])),
);

/** The place of the column that is read as something: its own name comes before another one. -1: there is none. */
export const findColumn = (columns: readonly string[], meaning: string): number =>
  [meaning, ...(ALIASES[meaning] ?? [])].map((each) => columns.indexOf(each)).find((at) => at >= 0) ?? -1;

/** Whether a column says where a site is: a file may have one of each meaning, because either of two may be meant. */
const isOfPlace = (meaning: string): boolean => /^(?:latitude|longitude|corners|radius|margin)/.test(meaning);

/** Sentences about columns of one meaning: as a fault where either may be meant, as a warning where one of them is read. */
export const checkColumns = (
  columns: readonly string[],
  names: readonly string[],
): { fault: string | null; warnings: string[] } => {
  const groups = findRepeatedColumns(columns, (column) => MEANINGS.get(column) ?? null);
  const isUnclear = (places: readonly number[]): boolean =>
    isOfPlace(MEANINGS.get(columns[places[0]!]!)!) ||
    new Set(places.map((at) => columns[at])).size < places.length;
  const quote = (places: readonly number[]): string => toQuotedList(places.map((at) => names[at]!));
  const unclear = groups.filter(isUnclear);
  return {
    fault:
      unclear.length === 0
        ? null
        : `The columns ${unclear.map(quote).join(' and ')} stand for the same: delete all but one, or rename the others.`,
    warnings: groups.map((places) => {
      const read = findColumn(columns, MEANINGS.get(columns[places[0]!]!)!);
      const others = places.filter((at) => at !== read);
      return `${quote(others)} is not read, because “${names[read]}” stands for the same.`;
    }),
  };
};

/** The texts of properties by what they mean, whatever the capitals and signs in their names; a text: why that is unclear. */
export const toMeanings = (properties: readonly (readonly [name: string, text: string])[]) => {
  const names = properties.map(([name]) => name);
  const columns = names.map(toColumnName);
  const unclear = findRepeatedColumns(columns).find(
    (places) => new Set(places.map((at) => properties[at]![1])).size > 1,
  );
  return {
    textOf: (meaning: string): string | undefined => properties[findColumn(columns, meaning)]?.[1],
    fault:
      unclear === undefined
        ? null
        : `It has ${toQuotedList(unclear.map((at) => names[at]!))} with different values: keep one of them.`,
  };
};
