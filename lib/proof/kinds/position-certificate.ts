import { MINUTE_MS, SECOND_MS } from '@/lib/base/time';
import { z } from '@/lib/base/zod';
import type { Translate } from '@/lib/catalog/catalog';
import { METERS_PER_FOOT, METERS_PER_MILE } from '@/lib/geo/units';
import type { Block, Fact } from '../blocks';
import { CERTIFICATE_FIELDS } from '../certificate';
import { latE5Schema, lngE5Schema, msSchema, type DocumentContent } from '../content';
import { cellTimeText, documentTimeText } from '../text';

const text = (most: number) => z.string().max(most);
const countSchema = z.int().min(0);

/** Fixes that a certificate lists, of more than that evenly chosen ones, and those just before and after its range. */
export const MOST_FIXES = 500;
const MOST_SPANS = 10_000;

const fixSchema = z.strictObject({
  madeMs: msSchema,
  seenMs: msSchema,
  latE5: latE5Schema,
  lngE5: lngE5Schema,
  /** It had no time of its own, and has that of its receipt. */
  isByReceipt: z.boolean(),
  /** The live screen showed it; else it repeats another, or jumps to a place that no later fix confirms. */
  isUsed: z.boolean(),
});
export type CertifiedFix = z.infer<typeof fixSchema>;

export const STATES = ['moving', 'stopped', 'silent', 'notRecorded'] as const;
export const REASONS = ['before', 'failing', 'notRunning', 'lost'] as const;

const stateSchema = z.strictObject({
  fromMs: msSchema,
  toMs: msSchema,
  kind: z.enum(STATES),
  /** Why nothing was recorded; null: something was. */
  reason: z.enum(REASONS).nullable(),
  /** The evidence: used fixes in it, and the longest distance between the first and another one. */
  fixes: countSchema,
  reachM: countSchema,
});
export type CertifiedState = z.infer<typeof stateSchema>;

const visitSchema = z.strictObject({
  site: text(120),
  /** The last fix elsewhere, and the first fix inside; null: none is known. */
  arrivedAfterMs: msSchema.nullable(),
  arrivedMs: msSchema,
  /** The last fix inside, and the first fix elsewhere; null: it lasts, or none is known. */
  leftMs: msSchema.nullable(),
  leftByMs: msSchema.nullable(),
});
export type CertifiedVisit = z.infer<typeof visitSchema>;

/** What a position certificate says. Times are Unix ms, coordinates degrees in 1/100,000. */
export const positionCertificateSchema = z.strictObject({
  truck: z.strictObject({
    number: text(140).nullable(),
    vin: text(40).nullable(),
    plate: text(60).nullable(),
  }),
  fields: z.array(z.enum(CERTIFICATE_FIELDS)).max(CERTIFICATE_FIELDS.length),
  /** Both are the same for a moment. */
  fromMs: msSchema,
  toMs: msSchema,
  timeZone: text(60),
  /** The fixes that were made in the range. */
  made: countSchema,
  fixes: z.array(fixSchema).max(MOST_FIXES + 10),
  /** The last used fix at or before the range's beginning and the first one after its end; null: none is known. */
  beforeMs: msSchema.nullable(),
  afterMs: msSchema.nullable(),
  /** Of a moment the one that it lies in; null: not chosen. */
  states: z.array(stateSchema).max(MOST_SPANS).nullable(),
  /** When nothing is known of it. */
  gaps: z.array(stateSchema).max(MOST_SPANS),
  /** The first and the last used fix by places that people know; null: not chosen. */
  places: z
    .array(z.strictObject({ madeMs: msSchema, text: text(200) }))
    .max(2)
    .nullable(),
  /** Null: not chosen. */
  visits: z.array(visitSchema).max(200).nullable(),
});
export type PositionCertificate = z.infer<typeof positionCertificateSchema>;

const STATE_TEXTS: Readonly<Record<(typeof STATES)[number], string>> = {
  moving: 'moving',
  stopped: 'stopped',
  silent: 'silent: the provider answered, and the tracker had sent nothing new',
  notRecorded: 'not recorded',
};
const REASON_TEXTS: Readonly<Record<(typeof REASONS)[number], string>> = {
  before: 'the recording of the fleet had not begun',
  failing: 'the provider gave no usable answer',
  notRunning: 'no server was recording',
  lost: 'answers could not be stored',
};

