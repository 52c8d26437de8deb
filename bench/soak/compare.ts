import type { LiveReading } from '@/lib/live/live-reader';
import { DEGREES_PER_E5 } from '@/lib/geo/units';

/** Where a unit truly is, degrees, and since when, Unix milliseconds. */
export interface Truth {
  vin: string;
  lat: number;
  lng: number;
  fixAtMs: number;
}

export interface Verdict {
  /** Units whose place and time are the truth's in every viewer. */
  right: number;
  /** Units that some viewer has and the truth has not. */
  unknownUnits: number;
  /** The first difference, in words; null where there is none. */
  example: string | null;
}

const toE5 = (degrees: number): number => Math.round(degrees / DEGREES_PER_E5);

/** Compares what viewers have with the truth, to the meter and the second of the wire format. */
export const compareWithTruth = (readings: readonly LiveReading[], truth: readonly Truth[]): Verdict => {
  const expected = new Map(
    truth.map(({ vin, lat, lng, fixAtMs }) => [
      vin,
      `${toE5(lat)} ${toE5(lng)} ${Math.floor(fixAtMs / 1000)}`,
    ]),
  );
  const wrong = new Set<string>();
  const unknownUnits = new Set<string>();
  let example: string | null = null;
  for (const { fleet } of readings) {
    const seen = new Map<string, string>();
    fleet?.identities.forEach((identity, row) => {
      if (identity === null) return;
      const { latE5, lngE5, fixAtS } = fleet.columns;
      seen.set(identity.key, `${latE5[row]} ${lngE5[row]} ${fixAtS[row]}`);
      if (!expected.has(identity.key)) unknownUnits.add(identity.key);
    });
    for (const [vin, place] of expected) {
      if (seen.get(vin) === place) continue;
      wrong.add(vin);
      example ??= `${vin}: got ${seen.get(vin) ?? 'nothing'} when ${place} is expected`;
    }
  }
  return { right: truth.length - wrong.size, unknownUnits: unknownUnits.size, example };
};
