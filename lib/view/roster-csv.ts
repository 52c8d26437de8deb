import type { Fleet } from '@/lib/wire/fleet';
import type { RosterLine } from './roster';
import { readUnitRow } from './unit-row';

const HEADER = [
  'vin',
  'state',
  'status',
  'truck_number',
  'year',
  'make',
  'model',
  'plate_state',
  'plate_number',
  'device_id',
  'last_fix',
  'lat',
  'lng',
];

/** Quoted as RFC 4180 wants it; a leading sign that a spreadsheet would take for a formula is disarmed. */
const toCell = (value: string | number | null | undefined): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Lines of the roster as CSV (RFC 4180): times in ISO 8601, degrees in WGS 84, empty where nothing is known. */
export const toRosterCsv = (fleet: Fleet, lines: readonly RosterLine[]): string => {
  const rows = lines.map((line) => {
    const unit = line.row === null ? null : readUnitRow(fleet, line.row);
    const identity = unit?.identity;
    return [
      line.vin,
      line.state,
      unit?.status ?? 'silent',
      identity?.truckNumber,
      identity?.year,
      identity?.make,
      identity?.model,
      identity?.plateState,
      identity?.plateNumber,
      identity?.deviceId,
      unit?.fixAtMs == null ? null : new Date(unit.fixAtMs).toISOString(),
      unit?.position == null ? null : Number(unit.position.lat.toFixed(5)),
      unit?.position == null ? null : Number(unit.position.lng.toFixed(5)),
    ].map(toCell);
  });
  return [HEADER, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
};
