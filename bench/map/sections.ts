import { atLeast, atMost, toSection } from '../support/report';
import type { Figure, Section } from '../support/report';
import { median, percentile, toSpread } from '../support/statistics';
import type { Measured, MotionSample, SizeFacts } from './measure-all';
import type { PageName } from './page-files';
import type { DrawnAlone } from './peers';
import type { Plan } from './plan';
import { MOTIONS } from './product';
import type { Day, Motion } from './product';

const PEER_WORDS: Record<PageName, string> = {
  layer: 'Linehaul’s unit layer',
  marker: 'react-leaflet Marker',
  'circle-marker': 'react-leaflet CircleMarker on canvas',
  markercluster: 'leaflet.markercluster',
  glify: 'leaflet.glify (WebGL)',
  maplibre: 'MapLibre GL symbols (WebGL)',
};

const FRAME_MS = 17;
const MOST_SPRITES = 2000;

const toCount = (units: number): string => units.toLocaleString('en-US');

/** "12.3 (10.0–15.2)": median, least and most. */
const toSpreadWords = (samples: readonly number[], digits = 1): string => {
  const { median: middle, least, most } = toSpread(samples);
  return `${middle.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`;
};

const samplesAt = (samples: readonly MotionSample[], units: number, zoom: number, ratio: number) =>
  samples.filter((sample) => sample.units === units && sample.zoom === zoom && sample.ratio === ratio);

const toMotionSection = ({ motions }: Measured, plan: Plan): Section => {
  const settings = [
    ...plan.sizes.flatMap((units) => plan.zooms.map((zoom) => ({ units, zoom, ratio: 1 }))),
    ...plan.zooms.map((zoom) => ({ units: plan.sizes.at(-1)!, zoom, ratio: 2 })),
  ];
  const rows = settings.map(({ units, zoom, ratio }) => {
    const here = samplesAt(motions, units, zoom, ratio);
    if (here.length === 0)
      return [toCount(units), String(zoom), String(ratio), 'no time was left', '', '', '', ''];
    const cells = MOTIONS.map((motion) => {
      const p95s = here.filter((sample) => sample.motion === motion).map(({ p95Ms }) => p95Ms);
      const cpu = median(here.filter((sample) => sample.motion === motion).map(({ p95CpuMs }) => p95CpuMs));
      const words = `${toSpreadWords(p95s)} · ${cpu.toFixed(1)}`;
      return median(p95s) > FRAME_MS ? `**${words}**` : words;
    });
    const sprites = Math.max(...here.map(({ mostSprites }) => mostSprites));
    return [toCount(units), String(zoom), String(ratio), ...cells, toCount(sprites)];
  });
  return {
    title: 'Frame time while the map moves, p95 in ms',
    columns: ['units', 'zoom', 'device pixel ratio', ...MOTIONS, 'most sprites in a frame'],
    rows,
    notes: [
      `Median of the passes, least and most; promised are at most ${FRAME_MS} ms and about ${toCount(MOST_SPRITES)} sprites; a median above is **bold**. After the dot: the same percentile of what the page’s main thread does in a frame, by the processor’s clock. A glide begins with the poll that causes it; a flight is to a unit that is selected already. Chromium without a GPU rasterises and composes on the same cores.`,
      'Where a motion is not kept, the main thread mostly had time left, and the cores had not: rasterising and composing want them too, and at a ratio of 2 for four times the pixels. Tried and kept: outlines painted in a worker, painted tiles kept for the way back, at most 24 new labels a frame, no list rendered while the map moves. Tried and dropped, as no median changed: no outlines while a zoom is animated, one tile at a time instead of two.',
    ],
  };
};

/** A motion keeps its promise when it does at every size and zoom. */
const toMotionFigure = (motion: Motion, { motions }: Measured, { sizes, zooms }: Plan): Figure => {
  const medians = sizes
    .flatMap((units) => zooms.map((zoom) => samplesAt(motions, units, zoom, 1)))
    .map((here) => here.filter((sample) => sample.motion === motion).map(({ p95Ms }) => p95Ms))
    .filter((p95s) => p95s.length > 0)
    .map(median);
  const kept = medians.filter((p95Ms) => p95Ms <= FRAME_MS).length;
  return {
    what: `frame time p95, ${motion}`,
    measured:
      medians.length === 0
        ? 'no time was left'
        : `${median(medians).toFixed(1)} ms, worst ${Math.max(...medians).toFixed(1)} ms; kept in ${kept} of ${medians.length} settings`,
    promise: `at most ${FRAME_MS} ms`,
    isMet: medians.length === 0 ? null : kept === medians.length,
  };
};

