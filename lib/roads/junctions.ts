import { distanceM } from '@/lib/motion/distance';
import type { LatLng } from '@/lib/wire/units';
import { type Chain, crossChords, nearestOnChain, pointAt } from './chain';

/** Two roads that come closer than this are joined there. */
const JOIN_WITHIN_M = 8000;

/** Least distance between two junctions of the same roads, so that parallel roads are not joined at every waypoint. */
const JOIN_APART_M = 25_000;

/** A junction of two chains, as a position on each. */
export interface Junction {
  atFirst: number;
  atSecond: number;
}

interface Candidate extends Junction {
  gapM: number;
  point: LatLng;
}

const findCrossings = (first: Chain, second: Chain): Candidate[] => {
  const found: Candidate[] = [];
  for (let i = 0; i + 1 < first.length; i += 1) {
    for (let j = 0; j + 1 < second.length; j += 1) {
      const crossing = crossChords(first[i]!, first[i + 1]!, second[j]!, second[j + 1]!);
      if (!crossing) continue;
      const atFirst = i + crossing[0];
      found.push({ atFirst, atSecond: j + crossing[1], gapM: 0, point: pointAt(first, atFirst) });
    }
  }
  return found;
};

const findApproaches = (first: Chain, second: Chain): Candidate[] => [
  ...first.map((point, index) => {
    const { at, offM } = nearestOnChain(second, point, JOIN_WITHIN_M);
    return { atFirst: index, atSecond: at, gapM: offM, point };
  }),
  ...second.map((point, index) => {
    const { at, offM } = nearestOnChain(first, point, JOIN_WITHIN_M);
    return { atFirst: at, atSecond: index, gapM: offM, point };
  }),
];

/** The junctions of two chains: their crossings, then where they come within 8 km of each other, closest first. */
export const findJunctions = (first: Chain, second: Chain): Junction[] => {
  const candidates = [...findCrossings(first, second), ...findApproaches(first, second)]
    .filter(({ gapM }) => gapM <= JOIN_WITHIN_M)
    .sort((a, b) => a.gapM - b.gapM);
  const joined: Candidate[] = [];
  for (const candidate of candidates) {
    if (joined.every(({ point }) => distanceM(point, candidate.point) > JOIN_APART_M)) joined.push(candidate);
  }
  return joined.map(({ atFirst, atSecond }) => ({ atFirst, atSecond }));
};
