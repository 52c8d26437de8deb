/** 9999-12-31T23:59:59.999Z: later times have no ISO 8601 form of four digits for the year. */
export const MAX_TIME_MS = 253_402_300_799_999;
