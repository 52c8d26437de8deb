import type { Section } from '../support/report';
import { median, toSpread } from '../support/statistics';
import {
  FRAME_MS,
  MOST_SPRITES,
  longestOf,
  samplesAt,
  toCount,
  toSettings,
  type Measured,
  type SizeFacts,
} from './measure-all';
import type { PageName } from './page-files';
import type { Plan } from './plan';
import { MOTIONS } from './product';
import { toTargets, toRatioSection } from './targets';

const PEER_LABELS: Record<PageName, string> = {
  layer: 'Linehaul’s unit layer',
  'circle-marker': 'react-leaflet CircleMarker on canvas',
  markercluster: 'leaflet.markercluster',
};

/** "12.3 (10.0–15.2)": median, least and most. */
const toSpreadText = (samples: readonly number[], digits = 1): string => {
  const { median: middle, least, most } = toSpread(samples);
  return `${middle.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`;
};

export const toMotionSection = ({ motions }: Pick<Measured, 'motions'>, plan: Plan): Section => {
  const rows = toSettings(plan).map((setting) => {
    const here = samplesAt(motions, setting);
    const names = [toCount(setting.units), String(setting.zoom), setting.device.name];
    if (here.length === 0) return [...names, 'no time was left', '', '', '', ''];
    const cells = MOTIONS.map((motion) => {
      const p95s = here.filter((sample) => sample.motion === motion).map(({ p95Ms }) => p95Ms);
      const cpu = median(here.filter((sample) => sample.motion === motion).map(({ p95CpuMs }) => p95CpuMs));
      const text = `${toSpreadText(p95s)} · ${cpu.toFixed(1)}`;
      return median(p95s) > FRAME_MS ? `**${text}**` : text;
    });
    const sprites = Math.max(...here.map(({ mostSprites }) => mostSprites));
    return [...names, ...cells, toCount(sprites)];
  });
  return {
    title: 'Frame time while the map moves, p95 in ms',
    columns: ['units', 'zoom', 'device', ...MOTIONS, 'most sprites in a frame'],
    rows,
    notes: [
      `Median of the passes, least and most; the targets are at most ${FRAME_MS} ms and about ${toCount(MOST_SPRITES)} sprites; a median above is **bold**. After the dot: the same percentile of what the page’s main thread does in a frame, by the processor’s clock. A glide begins with the poll that causes it; a flight is to a unit that is selected already. Chromium without a GPU rasterizes and composes on the same cores.`,
      'Where a motion is not kept, the main thread mostly had time left, and the cores had not: rasterizing and composing want them too, and at a ratio of 2 for four times the pixels. Tried and kept: outlines painted in a worker, painted tiles kept for the way back, at most 24 new labels a frame, no list rendered while the map moves, one device pixel a CSS pixel while it moves (tiles and units; sharpened when it stands), no smooth scaling during a zoom at a ratio of 1.5 and more. Tried and dropped, as no median changed: no outlines while a zoom is animated, one tile at a time instead of two.',
    ],
  };
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
    toSpreadText(polls.map(({ longestMs }) => longestMs)),
    toSpreadText(polls.map(({ longestCpuMs }) => longestCpuMs)),
    toSpreadText(polls.map(({ totalCpuMs }) => totalCpuMs)),
    toSpreadText(keystrokesMs, 0),
    pageHeapMib.toFixed(1),
  ]),
  notes: [
    'Decode, apply, filter, sort, list, rank and draw; from the request to 300 ms after the frame that shows it, after a dozen polls that compile what the rest of a day runs.',
  ],
});

const toPeerSection = ({ units, alone }: SizeFacts): Section => {
  const ours = alone.get('layer');
  const ourLongest = ours && typeof ours !== 'string' ? longestOf(ours) : NaN;
  const rows = [...alone].map(([name, drawn]) =>
    typeof drawn === 'string'
      ? [PEER_LABELS[name], drawn, '', '', '', '', '']
      : [
          PEER_LABELS[name],
          toSpreadText(drawn.polls.map(({ longestCpuMs }) => longestCpuMs)),
          `${(longestOf(drawn) / ourLongest).toFixed(1)} ×`,
          toSpreadText(drawn.polls.map(({ totalCpuMs }) => totalCpuMs)),
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
      String(check.vanishedStateless),
    ]),
  ),
});

/** All that is written of a run, in its order. */
export const toSections = (measured: Measured, plan: Plan): Section[] => [
  toTargets(measured, plan),
  toMotionSection(measured, plan),
  toPollSection(measured),
  toRatioSection(measured.sizes.at(-1)!),
  ...measured.sizes.map(toPeerSection),
  toDeclutterSection(measured),
];
