import { median } from '../support/statistics';
import type { MotionSample } from './measure-all';
import type { DrawnAlone } from './peers';

/** What the map is held to: the length of a frame at 60 Hz, and what one canvas draws in it. */
export const FRAME_MS = 17;
export const MOST_SPRITES = 2000;

export const toCount = (units: number): string => units.toLocaleString('en-US');

export const samplesAt = (samples: readonly MotionSample[], units: number, zoom: number, ratio: number) =>
  samples.filter((sample) => sample.units === units && sample.zoom === zoom && sample.ratio === ratio);

/** The longest block of a poll, ms of processor. */
export const longestOf = (drawn: DrawnAlone): number =>
  median(drawn.polls.map(({ longestCpuMs }) => longestCpuMs));
