import type { Section } from '../support/report';
import { median, toSpread } from '../support/statistics';
import type { Audit, Form } from './lighthouse';
import { FORMS, PAGES, type Measured } from './measure';
import type { PhoneLoad } from './phone-load';
import type { Plan } from './plan';

/** One line of a table: a figure of each round, and the target of its median. */
interface Line {
  what: string;
  read: (measured: Measured) => readonly number[];
  unit?: string;
  digits?: number;
  target?: { atMost: number } | { atLeast: number };
}

const KB = 1000;

const toSpreadText = (samples: readonly number[], unit: string, digits: number): string => {
  const { median: middle, ...ends } = toSpread(samples);
  const [least, most] = [ends.least.toFixed(digits), ends.most.toFixed(digits)];
  return `${middle.toFixed(digits)}${least === most ? '' : ` (${least}–${most})`} ${unit}`.trim();
};

const toTargetText = ({ target, unit = '' }: Line): string => {
  if (!target) return '';
  return (
    'atMost' in target ? `at most ${target.atMost} ${unit}` : `at least ${target.atLeast} ${unit}`
  ).trim();
};

const toVerdict = ({ target }: Line, value: number): string => {
  if (!target) return '';
  const isMet = 'atMost' in target ? value <= target.atMost : value >= target.atLeast;
  return isMet ? 'met' : '**missed**';
};

const toSection = (title: string, lines: readonly Line[], measured: readonly Measured[]): Section => ({
  title,
  columns: ['what', ...measured.map(({ name }) => name), 'target', ''],
  rows: lines.map((line) => [
    line.what,
    ...measured.map((each) => toSpreadText(line.read(each), line.unit ?? '', line.digits ?? 0)),
    toTargetText(line),
    toVerdict(line, median(line.read(measured.at(-1)!))),
  ]),
});

const toPhoneLines = ({ sizes: [smallest, ...larger] }: Plan): Line[] => {
  const ofLoads =
    (units: number, read: (load: PhoneLoad) => number): Line['read'] =>
    ({ loads }) =>
      loads.get(units)!.map(read);
  const toTimes = (units: number, atMost: number): Line[] => [
    {
      what: `first truck drawn, ${units.toLocaleString('en-US')} units`,
      read: ofLoads(units, ({ firstTruckMs }) => firstTruckMs / 1000),
      unit: 's',
      digits: 2,
      target: { atMost },
    },
    {
      what: '… and the live map',
      read: ofLoads(units, ({ liveMapMs }) => liveMapMs / 1000),
      unit: 's',
      digits: 2,
    },
  ];
  return [
    ...toTimes(smallest!, 3),
    ...larger.flatMap((units) => toTimes(units, 4)),
    {
      what: 'script until the live map, compressed',
      read: ofLoads(smallest!, ({ scriptBytes }) => scriptBytes / KB),
      unit: 'KB',
      target: { atMost: 220 },
    },
    {
      what: 'render-blocking style sheets',
      read: ofLoads(smallest!, ({ styleSheets }) => styleSheets),
      target: { atMost: 1 },
    },
    {
      what: 'redirects of the start page',
      read: ofLoads(smallest!, ({ redirects }) => redirects),
      target: { atMost: 0 },
    },
  ];
};

const SHARE_PAGE_LINES: readonly Line[] = [
  {
    what: 'the truck on the map of a customer’s page',
    read: ({ sharePages }) => sharePages.map(({ positionMs }) => positionMs / 1000),
    unit: 's',
    digits: 2,
    target: { atMost: 2 },
  },
  {
    what: 'the page, before compression',
    read: ({ sharePages }) => sharePages.map(({ bytes }) => bytes / KB),
    unit: 'KB',
    digits: 1,
    target: { atMost: 60 },
  },
  {
    what: '… and as sent',
    read: ({ sharePages }) => sharePages.map(({ sentBytes }) => sentBytes / KB),
    unit: 'KB',
    digits: 1,
  },
  {
    what: 'requests for it',
    read: ({ sharePages }) => sharePages.map(({ requests }) => requests),
    target: { atMost: 1 },
  },
];

