import type { FixInput } from '../inputs';

type Column = (number | string)[];

const orNull = (value: number | null): number | string => value ?? 'NULL';

/** As PostgreSQL writes an array: the driver would take each number apart and quote it. */
const toArrayText = (column: Column): string => `{${column.join(',')}}`;

/** Fixes column by column, as unnest() wants them: one parameter a column, however many rows. */
export const createFixColumns = () => {
  const vehicleIds: Column = [];
  const fixAtMs: Column = [];
  const receivedAtMs: Column = [];
  const lats: Column = [];
  const lngs: Column = [];
  const speeds: Column = [];
  const headings: Column = [];
  const altitudes: Column = [];
  const accuracies: Column = [];
  const batteries: Column = [];
  // In the order of the parameters of STORE_FIXES.
  const columns = [
    vehicleIds,
    fixAtMs,
    receivedAtMs,
    lats,
    lngs,
    speeds,
    headings,
    altitudes,
    accuracies,
    batteries,
  ];

  return {
    push(vehicleId: number, receivedAt: number, fix: FixInput): void {
      vehicleIds.push(vehicleId);
      fixAtMs.push(fix.fixAtMs);
      receivedAtMs.push(receivedAt);
      lats.push(fix.lat);
      lngs.push(fix.lng);
      speeds.push(orNull(fix.speedKph));
      headings.push(orNull(fix.headingDeg));
      altitudes.push(orNull(fix.altitudeM));
      accuracies.push(orNull(fix.accuracyM));
      batteries.push(orNull(fix.batteryPercent));
    },
    count: (): number => vehicleIds.length,
    values: (): string[] => columns.map(toArrayText),
  };
};
