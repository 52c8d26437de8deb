import { isJsonObject } from '@/lib/tracking/json-object';
import { createUnitsParser } from '@/lib/tracking/units-parser';
import type { ParsedUnits } from '@/lib/tracking/units-parser';

/** The units of JSON that is already complete. Never throws. */
export const parseUnits = (json: unknown, usdot: string, nowMs: number): ParsedUnits => {
  const parser = createUnitsParser(usdot, () => nowMs);
  const list = isJsonObject(json) ? json.units : json;
  if (!Array.isArray(list)) return parser.end(json);
  parser.take(list);
  return parser.end(isJsonObject(json) ? { ...json, units: [] } : []);
};
