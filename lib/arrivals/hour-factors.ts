import type { Way } from './drives';

/** Slower roads are streets, which have hours of their own. */
const STREET_M_PER_MS = 50 / 3600;
const MOST_HOURLY = 2000;
/** Steps that were driven at an hour, for which no difference is assumed. */
const FEW_HOURLY = 50;

/** How many times as long as usual streets and other roads take, by the hour of the day. */
export class HourFactors {
  readonly #counts: readonly Float64Array[];
  readonly #ratios: readonly Float64Array[];

  constructor(packed = new Float64Array(4 * 24)) {
    const [streets, roads, ofStreets, ofRoads] = [0, 1, 2, 3].map((i) => packed.slice(i * 24, i * 24 + 24));
    this.#counts = [streets!, roads!];
    this.#ratios = [ofStreets!, ofRoads!];
  }

  pack(): Float64Array {
    return Float64Array.from([...this.#counts, ...this.#ratios].flatMap((values) => [...values]));
  }

  add(hour: number, meters: number, tookMs: number, usualMs: number): void {
    const kind = meters / usualMs < STREET_M_PER_MS ? 0 : 1;
    const [counts, ratios] = [this.#counts[kind]!, this.#ratios[kind]!];
    const ratio = Math.min(4, Math.max(0.25, tookMs / usualMs));
    counts[hour] = Math.min(MOST_HOURLY, counts[hour]! + 1);
    ratios[hour]! += (ratio - ratios[hour]!) / counts[hour]!;
  }

  /** The factor for a drive, from its usual speed and its hour. */
  at(hour: number, { distM, driveMs }: Way): number {
    const kind = distM / driveMs < STREET_M_PER_MS ? 0 : 1;
    const count = this.#counts[kind]![hour]!;
    return (this.#ratios[kind]![hour]! * count + FEW_HOURLY) / (count + FEW_HOURLY);
  }
}
