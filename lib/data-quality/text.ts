import { METERS_PER_MILE } from '@/lib/geo/units';
import { FLAGS } from '@/lib/motion/status';
import { formatDuration, formatWhole } from '@/lib/view/format';
import { FLAG_LABELS } from '@/lib/view/text';
import { FROZEN_BIT, coveredOf, shareOf, type QualityGroup, type QualityRow } from './quality';

export const GROUP_LABELS: Record<QualityGroup, string> = {
  provider: 'Provider',
  device: 'Device type',
  tag: 'Tag',
  truck: 'Truck',
};

/** "12 s", "4 min", "2 h 10 m"; ahead of the clock "-5 s". */
export const secondsText = (seconds: number): string =>
  Math.abs(seconds) <= 120 ? `${seconds} s` : formatDuration(seconds * 1000);

const NONE = '–';

export const shareText = (share: number | null): string =>
  share === null ? NONE : share === 1 ? '100%' : `${Math.min(99.9, 100 * share).toFixed(1)}%`;

const milesText = (meters: number): string => `${formatWhole(Math.round(meters / METERS_PER_MILE))} mi`;

const ofFixes = (count: number): string => `of ${formatWhole(count)} ${count === 1 ? 'fix' : 'fixes'}`;

/** A figure, and from how much it is. */
export interface QualityFigure {
  label: string;
  value: string;
  of: string;
}

const toQuantileFigures = (
  what: string,
  quantiles: { fixes: number; p50S: number; p95S: number; p99S: number } | null,
): QualityFigure[] => {
  const of = ofFixes(quantiles?.fixes ?? 0);
  return (
    [
      ['half within', 'p50S'],
      ['95% within', 'p95S'],
      ['99% within', 'p99S'],
    ] as const
  ).map(([label, name]) => ({
    label: `${what}, ${label}`,
    value: quantiles === null ? NONE : secondsText(quantiles[name]),
    of,
  }));
};

/** All figures of a row, each with from how much it is; the faults that were found, by kind. */
export const toFigures = (row: QualityRow): QualityFigure[] => {
  const { delay, fixes, judged, drivenM, missedM, unwatchedM } = row;
  const timed = delay?.fixes ?? 0;
  const share = (label: string, part: number, whole: number): QualityFigure => ({
    label,
    value: shareText(shareOf(part, whole)),
    of: `${formatWhole(part)} ${ofFixes(whole)}`,
  });
  return [
    ...toQuantileFigures('Fix to sight', delay),
    {
      label: 'Fix to sight, least',
      value: delay === null ? NONE : secondsText(delay.leastS),
      of: ofFixes(timed),
    },
    ...toQuantileFigures('Between fixes while driving', row.interval),
    {
      label: 'Driven miles covered',
      value: shareText(coveredOf(row)),
      of: `${milesText(drivenM)} of ${milesText(drivenM + missedM)}`,
    },
    share('Clock ahead', row.ahead, timed),
    share('Dated by receipt: clock not usable', row.byReceipt, fixes),
    share('Handed over late', row.late, fixes),
    share('Coarse', row.coarse, judged),
    share('Frozen', row.flagged[FROZEN_BIT]!, judged),
    ...FLAGS.flatMap((flag, bit) =>
      row.raised[bit]! > 0 || (bit !== FROZEN_BIT && row.flagged[bit]! > 0)
        ? [
            {
              label: FLAG_LABELS[flag],
              value: `${formatWhole(row.raised[bit]!)}×`,
              of: `${formatWhole(row.flagged[bit]!)} ${ofFixes(judged)}`,
            },
          ]
        : [],
    ),
    {
      label: 'Not judged: Linehaul did not watch',
      value: shareText(shareOf(row.unwatched, fixes)),
      of: `${formatWhole(row.unwatched)} ${ofFixes(fixes)}, ${milesText(unwatchedM)}`,
    },
  ];
};

/** The figures of one row beside those of another; a kind of fault that only one of them has is none of the other. */
export const joinFigures = (
  one: QualityRow,
  other: QualityRow | null,
): { label: string; cells: (QualityFigure | null)[] }[] => {
  const lists = [one, ...(other === null ? [] : [other])].map(toFigures);
  const labels = [...new Set(lists.flatMap((list) => list.map(({ label }) => label)))];
  const last = labels.indexOf(lists[0]!.at(-1)!.label);
  labels.push(...labels.splice(last, 1));
  return labels.map((label) => ({
    label,
    cells: lists.map((list) => list.find((each) => each.label === label) ?? null),
  }));
};
