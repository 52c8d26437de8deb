import type { Browser } from '@playwright/test';
import { median } from '../support/statistics';
import type { Fixture } from './fixture';
import type { MainThreadCost } from './main-thread';
import type { MovingFleet } from './moving-fleet';
import { PAGE_NAMES, type PageName } from './page-files';
import { DidNotFinishError, measureAlone, measureLayer, type DrawnAlone, type LayerFacts } from './peers';
import type { Device, Plan } from './plan';
import {
  measureDay,
  measureHeap,
  measureKeystrokes,
  measureMotions,
  measurePoll,
  openFleet,
  type Day,
  type MotionFrames,
} from './product';

/** One motion at one size and zoom, in one pass. */
export interface MotionSample extends MotionFrames {
  units: number;
  zoom: number;
  device: Device;
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
  fixture: Fixture,
  { polls, warmPolls }: Plan,
): Promise<Pick<SizeFacts, 'polls' | 'keystrokesMs' | 'pageHeapMib'>> => {
  const costs: MainThreadCost[] = [];
  const moving = await openFleet(browser, fixture);
  // The first polls of a page compile what those of the rest of its day run.
  for (let i = 0; i < warmPolls; i++) await measurePoll(browser, moving.page, fixture);
  for (let i = 0; i < polls; i++) costs.push(await measurePoll(browser, moving.page, fixture));
  await moving.close();
  // Without glides: a map that redraws by itself could be taken for one that answers.
  const still = await openFleet(browser, fixture, { isStill: true });
  const keystrokesMs = await measureKeystrokes(still.page, [...KEYS, ...KEYS]);
  await still.close();
  return { polls: costs, keystrokesMs, pageHeapMib: await measureHeap(browser, fixture) };
};

const measurePeers = async (
  browser: Browser,
  fixture: Fixture,
  plan: Plan,
  tooSlow: Map<PageName, string>,
): Promise<SizeFacts['alone']> => {
  const alone: SizeFacts['alone'] = new Map();
  for (const name of PAGE_NAMES) {
    const reason = tooSlow.get(name);
    if (reason !== undefined) {
      alone.set(name, reason);
      continue;
    }
    try {
      alone.set(name, await measureAlone(browser, fixture, name, plan.alonePolls, plan.peerWithinMs));
    } catch (error) {
      if (!(error instanceof DidNotFinishError)) throw error;
      alone.set(name, `did not finish ${error.message}`);
      tooSlow.set(name, 'did not finish with fewer units');
    }
    say(`  ${name}`);
  }
  return alone;
};

export type Setting = Pick<MotionSample, 'units' | 'zoom' | 'device'>;

/** What every motion is measured with. */
export const toSettings = ({ sizes, zooms, devices }: Plan): Setting[] =>
  devices.flatMap((device) => sizes.flatMap((units) => zooms.map((zoom) => ({ units, zoom, device }))));

/** The motions of all settings, pass after pass, so that a bad minute of the machine hits all alike. */
export const measureAllMotions = async (
  browser: Browser,
  fixture: Fixture,
  fleet: MovingFleet,
  plan: Plan,
): Promise<MotionSample[]> => {
  const samples: MotionSample[] = [];
  for (let pass = 0; pass < plan.motionPasses; pass++) {
    for (const { units, zoom, device } of toSettings(plan)) {
      if (pass > 0 && performance.now() > plan.motionsWithinMs) break;
      fixture.show(fleet.first(units));
      const frames = await measureMotions(browser, fixture, zoom, device);
      samples.push(...frames.map((motion) => ({ units, zoom, device, ...motion })));
    }
    say(`  pass ${pass + 1}`);
  }
  return samples;
};

export const measureAll = async (
  browser: Browser,
  fixture: Fixture,
  fleet: MovingFleet,
  plan: Plan,
): Promise<Measured> => {
  const sizes: SizeFacts[] = [];
  const tooSlow = new Map<PageName, string>();
  for (const units of plan.sizes) {
    say(`${units} units`);
    fixture.show(fleet.first(units));
    const product = await measureProduct(browser, fixture, plan);
    const layer = await measureLayer(browser, fixture, plan.zooms, plan.repetitions);
    sizes.push({ units, ...product, layer, alone: await measurePeers(browser, fixture, plan, tooSlow) });
  }
  say('motions');
  const motions = await measureAllMotions(browser, fixture, fleet, plan);
  say('a day');
  fixture.show(fleet.first(plan.dayUnits));
  const withinMs = plan.withinMs - performance.now();
  const day = await measureDay(browser, fixture, { polls: plan.dayPolls, withinMs });
  return { motions, sizes, day };
};

/** What the map is held to: the length of a frame at 60 Hz, and what one canvas draws in it. */
export const FRAME_MS = 17;
export const MOST_SPRITES = 2000;

export const toCount = (units: number): string => units.toLocaleString('en-US');

export const samplesAt = (samples: readonly MotionSample[], { units, zoom, device }: Setting) =>
  samples.filter(
    (sample) => sample.units === units && sample.zoom === zoom && sample.device.name === device.name,
  );

/** The longest block of a poll, ms of processor. */
export const longestOf = (drawn: DrawnAlone): number =>
  median(drawn.polls.map(({ longestCpuMs }) => longestCpuMs));
