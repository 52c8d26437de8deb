import { atLeast, atMost, toSection, type Figure, type Section } from '../support/report';
import { median, percentile } from '../support/statistics';
import {
  FRAME_MS,
  MOST_SPRITES,
  longestOf,
  samplesAt,
  toCount,
  toSettings,
  type Measured,
  type MotionSample,
  type SizeFacts,
} from './measure-all';
import type { DrawnAlone } from './peers';
import type { Device, Plan } from './plan';
import { MOTIONS, type Day, type Motion } from './product';

/** A motion meets its target on a device when it does at every size and zoom. */
const toMotionFigure = (
  motion: Motion,
  motions: readonly MotionSample[],
  device: Device,
  plan: Plan,
): Figure => {
  const medians = toSettings(plan)
    .filter((setting) => setting.device === device)
    .map((setting) => samplesAt(motions, setting))
    .map((here) => here.filter((sample) => sample.motion === motion).map(({ p95Ms }) => p95Ms))
    .filter((p95s) => p95s.length > 0)
    .map(median);
  const kept = medians.filter((p95Ms) => p95Ms <= FRAME_MS).length;
  return {
    what: `frame time p95, ${motion}, ${device.name}`,
    measured:
      medians.length === 0
        ? 'no time was left'
        : `${median(medians).toFixed(1)} ms, worst ${Math.max(...medians).toFixed(1)} ms; kept in ${kept} of ${medians.length} settings`,
    target: `at most ${FRAME_MS} ms`,
    isMet: medians.length === 0 ? null : kept === medians.length,
  };
};

/** A day that was not polled to its end misses its target. */
const toGrowth = (day: Day, plan: Plan): Figure => {
  const growth = atMost(
    `growth of a page over ${toCount(day.polls)} of ${toCount(plan.dayPolls)} polls, ${toCount(plan.dayUnits)} units, from ${day.earlyMib.toFixed(1)} MiB`,
    100 * (day.lateMib / day.earlyMib - 1),
    10,
    '%',
  );
  return { ...growth, isMet: growth.isMet === true && day.polls >= plan.dayPolls };
};

/** What a reader of the map relies on, over every frame that was looked at. */
const toDeclutterFigures = (sizes: readonly SizeFacts[]): Figure[] => {
  const checks = sizes.flatMap(({ layer }) => layer.declutter.map(({ check }) => check));
  const sum = (count: (check: (typeof checks)[number]) => number) =>
    checks.reduce((total, check) => total + count(check), 0);
  const none = (what: string, count: number) => atMost(what, count, 0, '', 0);
  const stayed = Math.max(
    1,
    sum((check) => check.stayed),
  );
  const vanishedPercent = (100 * sum(({ vanished }) => vanished)) / stayed;
  const statelessPercent =
    (100 * sum(({ vanishedStateless: vanishedForgetful }) => vanishedForgetful)) / stayed;
  return [
    none(
      'flagged units in view that no glyph tells of',
      sum(({ hiddenFlagged }) => hiddenFlagged),
    ),
    none(
      'frames without the selected unit',
      sum(({ isSelectedHidden }) => Number(isSelectedHidden)),
    ),
    none(
      'frames whose counts do not add up',
      sum((check) => Number(check.unitsInView !== check.unitsCounted)),
    ),
    {
      what: 'glyphs that vanish from poll to poll without having moved',
      measured: `${vanishedPercent.toFixed(1)} % (${statelessPercent.toFixed(1)} % without memory)`,
      target: 'does not flicker',
      isMet: null,
    },
  ];
};

/** Each motion on each device. */
export const toMotionFigures = (motions: readonly MotionSample[], plan: Plan): Figure[] =>
  plan.devices.flatMap((device) => MOTIONS.map((motion) => toMotionFigure(motion, motions, device, plan)));

/** Every target of the map but those about peers, and whether it is met. */
export const toTargets = (measured: Measured, plan: Plan): Section => {
  const { motions, sizes, day } = measured;
  const largest = sizes.at(-1)!;
  const { polls, keystrokesMs, layer, pageHeapMib, units } = largest;
  const of = `${toCount(units)} units`;
  const figures: Figure[] = [
    ...toMotionFigures(motions, plan),
    atMost(
      'sprites in a frame, most',
      Math.max(0, ...motions.map(({ mostSprites }) => mostSprites)),
      MOST_SPRITES,
      '',
      0,
    ),
    atMost(`longest block of a poll, ${of}`, median(polls.map(({ longestCpuMs }) => longestCpuMs)), 8, 'ms'),
    atMost(`main-thread cost of a poll, ${of}`, median(polls.map(({ totalCpuMs }) => totalCpuMs)), 60, 'ms'),
    atMost(`first draw on a fresh page, ${of}`, median(layer.firstDrawMs), 80, 'ms'),
    {
      what: `… on ${layer.firstDrawMs.length} such, least and most`,
      measured: `${Math.min(...layer.firstDrawMs).toFixed(1)} and ${Math.max(...layer.firstDrawMs).toFixed(1)} ms`,
      target: '',
      isMet: null,
    },
    {
      what: '… and on one that has drawn before',
      measured: `${median(layer.againDrawMs).toFixed(1)} ms`,
      target: '',
      isMet: null,
    },
    atMost(`heap of the layer, ${of}`, layer.heapMib, 20, 'MiB'),
    atMost(`heap of the page, ${of}`, pageHeapMib, 150, 'MiB'),
    atMost(`a key in search to list and map, ${of}`, median(keystrokesMs), 50, 'ms'),
    atMost(`finding what was clicked, p95, ${of}`, percentile(layer.clickMs, 0.95), 2, 'ms', 2),
    atMost(`finding what is hovered, p95, ${of}`, percentile(layer.hoverMs, 0.95), 2, 'ms', 2),
    atLeast('units under the largest count that a click found', layer.mostUnitsFound, 2, 'units', 0),
    ...toDeclutterFigures(sizes),
    toGrowth(day, plan),
  ];
  return toSection('Targets', figures, [
    'Blocks and costs of a poll are medians by the processor’s clock, so that a machine that does something else meanwhile is not counted; the clock on the wall is in the next table.',
  ]);
};

/** How much longer than ours a peer blocks; where either did not finish there is no figure, and no target met. */
const toRatioFigure = (
  what: string,
  ours: DrawnAlone | string | undefined,
  peer: DrawnAlone | string | undefined,
  least: number,
): Figure => {
  if (typeof ours === 'object' && typeof peer === 'object')
    return atLeast(what, longestOf(peer) / longestOf(ours), least, 'times');
  const reason = [ours, peer].find((drawn) => typeof drawn !== 'object') ?? 'not drawn';
  return { what, measured: String(reason), target: `at least ${least} times`, isMet: null };
};

/** The targets relative to what others draw with. */
export const toRatioSection = ({ units, alone }: SizeFacts): Section =>
  toSection(`Less blocking than peers, ${toCount(units)} units`, [
    toRatioFigure('than CircleMarker on canvas', alone.get('layer'), alone.get('circle-marker'), 30),
    toRatioFigure('than leaflet.markercluster', alone.get('layer'), alone.get('markercluster'), 150),
  ]);
