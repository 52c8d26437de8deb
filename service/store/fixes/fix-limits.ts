/** 9999-12-31T23:59:59.999Z: later times have no ISO 8601 form of four digits for the year. */
export const MAX_TIME_MS = 253_402_300_799_999;

/**
 * What a device on a road can measure, with room for one in an airplane. Each bound fits a `real` of PostgreSQL, which
 * refuses a whole statement for one number that it cannot hold.
 */
export const MAX_SPEED_KPH = 2_000;
export const MIN_ALTITUDE_M = -1_000;
export const MAX_ALTITUDE_M = 50_000;
/** Devices that are located by cell towers give radii of tens of kilometers. */
export const MAX_ACCURACY_M = 1_000_000;
export const FULL_BATTERY_PERCENT = 100;