const NAVIGATION_LINES: readonly Line[] = [
  ...(
    [
      ['map to vehicle', 'mapToVehicleMs'],
      ['vehicle to roster', 'vehicleToRosterMs'],
      ['roster to map', 'rosterToMapMs'],
    ] as const
  ).map(([what, key]): Line => ({
    what,
    read: ({ tours }) => tours.map((tour) => tour[key]),
    unit: 'ms',
    target: { atMost: 100 },
  })),
  {
    what: 'downloads of the whole fleet on this way',
    read: ({ tours }) => tours.map(({ fullDownloads }) => fullDownloads),
    target: { atMost: 0 },
  },
  {
    what: 'the map’s canvas is kept (1) or made again (0)',
    read: ({ tours }) => tours.map(({ isCanvasKept }) => Number(isCanvasKept)),
    target: { atLeast: 1 },
  },
  {
    what: 'reasons not to restore the map from the back/forward cache',
    read: ({ reloadReasons }) => [reloadReasons.length],
    target: { atMost: 0 },
  },
];

const toAuditLines = (page: (typeof PAGES)[number], form: Form): Line[] => {
  const of =
    (read: (audit: Audit) => number): Line['read'] =>
    ({ audits }) =>
      audits[page][form].map(read);
  return [
    {
      what: 'performance',
      read: of(({ performance }) => performance),
      unit: 'points',
      target: { atLeast: form === 'phone' ? 90 : 98 },
    },
    {
      what: 'accessibility',
      read: of(({ accessibility }) => accessibility),
      unit: 'points',
      target: { atLeast: 100 },
    },
    {
      what: 'best practices',
      read: of(({ bestPractices }) => bestPractices),
      unit: 'points',
      target: { atLeast: 100 },
    },
    {
      what: 'largest paint',
      read: of(({ largestPaintMs }) => largestPaintMs / 1000),
      unit: 's',
      digits: 2,
    },
    { what: 'blocking time', read: of(({ blockingMs }) => blockingMs), unit: 'ms' },
    {
      what: 'layout shift',
      read: of(({ layoutShift }) => layoutShift),
      digits: 3,
      target: { atMost: 0.02 },
    },
  ].map((line) => ({ ...line, what: `${page}, ${form}: ${line.what}` }));
};

const toPastLines = ({ sizes, pastHours }: Plan): Line[] => [
  {
    what: `the last ${pastHours} h of ${sizes[0]} trucks are recorded, after the server answers`,
    read: ({ pastsMs }) => pastsMs.map((ms) => ms / 1000),
    unit: 's',
    digits: 1,
    target: { atMost: 15 },
  },
];

/** Which audits failed and why the map was loaded again, by name. */
const toReasons = (measured: readonly Measured[]): Section => ({
  title: 'What failed',
  columns: ['', ...measured.map(({ name }) => name)],
  rows: [
    ...PAGES.flatMap((page) =>
      FORMS.map((form) => [
        `${page}, ${form}`,
        ...measured.map(({ audits }) =>
          [...new Set(audits[page][form].flatMap(({ failed }) => failed))].join(', '),
        ),
      ]),
    ),
    ['back/forward cache', ...measured.map(({ reloadReasons }) => [...new Set(reloadReasons)].join(', '))],
  ],
});

/** The tables of a run; the last checkout is held against the targets. */
export const toSections = (measured: readonly Measured[], plan: Plan): Section[] => [
  toSection('On a slow phone', toPhoneLines(plan), measured),
  ...(measured.every(({ sharePages }) => sharePages.length > 0)
    ? [toSection('A customer’s page on a slow phone', SHARE_PAGE_LINES, measured)]
    : []),
  toSection('In the loaded application, on a desktop', NAVIGATION_LINES, measured),
  toSection('First start of the demo', toPastLines(plan), measured),
  toSection(
    'Lighthouse',
    PAGES.flatMap((page) => FORMS.flatMap((form) => toAuditLines(page, form))),
    measured,
  ),
  toReasons(measured),
];