/** A day that was not polled to its end keeps no promise. */
const toGrowth = (day: Day, plan: Plan): Figure => {
  const growth = atMost(
    `growth of a page over ${toCount(day.polls)} of ${toCount(plan.dayPolls)} polls, ${toCount(plan.dayUnits)} units, from ${day.earlyMib.toFixed(1)} MiB`,
    100 * (day.lateMib / day.earlyMib - 1),
    10,
    '%',
  );
  return { ...growth, isMet: growth.isMet === true && day.polls >= plan.dayPolls };
};

const toPromises = (measured: Measured, plan: Plan): Section => {
  const { motions, sizes, day } = measured;
  const largest = sizes.at(-1)!;
  const { polls, keystrokesMs, layer, pageHeapMib, units } = largest;
  const of = `${toCount(units)} units`;
  const declutters = sizes.flatMap((size) => size.layer.declutter.map(({ check }) => check));
  const sum = (count: (check: (typeof declutters)[number]) => number) =>
    declutters.reduce((total, check) => total + count(check), 0);
  const figures: Figure[] = [
    ...MOTIONS.map((motion) => toMotionFigure(motion, measured, plan)),
    atMost(
      'sprites in a frame, most',
      Math.max(0, ...motions.map(({ mostSprites }) => mostSprites)),
      MOST_SPRITES,
      '',
      0,
    ),
    atMost(`longest block of a poll, ${of}`, median(polls.map(({ longestCpuMs }) => longestCpuMs)), 8, 'ms'),
    atMost(`main-thread cost of a poll, ${of}`, median(polls.map(({ totalCpuMs }) => totalCpuMs)), 60, 'ms'),
    atMost(`first draw on a fresh page, ${of}`, layer.firstDrawMs, 100, 'ms'),
    {
      what: '… and on one that has drawn before',
      measured: `${median(layer.againDrawMs).toFixed(1)} ms`,
      promise: '',
      isMet: null,
    },
    atMost(`heap of the layer, ${of}`, layer.heapMib, 20, 'MiB'),
    atMost(`heap of the page, ${of}`, pageHeapMib, 150, 'MiB'),
    atMost(`a key in search to list and map, ${of}`, median(keystrokesMs), 50, 'ms'),
    atMost(`finding what was clicked, p95, ${of}`, percentile(layer.clickMs, 0.95), 2, 'ms', 2),
    atMost(`finding what is hovered, p95, ${of}`, percentile(layer.hoverMs, 0.95), 2, 'ms', 2),
    atLeast('units under the largest count that a click found', layer.mostUnitsFound, 2, 'units', 0),
    atMost(
      'flagged units in view that no glyph tells of',
      sum(({ hiddenFlagged }) => hiddenFlagged),
      0,
      '',
      0,
    ),
    atMost(
      'frames without the selected unit',
      sum(({ isSelectedHidden }) => Number(isSelectedHidden)),
      0,
      '',
      0,
    ),
    atMost(
      'frames whose counts do not add up',
      sum((check) => Number(check.unitsInView !== check.unitsCounted)),
      0,
      '',
      0,
    ),
    {
      what: 'glyphs that vanish from poll to poll without having moved',
      measured: `${(
        (100 * sum(({ vanished }) => vanished)) /
        Math.max(
          1,
          sum(({ stayed }) => stayed),
        )
      ).toFixed(1)} % (${(
        (100 * sum(({ vanishedForgetful }) => vanishedForgetful)) /
        Math.max(
          1,
          sum(({ stayed }) => stayed),
        )
      ).toFixed(1)} % without memory)`,
      promise: 'does not flicker',
      isMet: null,
    },
    toGrowth(day, plan),
  ];
  return toSection('What was promised', figures, [
    'Blocks and costs of a poll are medians by the processor’s clock, so that a machine that does something else meanwhile is not counted; the clock on the wall is in the next table.',
  ]);
};

