import type { Fleet } from '@/lib/wire/fleet';
import { toCsv } from '../view/csv';
import type { RosterLine } from './roster';
import { readUnitRow } from '../view/unit-row';

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

/** Lines of the roster as CSV (RFC 4180): times in ISO 8601, degrees in WGS 84, empty fields for unknown values. */
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
    ];
  });
  return toCsv([HEADER, ...rows]);
};
