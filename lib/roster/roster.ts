import { LEFT_REASONS } from '@/lib/motion/status';
import type { Fleet } from '@/lib/wire/fleet';
import type { UnitContact } from '../view/marks';
import { createMatcher, toTextMatcher, type SiteNames } from '../view/search';
import { readTruckOrder } from '../view/sort';
import { reasonOf, readUnitRow, type UnitRow } from '../view/unit-row';
import { list, number, object, text, type ShapeOf } from '@/lib/base/shape';
import { toCsvFile, type Cell } from '@/lib/base/text/csv';
import { toContactCells } from '../contacts/text';
import { CONTACT_COLUMNS } from '@/lib/table-files/contact-columns';

/** A line of the roster page: a VIN of the roster, or a unit that reports without being on it. */
export interface RosterLine {
  /** The VIN, or the unit's key if it has no VIN. */
  key: string;
  vin: string | null;
  /** Row of the unit in the fleet; null if the live feed does not contain this VIN. */
  row: number | null;
  state: RosterState;
}

/** active: in the latest list of units; silent: on the roster but not in that list; unrostered: the reverse. */
export type RosterState = 'active' | 'silent' | 'unrostered';

/** Every VIN of the roster in the provider's order, then the units that are not on it. */
export const toRosterLines = (vins: readonly string[], fleet: Fleet): RosterLine[] => {
  const rowOfVin = new Map<string, number>();
  for (let row = 0; row < fleet.rows; row++) {
    const vin = fleet.identities[row]?.vin;
    if (vin) rowOfVin.set(vin, row);
  }
  const onRoster = new Set(vins);
  const lines: RosterLine[] = vins.map((vin) => {
    const row = rowOfVin.get(vin) ?? null;
    return {
      key: vin,
      vin,
      row,
      state: row === null || LEFT_REASONS.has(reasonOf(fleet, row)) ? 'silent' : 'active',
    };
  });
  for (let row = 0; row < fleet.rows; row++) {
    const identity = fleet.identities[row];
    if (!identity || (identity.vin !== null && onRoster.has(identity.vin))) continue;
    lines.push({ key: identity.key, vin: identity.vin, row, state: 'unrostered' });
  }
  return lines;
};

export const countRosterStates = (lines: readonly RosterLine[]): Record<RosterState, number> => {
  const counts: Record<RosterState, number> = { active: 0, silent: 0, unrostered: 0 };
  for (const line of lines) counts[line.state] += 1;
  return counts;
};

type ContactOf = (unit: string) => UnitContact | null;

/** The lines that match a search; a VIN without a unit matches by its letters and its contacts only. */
export const matchRosterLines = (
  fleet: Fleet,
  lines: readonly RosterLine[],
  query: string,
  sites: SiteNames | null = null,
  contactOf: ContactOf = () => null,
): RosterLine[] => {
  const matches = createMatcher(fleet, query, sites);
  if (matches === null) return [...lines];
  const hasWords = toTextMatcher(query);
  return lines.filter((line) =>
    line.row === null ? hasWords([line.key, ...Object.values(contactOf(line.key) ?? {})]) : matches(line.row),
  );
};

export interface RosterOrder {
  by: 'truck' | 'vin' | 'state' | 'fix';
  isDescending: boolean;
}

/** Lines that need attention sort first. */
const STATE_RANK: Record<RosterState, number> = { unrostered: 0, silent: 1, active: 2 };

/** Sorted lines; ties are sorted by truck number, lines without a unit last. */
export const sortRosterLines = (
  fleet: Fleet,
  lines: readonly RosterLine[],
  order: RosterOrder,
): RosterLine[] => {
  const { rankOf } = readTruckOrder(fleet);
  const rank = (line: RosterLine): number => (line.row === null ? Infinity : rankOf[line.row]!);
  const byTruck = (a: RosterLine, b: RosterLine): number =>
    rank(a) === rank(b) ? (a.key < b.key ? -1 : 1) : rank(a) - rank(b);
  const fixAtS = (line: RosterLine): number =>
    line.row === null ? 0 : (fleet.columns.fixAtS[line.row] ?? 0);
  const compare: Record<RosterOrder['by'], (a: RosterLine, b: RosterLine) => number> = {
    truck: byTruck,
    vin: (a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1),
    state: (a, b) => STATE_RANK[a.state] - STATE_RANK[b.state],
    fix: (a, b) => fixAtS(b) - fixAtS(a),
  };
  const by = compare[order.by];
  const sign = order.isDescending ? -1 : 1;
  return lines.toSorted((a, b) => sign * by(a, b) || byTruck(a, b));
};

/** GET /api/fleets/:usdot/roster: the VINs that belong to the USDOT number, in the provider's order. */
export const rosterSchema = object({ usdot: text, vins: list(text), fetchedAtMs: number });
export type Roster = ShapeOf<typeof rosterSchema>;

/** The columns of the file that are of a unit: the name of each, and its value for a line and its unit. */
const COLUMNS: readonly [name: string, value: (line: RosterLine, unit: UnitRow | null) => Cell][] = [
  ['vin', ({ vin }) => vin],
  ['state', ({ state }) => state],
  ['status', (_, unit) => unit?.status ?? 'silent'],
  ['truck_number', (_, unit) => unit?.identity.truckNumber],
  ['year', (_, unit) => unit?.identity.year],
  ['make', (_, unit) => unit?.identity.make],
  ['model', (_, unit) => unit?.identity.model],
  ['plate_state', (_, unit) => unit?.identity.plateState],
  ['plate_number', (_, unit) => unit?.identity.plateNumber],
  ['device_id', (_, unit) => unit?.identity.deviceId],
  ['last_fix', (_, unit) => (unit?.fixAtMs == null ? null : new Date(unit.fixAtMs).toISOString())],
  ['lat', (_, unit) => (unit?.position == null ? null : Number(unit.position.lat.toFixed(5)))],
  ['lng', (_, unit) => (unit?.position == null ? null : Number(unit.position.lng.toFixed(5)))],
];

/** Lines of the roster as CSV (RFC 4180): times in ISO 8601, degrees in WGS 84, empty fields for unknown values. */
export const toRosterCsv = (
  fleet: Fleet,
  lines: readonly RosterLine[],
  contactOf: ContactOf = () => null,
): string =>
  toCsvFile([
    [...COLUMNS.map(([name]) => name), ...Object.values(CONTACT_COLUMNS)],
    ...lines.map((line) => {
      const unit = line.row === null ? null : readUnitRow(fleet, line.row);
      return [...COLUMNS.map(([, value]) => value(line, unit)), ...toContactCells(contactOf(line.key))];
    }),
  ]);