const toPollSection = ({ sizes }: Measured): Section => ({
  title: 'A poll in which every unit moves, in the application',
  columns: [
    'units',
    'longest block, ms by the wall',
    'longest block, ms of processor',
    'whole main thread, ms of processor',
    'key to list and map, ms',
    'page heap, MiB',
  ],
  rows: sizes.map(({ units, polls, keystrokesMs, pageHeapMib }) => [
    toCount(units),
    toSpreadWords(polls.map(({ longestMs }) => longestMs)),
    toSpreadWords(polls.map(({ longestCpuMs }) => longestCpuMs)),
    toSpreadWords(polls.map(({ totalCpuMs }) => totalCpuMs)),
    toSpreadWords(keystrokesMs, 0),
    pageHeapMib.toFixed(1),
  ]),
  notes: [
    'Decode, apply, filter, sort, list, rank and draw; from the request to 300 ms after the frame that shows it, after a dozen polls that compile what the rest of a day runs.',
  ],
});

const longestOf = (drawn: DrawnAlone): number => median(drawn.polls.map(({ longestCpuMs }) => longestCpuMs));

const toPeerSection = ({ units, alone }: SizeFacts): Section => {
  const ours = alone.get('layer');
  const ourLongest = ours && typeof ours !== 'string' ? longestOf(ours) : NaN;
  const rows = [...alone].map(([name, drawn]) =>
    typeof drawn === 'string'
      ? [PEER_WORDS[name], drawn, '', '', '', '', '']
      : [
          PEER_WORDS[name],
          toSpreadWords(drawn.polls.map(({ longestCpuMs }) => longestCpuMs)),
          `${(longestOf(drawn) / ourLongest).toFixed(1)} ×`,
          toSpreadWords(drawn.polls.map(({ totalCpuMs }) => totalCpuMs)),
          drawn.firstDrawMs.toFixed(0),
          drawn.dragP95Ms.toFixed(1),
          drawn.drawCalls > 0 ? 'redraws' : 'slides a picture',
        ],
  );
  return {
    title: `Drawing alone, ${toCount(units)} units`,
    columns: [
      '',
      'longest block of a poll, ms',
      'to ours',
      'whole main thread, ms',
      'first draw, ms',
      'drag frame p95, ms',
      'while dragging',
    ],
    rows,
  };
};

/** How much longer than ours a peer blocks; where either did not finish there is no figure, and no promise kept. */
const toRatioFigure = (
  what: string,
  ours: DrawnAlone | string | undefined,
  peer: DrawnAlone | string | undefined,
  least: number,
): Figure => {
  if (typeof ours === 'object' && typeof peer === 'object')
    return atLeast(what, longestOf(peer) / longestOf(ours), least, 'times');
  const said = [ours, peer].find((drawn) => typeof drawn !== 'object') ?? 'not drawn';
  return { what, measured: String(said), promise: `at least ${least} times`, isMet: null };
};

const toRatioSection = ({ units, alone }: SizeFacts): Section =>
  toSection(`Less blocking than peers, ${toCount(units)} units`, [
    toRatioFigure('than CircleMarker on canvas', alone.get('layer'), alone.get('circle-marker'), 30),
    toRatioFigure('than leaflet.markercluster', alone.get('layer'), alone.get('markercluster'), 150),
  ]);

const toDeclutterSection = ({ sizes }: Measured): Section => ({
  title: 'Decluttering, two frames a poll apart',
  columns: [
    'units',
    'zoom',
    'glyphs',
    'units in view',
    'counted one by one',
    'glyphs that stayed in place',
    'of these vanished',
    'had the frame no memory',
  ],
  rows: sizes.flatMap(({ units, layer }) =>
    layer.declutter.map(({ zoom, check }) => [
      toCount(units),
      String(zoom),
      String(check.glyphs),
      toCount(check.unitsInView),
      toCount(check.unitsCounted),
      String(check.stayed),
      String(check.vanished),
      String(check.vanishedForgetful),
    ]),
  ),
});

export const toSections = (measured: Measured, plan: Plan): Section[] => [
  toPromises(measured, plan),
  toMotionSection(measured, plan),
  toPollSection(measured),
  toRatioSection(measured.sizes.at(-1)!),
  ...measured.sizes.map(toPeerSection),
  toDeclutterSection(measured),
];