const spanText = (ms: number): string => {
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`;
  const minutes = Math.floor(ms / MINUTE_MS);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

const degreesText = (e5: number): string =>
  `${e5 < 0 ? '-' : ''}${Math.floor(Math.abs(e5) / 1e5)}.${String(Math.abs(e5) % 100_000).padStart(5, '0')}`;

const positionText = ({ latE5, lngE5 }: Pick<CertifiedFix, 'latE5' | 'lngE5'>): string =>
  `${degreesText(latE5)}, ${degreesText(lngE5)}`;

const stateText = ({ kind, reason }: CertifiedState): string =>
  reason === null ? STATE_TEXTS[kind] : `${STATE_TEXTS[kind]}: ${REASON_TEXTS[reason]}`;

/** Rounded up: "40 ft", "4.7 mi". */
const reachText = (meters: number): string => {
  const feet = Math.ceil(meters / METERS_PER_FOOT / 10) * 10;
  return feet <= 500 ? `${feet} ft` : `${(Math.ceil((meters / METERS_PER_MILE) * 10) / 10).toFixed(1)} mi`;
};

const evidenceText = ({ kind, fixes, reachM }: CertifiedState): string => {
  if (kind === 'silent' || kind === 'notRecorded') return 'none';
  const count = fixes === 1 ? '1 fix' : `${fixes} fixes`;
  if (fixes < 2) return count;
  const reach = reachText(reachM);
  return kind === 'stopped'
    ? `${count} within ${reach} of the first`
    : `${count}, up to ${reach} from the first`;
};

const isMoment = ({ fromMs, toMs }: Pick<PositionCertificate, 'fromMs' | 'toMs'>): boolean => fromMs === toMs;

const toTruckFacts = ({ truck, fields }: PositionCertificate, translate: Translate): Fact[] => {
  const named = { truckNumber: truck.number, vin: truck.vin, plate: truck.plate };
  const labels = {
    truckNumber: translate('truck.number'),
    vin: translate('truck.vin'),
    plate: translate('truck.plate'),
  };
  return (['truckNumber', 'vin', 'plate'] as const).flatMap((field) =>
    fields.includes(field) ? { label: labels[field], value: named[field] ?? 'not known' } : [],
  );
};

const toPeriodFacts = (subject: PositionCertificate, translate: Translate): Fact[] => {
  const { fromMs, toMs, timeZone, fixes, made, beforeMs, afterMs } = subject;
  const time = (ms: number): string => documentTimeText(ms, timeZone);
  if (!isMoment(subject)) {
    const listed = fixes.filter(({ madeMs }) => madeMs >= fromMs && madeMs <= toMs).length;
    const count =
      listed === made
        ? 'All of them are listed.'
        : `${listed} of them are listed, chosen evenly. A shorter range lists all.`;
    return [
      { label: translate('doc.from'), value: time(fromMs) },
      { label: translate('doc.to'), value: time(toMs), note: spanText(toMs - fromMs) },
      { label: translate('doc.made'), value: String(made), ...(made > 0 && { note: count }) },
    ];
  }
  const fixText = (ms: number | null, none: string): Pick<Fact, 'value' | 'note'> => {
    const fix = fixes.find(({ madeMs }) => madeMs === ms);
    if (ms === null || !fix) return { value: none };
    return {
      value: positionText(fix),
      note: `made ${time(ms)}, ${spanText(Math.abs(fromMs - ms))} ${ms > fromMs ? 'after' : 'before'}`,
    };
  };
  return [
    { label: translate('doc.moment'), value: time(fromMs) },
    { label: translate('doc.before'), ...fixText(beforeMs, 'none in the week before') },
    { label: translate('doc.after'), ...fixText(afterMs, 'none in the week after it, as far as was known') },
  ];
};

const toPlaceFacts = ({ places, timeZone }: PositionCertificate, translate: Translate): Fact[] =>
  (places ?? []).map(({ madeMs, text: place }, i, all) => ({
    label: translate(all.length === 1 ? 'doc.place' : i === 0 ? 'doc.place.first' : 'doc.place.last'),
    value: place,
    note: `by the fix of ${documentTimeText(madeMs, timeZone)}`,
  }));

const toStateTable = (
  caption: string,
  states: readonly CertifiedState[],
  { timeZone, translate }: { timeZone: string; translate: Translate },
): Block => ({
  type: 'table',
  caption,
  columns: [translate('doc.from'), translate('doc.to'), translate('doc.state'), translate('doc.fixes')],
  rows: states.map((state) => [
    cellTimeText(state.fromMs, timeZone),
    cellTimeText(state.toMs, timeZone),
    stateText(state),
    evidenceText(state),
  ]),
});

const betweenText = (afterMs: number | null, byMs: number | null, timeZone: string): string => {
  const [after, by] = [afterMs, byMs].map((ms) => (ms === null ? null : documentTimeText(ms, timeZone)));
  if (!after) return by ? `by ${by}` : 'not known';
  return by ? `after ${after}, by ${by}` : `after ${after}`;
};

const toVisitBlocks = ({ visits, timeZone }: PositionCertificate, translate: Translate): Block[] => {
  if (visits === null) return [];
  const heading: Block = { type: 'heading', text: translate('doc.sites') };
  if (visits.length === 0)
    return [heading, { type: 'text', text: 'No visit to a site of the carrier was seen.' }];
  const rows = visits.map(({ site, arrivedAfterMs, arrivedMs, leftMs, leftByMs }) => [
    site,
    betweenText(arrivedAfterMs, arrivedMs, timeZone),
    leftMs === null ? 'there at the last fix' : betweenText(leftMs, leftByMs, timeZone),
  ]);
  return [
    heading,
    {
      type: 'table',
      caption: translate('doc.sites.caption'),
      columns: [translate('doc.site'), translate('doc.arrived'), translate('doc.left')],
      rows,
    },
  ];
};

const toGapBlocks = ({ gaps, timeZone }: PositionCertificate, translate: Translate): Block[] => [
  { type: 'heading', text: translate('doc.gaps') },
  gaps.length === 0
    ? {
        type: 'text',
        text: 'There is none: the provider answered, and the tracker reported as often as it usually does.',
      }
    : toStateTable(translate('doc.gaps.caption'), gaps, { timeZone, translate }),
];

const toMapBlock = (subject: PositionCertificate, translate: Translate): Block => {
  const { fixes, beforeMs, afterMs, timeZone } = subject;
  const used = fixes.filter(({ isUsed }) => isUsed);
  const short = (ms: number): string => documentTimeText(ms, timeZone).replace(/^.*\d{4}, /, '');
  const ends = isMoment(subject)
    ? used.filter(({ madeMs }) => madeMs === beforeMs || madeMs === afterMs)
    : [...new Set([used[0], used.at(-1)])].flatMap((fix) => fix ?? []);
  return {
    type: 'map',
    caption:
      used.length === 0 ? translate('doc.map.none') : translate('doc.map.fixes', { count: used.length }),
    points: ends.map(({ latE5, lngE5, madeMs }) => ({ latE5, lngE5, label: short(madeMs) })),
    trail: used.map(({ latE5, lngE5 }) => [latE5, lngE5]),
    circle: null,
  };
};

const fixNote = ({ isByReceipt, isUsed }: CertifiedFix): string =>
  [isByReceipt ? 'dated by its receipt' : '', isUsed ? '' : 'repeated, or not confirmed by another fix']
    .filter(Boolean)
    .join('; ');

const toFixBlocks = ({ fixes, timeZone }: PositionCertificate, translate: Translate): Block[] =>
  fixes.length === 0
    ? []
    : [
        { type: 'heading', text: translate('doc.fixes') },
        {
          type: 'table',
          caption: translate('doc.fixes.clocks'),
          columns: [
            translate('doc.fixes.made'),
            translate('doc.fixes.seen'),
            translate('doc.fixes.latLng'),
            translate('doc.fixes.remark'),
          ],
          rows: fixes.map((fix) => [
            cellTimeText(fix.madeMs, timeZone),
            cellTimeText(fix.seenMs, timeZone),
            positionText(fix),
            fixNote(fix),
          ]),
        },
      ];

const LIMITS =
  'The positions are those that the tracker of this truck reported. Nothing is known of the time between two fixes but what is said here, and no position is calculated. States, visits and gaps are by the times at which fixes were made, by the clock of the tracker. That the tracker was in the truck is not proved.';

/** What a position certificate shows. */
export const toCertificateBlocks = (
  { subject }: DocumentContent<PositionCertificate>,
  translate: Translate,
): Block[] => {
  const { states, timeZone } = subject;
  return [
    { type: 'heading', text: translate(isMoment(subject) ? 'doc.where.moment' : 'doc.where') },
    {
      type: 'facts',
      facts: [toTruckFacts, toPeriodFacts, toPlaceFacts].flatMap((facts) => facts(subject, translate)),
    },
    toMapBlock(subject, translate),
    ...(states === null
      ? []
      : [
          { type: 'heading', text: translate('doc.states') } as const,
          states.length === 0
            ? ({ type: 'text', text: 'Nothing is known of it.' } as const)
            : toStateTable(
                translate(isMoment(subject) ? 'doc.states.moment' : 'doc.states.caption'),
                states,
                { timeZone, translate },
              ),
        ]),
    ...toVisitBlocks(subject, translate),
    ...toGapBlocks(subject, translate),
    ...toFixBlocks(subject, translate),
    { type: 'text', text: LIMITS },
  ];
};
