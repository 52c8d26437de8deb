import type { Browser } from '@playwright/test';
import { PAGE_NAMES } from './page-files';
import type { PageName } from './page-files';
import { DidNotFinishError, measureAlone, measureLayer } from './peers';
import type { DrawnAlone, LayerFacts } from './peers';
import {
  measureDay,
  measureHeap,
  measureKeystrokes,
  measureMotions,
  measurePoll,
  openFleet,
} from './product';
import type { MainThreadCost } from './main-thread';
import type { Day, MotionFrames } from './product';
import type { MovingFleet } from './moving-fleet';
import type { Plan } from './plan';
import type { Stage } from './stage';

/** One motion at one size and zoom, in one pass. */
export interface MotionSample extends MotionFrames {
  units: number;
  zoom: number;
  ratio: number;
}

export interface SizeFacts {
  units: number;
  polls: MainThreadCost[];
  keystrokesMs: number[];
  pageHeapMib: number;
  layer: LayerFacts;
  /** By peer; a text where it did not finish, saying what. */
  alone: Map<PageName, DrawnAlone | string>;
}

export interface Measured {
  motions: MotionSample[];
  sizes: SizeFacts[];
  day: Day;
}

/** Digits that many truck numbers have, typed and taken back. */
const KEYS = ['4', '2', '7', 'Backspace', 'Backspace', 'Backspace'];

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const measureProduct = async (
  browser: Browser,
  stage: Stage,
  { polls, warmPolls }: Plan,
): Promise<Pick<SizeFacts, 'polls' | 'keystrokesMs' | 'pageHeapMib'>> => {
  const costs: MainThreadCost[] = [];
  const moving = await openFleet(browser, stage);
  // The first polls of a page compile what those of the rest of its day run.
  for (let i = 0; i < warmPolls; i++) await measurePoll(browser, moving.page, stage);
  for (let i = 0; i < polls; i++) costs.push(await measurePoll(browser, moving.page, stage));
  await moving.close();
  // Without glides: a map that redraws by itself could be taken for one that answers.
  const still = await openFleet(browser, stage, { isStill: true });
  const keystrokesMs = await measureKeystrokes(still.page, [...KEYS, ...KEYS]);
  await still.close();
  return { polls: costs, keystrokesMs, pageHeapMib: await measureHeap(browser, stage) };
};

const measurePeers = async (
  browser: Browser,
  stage: Stage,
  plan: Plan,
  tooSlow: Map<PageName, string>,
): Promise<SizeFacts['alone']> => {
  const alone: SizeFacts['alone'] = new Map();
  for (const name of PAGE_NAMES) {
    const words = tooSlow.get(name);
    if (words !== undefined) {
      alone.set(name, words);
      continue;
    }
    try {
      alone.set(name, await measureAlone(browser, stage, name, plan.alonePolls, plan.peerWithinMs));
    } catch (error) {
      if (!(error instanceof DidNotFinishError)) throw error;
      alone.set(name, `did not finish ${error.message}`);
      tooSlow.set(name, 'did not finish with fewer units');
    }
    say(`  ${name}`);
  }
  return alone;
};

/** The motions of all sizes and zooms, pass after pass, so that a bad minute of the machine hits all alike. */
const measureAllMotions = async (
  browser: Browser,
  stage: Stage,
  fleet: MovingFleet,
  plan: Plan,
): Promise<MotionSample[]> => {
  const samples: MotionSample[] = [];
  const measure = async (units: number, zoom: number, ratio: number): Promise<void> => {
    const frames = await measureMotions(browser, stage, zoom, ratio);
    samples.push(...frames.map((motion) => ({ units, zoom, ratio, ...motion })));
  };
  for (let pass = 0; pass < plan.motionPasses; pass++) {
    const isTime = () => pass === 0 || performance.now() < plan.motionsWithinMs;
    for (const units of plan.sizes) {
      stage.show(fleet.first(units));
      for (const zoom of plan.zooms) if (isTime()) await measure(units, zoom, 1);
    }
    for (const zoom of plan.zooms) if (isTime()) await measure(plan.sizes.at(-1)!, zoom, 2);
    say(`  pass ${pass + 1}`);
  }
  return samples;
};

export const measureAll = async (
  browser: Browser,
  stage: Stage,
  fleet: MovingFleet,
  plan: Plan,
): Promise<Measured> => {
  const sizes: SizeFacts[] = [];
  const tooSlow = new Map<PageName, string>();
  for (const units of plan.sizes) {
    say(`${units} units`);
    stage.show(fleet.first(units));
    const product = await measureProduct(browser, stage, plan);
    const layer = await measureLayer(browser, stage, plan.zooms, plan.repetitions);
    sizes.push({ units, ...product, layer, alone: await measurePeers(browser, stage, plan, tooSlow) });
  }
  say('motions');
  const motions = await measureAllMotions(browser, stage, fleet, plan);
  say('a day');
  stage.show(fleet.first(plan.dayUnits));
  const withinMs = plan.withinMs - performance.now();
  const day = await measureDay(browser, stage, { polls: plan.dayPolls, withinMs });
  return { motions, sizes, day };
};
