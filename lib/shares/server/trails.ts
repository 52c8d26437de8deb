import 'server-only';
import type { HistoryReader } from '@/lib/past/server/history-reader';
import type { TrailFix } from '@/lib/past/schema';
import { distanceM } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { DAY_MS, MINUTE_MS, type TimeRange } from '@/lib/base/time';

/** A trail is read from so long ago at most. */
const LONGEST_MS = 7 * DAY_MS;
/** It is read as a whole so often, and in between what is new: fixes may become known late. */
const WHOLE_EVERY_MS = 10 * MINUTE_MS;
const MOST_POINTS = 300;
const LEAST_APART_M = 50;

/** When a truck counted: Unix ms. */
export interface TrailPart extends TimeRange {
  unit: string;
}

/** Points of a trail so far apart that it has no more than MOST_POINTS, with its ends. */
export const thinTrail = (points: readonly LatLng[]): LatLng[] => {
  let lengthM = 0;
  for (let i = 1; i < points.length; i++) lengthM += distanceM(points[i - 1]!, points[i]!);
  const apartM = Math.max(LEAST_APART_M, lengthM / (MOST_POINTS - 2));
  const kept: LatLng[] = [];
  for (const [i, { lat, lng }] of points.entries())
    if (i === 0 || i === points.length - 1 || distanceM(kept.at(-1)!, { lat, lng }) >= apartM)
      kept.push({ lat, lng });
  return kept;
};

/** The trails of one link's items as they were read last. */
export class Trails {
  readonly #history: Pick<HistoryReader, 'readTrail'>;
  readonly #read = new Map<string, { atMs: number; throughMs: number; fixes: TrailFix[] }>();

  constructor(history: Pick<HistoryReader, 'readTrail'>) {
    this.#history = history;
  }

  /** The fixes of trucks while they counted, up to a moment, Unix ms. */
  async read(usdot: string, parts: readonly TrailPart[], untilMs: number, nowMs: number): Promise<LatLng[]> {
    const points: LatLng[] = [];
    for (const { unit, fromMs, toMs } of parts) {
      const lastMs = Math.min(toMs, untilMs + 1);
      const firstMs = Math.max(fromMs, untilMs - LONGEST_MS);
      if (lastMs <= firstMs) continue;
      const key = `${unit} ${fromMs}`;
      const held = this.#read.get(key);
      const isKept = held !== undefined && nowMs - held.atMs < WHOLE_EVERY_MS && held.throughMs <= lastMs;
      const read = await this.#history.readTrail(usdot, unit, isKept ? held.throughMs : firstMs, lastMs);
      const fixes = isKept ? [...held.fixes, ...read] : read;
      this.#read.set(key, { atMs: isKept ? held.atMs : nowMs, throughMs: lastMs, fixes });
      points.push(...fixes.filter(({ isByReceipt }) => !isByReceipt));
    }
    return thinTrail(points);
  }
}
