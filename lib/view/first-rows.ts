import type { CarrierAccount, FeedState, Fleet } from '@/lib/wire/fleet';
import { bestFirst, hasTagTerm, type SiteNames } from './search';
import { countFleet, filterRows, type FleetCounts } from './filter';
import type { FirstMap } from './first-map';
import { sortRows } from './sort';
import { readUnitRow, type UnitRow } from './unit-row';
import type { ViewState } from './view-state';

/** The fleet in the HTML of its pages, until the live answer arrives. */
export interface FirstFleet {
  /** When the HTML was rendered, server clock: ages count to here. */
  nowMs: number;
  feed: FeedState;
  account: CarrierAccount | null;
  list: FirstRows | null;
  map: FirstMap | null;
}

/** The head of the list in the HTML of the map. */
export interface FirstRows {
  counts: FleetCounts;
  /** How many units the view lists, and the first of them in its order. */
  matched: number;
  units: UnitRow[];
  /** The names of the sites that these are at. */
  siteNames: Record<number, string>;
  columns: ViewState['columns'];
}

/** The units that fill a large screen. */
const UNITS_MOST = 20;

/** The head of the list of a view; null where it depends on what the map shows, or on tags, which the browser reads. */
export const toFirstRows = (
  fleet: Fleet,
  view: ViewState,
  sites: SiteNames | null = null,
): FirstRows | null => {
  if (view.inView || view.tags.length + view.loads.length > 0 || hasTagTerm(view.query)) return null;
  const matched = filterRows(fleet, view, sites);
  const sorted = sortRows(fleet, matched, view.sort, sites);
  const listed = bestFirst(fleet, sorted, view.query).subarray(0, UNITS_MOST);
  const units = [...listed].flatMap((row) => readUnitRow(fleet, row) ?? []);
  const named = units.flatMap(({ siteId }) => {
    const name = siteId === null ? undefined : sites?.names.get(siteId);
    return name === undefined ? [] : [[siteId, name] as const];
  });
  return {
    counts: countFleet(fleet),
    matched: matched.length,
    units,
    siteNames: Object.fromEntries(named),
    columns: view.columns,
  };
};
