/** How much is measured: rates in fixes a second, durations in seconds. */
export interface Scale {
  vehicles: number;
  repetitions: number;
  /** Every vehicle every 10 s. */
  overlandRate: number;
  overlandS: number;
  osmandRate: number;
  osmandS: number;
  naiveS: number;
  /** As fast as it goes, both forms, both servers. */
  fullS: number;
  /** Ever higher rates of OsmAnd requests, until one is not held. */
  ladder: readonly number[];
  rungS: number;
  /** While the fleet is read. */
  whileReadS: number;
  readEveryMs: number;
  reads: number;
}

export const FULL_SCALE: Scale = {
  vehicles: 100_000,
  repetitions: 3,
  overlandRate: 10_000,
  overlandS: 60,
  osmandRate: 3_000,
  osmandS: 20,
  naiveS: 12,
  fullS: 6,
  ladder: [3_500, 4_000, 4_500, 5_000, 5_500, 6_000, 7_000, 8_000],
  rungS: 6,
  whileReadS: 30,
  readEveryMs: 5_000,
  reads: 15,
};

export const SMOKE_SCALE: Scale = {
  vehicles: 1_000,
  repetitions: 1,
  overlandRate: 1_000,
  overlandS: 2,
  osmandRate: 100,
  osmandS: 1,
  naiveS: 1,
  fullS: 0.5,
  ladder: [200],
  rungS: 0.5,
  whileReadS: 1,
  readEveryMs: 200,
  reads: 3,
};
