import type { Fix } from '@/lib/motion/track';
import { createRandom, START_MS } from './fixes';

/** Meters east and north of the tests' origin, and seconds after their start. */
export interface Moment {
  atS: number;
  eastM: number;
  northM: number;
}

const M_PER_DEGREE = 111_195.08;
const ORIGIN = { lat: 35.00417, lng: -101.00437 };

export const toFix = ({ atS, eastM, northM }: Moment): Fix => ({
  lat: ORIGIN.lat + northM / M_PER_DEGREE,
  lng: ORIGIN.lng + eastM / M_PER_DEGREE / Math.cos((ORIGIN.lat * Math.PI) / 180),
  fixAtMs: START_MS + atS * 1000,
});

/** A receiver in the open is off by so much, m (standard deviation on each axis). */
const OPEN_M = 2.5;

/** Normally distributed numbers with mean 0 and deviation 1 (Box and Muller). */
export const createNormal = (seed: number): (() => number) => {
  const random = createRandom(seed);
  for (let i = 0; i < 8; i++) random();
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
};

/** A place as a receiver in the open gives it. */
export const seenInTheOpen = (moments: readonly Moment[], seed = 1, offM = OPEN_M): Moment[] => {
  const normal = createNormal(seed);
  return moments.map(({ atS, eastM, northM }) => ({
    atS,
    eastM: eastM + offM * normal(),
    northM: northM + offM * normal(),
  }));
};

const times = (fromS: number, forS: number, everyS: number): number[] =>
  Array.from({ length: Math.floor(forS / everyS) }, (_, i) => fromS + i * everyS);

interface Pace {
  fromS: number;
  forS: number;
  everyS: number;
}

/** Where a truck is after so many meters of its work. */
export type Route = (alongM: number) => Pick<Moment, 'eastM' | 'northM'>;

/** A way through a grid of streets within a box of `sideM`: at each corner it goes on in any direction but back. */
export const throughStreets = (sideM: number, seed: number): Route => {
  const random = createRandom(seed);
  for (let i = 0; i < 8; i++) random();
  const streets = Math.max(1, Math.round(sideM / Math.max(40, sideM / 3)));
  const cellM = sideM / streets;
  const corners = [{ eastM: 0, northM: 0 }];
  let [x, y, heading] = [0, 0, 0];
  while (corners.length < 1000) {
    const turns = [0, 1, 3].map((turn) => {
      const next = (heading + turn) % 4;
      return { next, x: x + [0, 1, 0, -1][next]!, y: y + [1, 0, -1, 0][next]! };
    });
    const open = turns.filter((to) => Math.min(to.x, to.y) >= 0 && Math.max(to.x, to.y) <= streets);
    ({ x, y, next: heading } = open[Math.floor(random() * open.length)]!);
    corners.push({ eastM: x * cellM, northM: y * cellM });
  }
  return (alongM) => {
    const [from, to] = [corners[Math.floor(alongM / cellM)]!, corners[Math.floor(alongM / cellM) + 1]!];
    const done = (alongM / cellM) % 1;
    return {
      eastM: from.eastM + done * (to.eastM - from.eastM),
      northM: from.northM + done * (to.northM - from.northM),
    };
  };
};

/** At `kph` along a route, with a rest of `restS` after each `moveM`. */
export const workAlong = (
  route: Route,
  kph: number,
  [moveM, restS]: readonly [number, number],
  { fromS, forS, everyS }: Pace,
): Moment[] => {
  const moveS = (moveM / kph) * 3.6;
  return times(fromS, forS, everyS).map((atS) => {
    const moves = moveM === Infinity ? 0 : Math.floor((atS - fromS) / (moveS + restS));
    const sinceS = atS - fromS - moves * (moveM === Infinity ? 0 : moveS + restS);
    const alongM = (moves === 0 ? 0 : moves * moveM) + Math.min(moveM, (sinceS * kph) / 3.6);
    return { atS, ...route(alongM) };
  });
};

/** A square block of `sideM`. */
export const blockOf =
  (sideM: number): Route =>
  (alongM) => {
    const [side, doneM] = [Math.floor(alongM / sideM) % 4, alongM % sideM];
    const [eastM, northM] = [
      [0, doneM],
      [doneM, sideM],
      [sideM, sideM - doneM],
      [sideM - doneM, 0],
    ][side] as [number, number];
    return { eastM, northM };
  };

/** A yard of `lengthM`, back and forth. */
export const yardOf =
  (lengthM: number): Route =>
  (alongM) => {
    const doneM = alongM % (2 * lengthM);
    return { eastM: Math.min(doneM, 2 * lengthM - doneM), northM: 0 };
  };

export const WITHOUT_REST = [Infinity, 0] as const;

/** Around a square block of `sideM`. */
export const aroundBlock = (sideM: number, kph: number, pace: Pace): Moment[] =>
  workAlong(blockOf(sideM), kph, WITHOUT_REST, pace);

/** Back and forth over `lengthM`, with a pause at either end. */
export const backAndForth = (lengthM: number, kph: number, pauseS: number, pace: Pace): Moment[] =>
  workAlong(yardOf(lengthM), kph, [lengthM, pauseS], pace);

/** In one place. */
export const parkedAt = (eastM: number, northM: number, { fromS, forS, everyS }: Pace): Moment[] =>
  times(fromS, forS, everyS).map((atS) => ({ atS, eastM, northM }));

/** A straight drive to the origin from the south, which ends at `untilS`. */
export const driveUp = (kph: number, forS: number, everyS: number, untilS: number): Moment[] =>
  times(untilS - forS, forS, everyS).map((atS) => ({
    atS,
    eastM: 0,
    northM: ((atS - untilS) * kph) / 3.6,
  }));

/** How a parked receiver wanders: each fix for itself, slowly, or in jumps that last for some fixes. */
export type Wander = 'scatter' | 'walk' | 'jumps';

/** Parked, off by up to `byM`. */
export const wandering = (kind: Wander, byM: number, pace: Pace, seed = 1): Moment[] => {
  const random = createRandom(seed);
  for (let i = 0; i < 8; i++) random();
  const normal = createNormal(seed + 1);
  let [x, y, left] = [0, 0, 0];
  const within = (m: number): number => Math.max(-byM, Math.min(byM, m));
  return times(pace.fromS, pace.forS, pace.everyS).map((atS) => {
    if (kind === 'scatter') {
      const [far, turn] = [byM * Math.sqrt(random()), 2 * Math.PI * random()];
      return { atS, eastM: far * Math.cos(turn), northM: far * Math.sin(turn) };
    }
    if (kind === 'walk') {
      // Half a meter a second on either axis, drawn back to the place.
      const stepM = 0.5 * Math.sqrt(pace.everyS) * 1.5;
      [x, y] = [within(0.98 * x + stepM * normal()), within(0.98 * y + stepM * normal())];
      return { atS, eastM: x, northM: y };
    }
    if (left-- <= 0) {
      const turn = 2 * Math.PI * random();
      const isOff = random() < 0.15;
      [x, y] = isOff ? [byM * Math.cos(turn), byM * Math.sin(turn)] : [0, 0];
      left = isOff ? Math.floor(random() * 6) : 3;
    }
    return { atS, eastM: x + 3 * normal(), northM: y + 3 * normal() };
  });
};
