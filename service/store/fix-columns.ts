import type { FixInput } from './inputs';

type Column = (number | null)[];

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

  return {
    push(vehicleId: number, receivedAt: number, fix: FixInput): void {
      vehicleIds.push(vehicleId);
      fixAtMs.push(fix.fixAtMs);
      receivedAtMs.push(receivedAt);
      lats.push(fix.lat);
      lngs.push(fix.lng);
      speeds.push(fix.speedKph);
      headings.push(fix.headingDeg);
      altitudes.push(fix.altitudeM);
      accuracies.push(fix.accuracyM);
      batteries.push(fix.batteryPercent);
    },
    count: (): number => vehicleIds.length,
    /** In the order of the parameters of STORE_FIXES. */
    values: (): Column[] => [
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
    ],
  };
};
