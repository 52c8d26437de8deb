import { clockOf } from '@/testing/clock';
import { isJsonObject } from '@/lib/tracking/schema';
import { createUnitsParser } from '@/lib/tracking/units-parser';

/** The units of JSON that is already complete. Never throws. */
export const parseUnits = (json: unknown, usdot: string, nowMs: number) => {
  const parser = createUnitsParser(
    usdot,
    clockOf(() => nowMs),
  );
  const list = isJsonObject(json) ? json.units : json;
  if (!Array.isArray(list)) return parser.end(json);
  parser.take(list);
  return parser.end(isJsonObject(json) ? { ...json, units: [] } : []);
};
