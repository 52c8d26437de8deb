import { BETWEEN, type Between } from '@/lib/arrivals/interval';
import { MINUTE_MS } from '@/lib/base/time';
import type { Translate } from '@/lib/catalog/catalog';
import { METERS_PER_FOOT, METERS_PER_MILE } from '@/lib/geo/units';
import { z } from '@/lib/base/zod';
import type { Block, Fact } from '../blocks';
import { latE5Schema, lngE5Schema, msSchema, type DocumentContent } from '../content';
import { minutesText, moneyText } from '../detention-text';
import { cellTimeText, documentTimeText } from '../text';
import { CLOCK_MS, LIVE_MS } from '@/lib/rules/sure-stay';
import { TERMS_OF, termsSchema } from '../terms';

const text = (most: number) => z.string().max(most);
const countSchema = z.int().min(0);
const intervalSchema = z.strictObject({ afterMs: msSchema.nullable(), byMs: msSchema.nullable() });

export const FIX_PLACES = ['inside', 'margin', 'outside'] as const;

const fixSchema = z.strictObject({
  madeMs: msSchema,
  seenMs: msSchema,
  latE5: latE5Schema,
  lngE5: lngE5Schema,
  place: z.enum(FIX_PLACES),
  /** Whole meters to the edge. */
  edgeM: countSchema,
});
export type StatementFix = z.infer<typeof fixSchema>;

const partSchema = z.strictObject({ fromMs: msSchema, toMs: msSchema, why: z.enum(BETWEEN) });

export const NOTICE_STATES = ['opened', 'sent', 'failed', 'pending', 'dropped'] as const;

/** What a detention statement says. Times are Unix ms, coordinates E5, money cents. */
export const detentionStatementSchema = z.strictObject({
  truck: z.strictObject({
    name: text(100),
    vin: text(40).nullable(),
    plate: text(40).nullable(),
    /** What the check digit of the VIN says; null: there is no VIN. */
    vinCheck: z.enum(['right', 'wrong']).nullable(),
    /** Whether the provider has the VIN as one of this carrier; 'own': there is no provider but the carrier. */
    carrierMatch: z.enum(['same', 'other', 'own', 'unknown']),
  }),
  load: z.strictObject({ reference: text(60), po: text(60), bol: text(60) }).nullable(),
  customer: text(100),
  place: z.strictObject({
    name: text(200),
    address: text(300),
    timeZone: text(60),
    /** The middle, and the edge: a circle, or the corners of a polygon. */
    latE5: latE5Schema,
    lngE5: lngE5Schema,
    radiusM: countSchema,
    corners: z.array(z.tuple([latE5Schema, lngE5Schema])).max(500),
    marginM: countSchema,
  }),
  appointment: z.strictObject({ fromMs: msSchema, toMs: msSchema }).nullable(),
  arrival: intervalSchema,
  departure: intervalSchema,
  between: z.strictObject({
    arrival: z.array(partSchema).max(200),
    departure: z.array(partSchema).max(200),
  }),
  /** When this server's clock shows it inside; `away`: but for these times. Statements of before have none. */
  sure: z.strictObject({
    fromMs: msSchema,
    toMs: msSchema,
    away: z
      .array(z.strictObject({ fromMs: msSchema, toMs: msSchema }))
      .max(200)
      .optional(),
  }),
  terms: termsSchema.extend({ of: z.enum(TERMS_OF) }),
  /** What trucks that had the load at the stop before have used of its free time and of the cap; absent: there were none. */
  earlier: z.strictObject({ freeMs: countSchema, amountCents: countSchema }).optional(),
  billing: z.strictObject({
    freeFromMs: msSchema,
    freeToMs: msSchema,
    overMin: countSchema,
    billableMin: countSchema,
    mostMin: countSchema.nullable(),
    amountCents: countSchema,
    isCapped: z.boolean(),
  }),
  fixes: z.strictObject({ arrival: z.array(fixSchema).max(40), departure: z.array(fixSchema).max(40) }),
  /** What could not be recorded or was silent during the stay. */
  gaps: z.array(partSchema).max(200),
  trail: z.array(z.tuple([latE5Schema, lngE5Schema])).max(400),
  /** The tracker on the day of the stay; null where there are too few fixes. */
  quality: z
    .strictObject({
      fixes: countSchema,
      /** From when a fix was made to when it was seen. */
      delayP50Ms: z.int(),
      delayP95Ms: z.int(),
      intervalP50Ms: countSchema,
      longestGapMs: countSchema,
      handedOver: countSchema,
      ahead: countSchema,
    })
    .nullable(),
  notices: z
    .array(
      z.strictObject({
        to: z.enum(['dispatcher', 'customer']),
        address: text(254).nullable(),
        atMs: msSchema,
        state: z.enum(NOTICE_STATES),
      }),
    )
    .max(60),
});
export type DetentionStatement = z.infer<typeof detentionStatementSchema>;

const BETWEEN_TEXTS: Readonly<Record<Between, string>> = {
  moving: 'reporting while it moved',
  standing: 'reporting while it stood',
  silent: 'silent: the tracker sent nothing',
  failing: 'not recorded: the provider did not answer',
  notRunning: 'not recorded: no server was running',
  lost: 'not recorded: answers could not be stored',
};

const TERMS_TEXTS: Readonly<Record<(typeof TERMS_OF)[number], string>> = {
  fleet: 'terms of the carrier',
  customer: 'terms with the customer',
  site: 'terms for the site',
  load: 'terms for the load',
};

const spanText = (ms: number): string =>
  ms < MINUTE_MS ? `${Math.round(ms / 1000)} s` : minutesText(Math.floor(ms / MINUTE_MS));

type Interval = z.infer<typeof intervalSchema>;

const intervalText = ({ afterMs, byMs }: Interval, zone: string): string => {
  if (afterMs === null && byMs === null) return 'not known';
  if (afterMs === null) return `by ${documentTimeText(byMs!, zone)}`;
  if (byMs === null) return `after ${documentTimeText(afterMs, zone)}`;
  return `after ${documentTimeText(afterMs, zone)}, by ${documentTimeText(byMs, zone)}`;
};

const partsText = (parts: DetentionStatement['gaps']): string =>
  parts.map(({ fromMs, toMs, why }) => `${spanText(toMs - fromMs)} ${BETWEEN_TEXTS[why]}`).join('; ');

const PLACE_TEXTS = {
  inside: 'inside',
  margin: 'outside, within the margin',
  outside: 'outside',
} as const;

const degreesText = (e5: number): string =>
  `${e5 < 0 ? '-' : ''}${Math.floor(Math.abs(e5) / 1e5)}.${String(Math.abs(e5) % 100_000).padStart(5, '0')}`;

/** Rounded down: "650 ft", "1.8 mi". */
const distanceText = (meters: number): string => {
  const feet = Math.floor(meters / METERS_PER_FOOT);
  return feet < 1000 ? `${feet} ft` : `${(Math.floor((meters / METERS_PER_MILE) * 10) / 10).toFixed(1)} mi`;
};

const toFixTable = (
  caption: string,
  fixes: readonly StatementFix[],
  { zone, translate }: { zone: string; translate: Translate },
): Block => ({
  type: 'table',
  caption,
  columns: [
    translate('doc.fixes.made'),
    translate('doc.fixes.seen'),
    translate('doc.fixes.position'),
    translate('doc.fixes.where'),
  ],
  rows: fixes.map(({ madeMs, seenMs, latE5, lngE5, place, edgeM }) => [
    cellTimeText(madeMs, zone),
    cellTimeText(seenMs, zone),
    `${degreesText(latE5)}, ${degreesText(lngE5)}`,
    `${PLACE_TEXTS[place]}, ${distanceText(edgeM)} from the edge`,
  ]),
});

const VIN_TEXTS = { right: 'Its check digit is right.', wrong: 'Its check digit is wrong.' } as const;
const MATCH_TEXTS = {
  same: 'The provider has it as a truck of this carrier.',
  other: 'The provider has it as a truck of another carrier.',
  own: 'The carrier lists it as its own truck, and there is no provider that says so.',
  unknown: 'The provider did not say whose truck it is.',
} as const;

const toTruckFacts = ({ truck, load, customer, place }: DetentionStatement, translate: Translate): Fact[] => [
  {
    label: translate('truck.number'),
    value: [truck.name, truck.plate].filter(Boolean).join(' · '),
  },
  {
    label: translate('truck.vin'),
    value: truck.vin ?? 'none',
    note: [truck.vinCheck && VIN_TEXTS[truck.vinCheck], MATCH_TEXTS[truck.carrierMatch]]
      .filter(Boolean)
      .join(' '),
  },
  ...(load === null
    ? []
    : [
        {
          label: translate('share.load'),
          value: [load.reference, load.po, load.bol].filter(Boolean).join(' · '),
        },
      ]),
  ...(customer === '' ? [] : [{ label: translate('doc.customer'), value: customer }]),
  { label: translate('doc.place'), value: [place.name, place.address].filter(Boolean).join(', ') },
];

const toTimeFacts = (
  { place, appointment, arrival, departure, between }: DetentionStatement,
  translate: Translate,
): Fact[] => {
  const zone = place.timeZone;
  return [
    {
      label: translate('doc.appointment'),
      value:
        appointment === null
          ? 'none'
          : appointment.fromMs === appointment.toMs
            ? documentTimeText(appointment.fromMs, zone)
            : `${documentTimeText(appointment.fromMs, zone)} to ${documentTimeText(appointment.toMs, zone)}`,
    },
    {
      label: translate('doc.arrived'),
      value: intervalText(arrival, zone),
      note: partsText(between.arrival) || 'No fix shows where the truck was before.',
    },
    {
      label: translate('doc.left'),
      value: intervalText(departure, zone),
      note: partsText(between.departure) || 'No fix shows when it was gone.',
    },
  ];
};

const sumMs = (spans: readonly { fromMs: number; toMs: number }[]): number =>
  spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);

/** Times away that are written one by one; of more, how many and how long in all. */
const MOST_NAMED = 6;

const toAwayFacts = (
  away: NonNullable<DetentionStatement['sure']['away']>,
  { zone, translate }: { zone: string; translate: Translate },
): Fact[] => {
  if (away.length === 0) return [];
  const named = away.map(
    ({ fromMs, toMs }) =>
      `${documentTimeText(fromMs, zone)} to ${documentTimeText(toMs, zone)} (${spanText(toMs - fromMs)})`,
  );
  return [
    {
      label: translate('doc.away'),
      value:
        away.length > MOST_NAMED ? `${away.length} times, ${spanText(sumMs(away))} in all` : named.join('; '),
      note: 'A fix shows the truck outside then, or it was silent and stood elsewhere after that. Neither free time nor billable minutes go on.',
    },
  ];
};

/** What is billed although no fix says so: between two fixes inside the truck is taken to have stayed. */
const silenceText = ({ gaps, sure: { away = [] } }: DetentionStatement): string => {
  const counted = gaps.filter(
    (gap) => !away.some(({ fromMs, toMs }) => gap.fromMs < toMs && gap.toMs > fromMs),
  );
  return counted.length === 0
    ? ''
    : ` For ${spanText(sumMs(counted))} there is no fix: it stood at the same spot before and after, and counts as there.`;
};

const toBillingFacts = (subject: DetentionStatement, translate: Translate): Fact[] => {
  const { sure, terms, billing, place, appointment, earlier } = subject;
  const zone = place.timeZone;
  const counted =
    terms.countedFrom === 'appointment' && appointment !== null
      ? 'from the arrival, or from the appointment if that is later'
      : 'from the arrival';
  return [
    {
      label: translate('doc.terms'),
      value: `${minutesText(terms.freeMin)} free ${counted}, then ${moneyText(terms.rateCents)} an hour`,
      note: `By the ${TERMS_TEXTS[terms.of]}. Minutes are rounded down to steps of ${terms.stepMin} min${
        terms.capCents === null ? '' : `, and the amount is at most ${moneyText(terms.capCents)}`
      }.`,
    },
    {
      label: translate('doc.sure'),
      value: `${documentTimeText(sure.fromMs, zone)} to ${documentTimeText(sure.toMs, zone)}`,
      note: `By the clock of this server: from when it first saw the truck inside, to the last time that it saw it inside within ${LIVE_MS / MINUTE_MS} min of the fix, less ${CLOCK_MS / MINUTE_MS} min for the clock of the tracker.${silenceText(subject)}`,
    },
    ...toAwayFacts(sure.away ?? [], { zone, translate }),
    {
      label: translate('doc.free'),
      value: `${documentTimeText(billing.freeFromMs, zone)} to ${documentTimeText(billing.freeToMs, zone)}`,
      ...(earlier && {
        note: `Another truck had the load here before, and has used ${spanText(earlier.freeMs)} of the free time${
          terms.capCents === null ? '' : ` and ${moneyText(earlier.amountCents)} of the most for the stop`
        }.`,
      }),
    },
    {
      label: translate('doc.billable'),
      value: `${minutesText(billing.billableMin)} at least`,
      note: `${minutesText(billing.overMin)} beyond free time, in steps of ${terms.stepMin} min. ${
        billing.mostMin === null
          ? 'At most: not known, as no fix shows one end.'
          : `At most ${minutesText(billing.mostMin)}. The amount is by the least.`
      }`,
    },
    {
      label: translate('doc.amount'),
      value: moneyText(billing.amountCents),
      ...(billing.isCapped ? { note: 'By the cap of the terms.' } : {}),
    },
  ];
};

const NOTICE_TEXTS: Readonly<Record<(typeof NOTICE_STATES)[number], string>> = {
  opened: 'alert opened',
  sent: 'accepted by the mail server',
  failed: 'refused by the mail server',
  pending: 'not yet sent',
  dropped: 'not sent',
};

const toNoticeBlock = ({ notices, place }: DetentionStatement, translate: Translate): Block =>
  notices.length === 0
    ? { type: 'text', text: 'No notice was sent before free time ended.' }
    : {
        type: 'table',
        caption: translate('doc.notices'),
        columns: [translate('doc.notices.to'), translate('doc.notices.what'), translate('doc.notices.when')],
        rows: notices.map(({ to, address, atMs, state }) => [
          [to === 'dispatcher' ? 'Dispatcher' : 'Customer', address].filter(Boolean).join(' · '),
          NOTICE_TEXTS[state],
          cellTimeText(atMs, place.timeZone),
        ]),
      };

const toGapBlocks = ({ gaps, place: { timeZone } }: DetentionStatement, translate: Translate): Block[] =>
  gaps.length === 0
    ? []
    : [
        {
          type: 'table',
          caption: translate('doc.gaps.stay'),
          columns: [
            ...[translate('doc.from'), translate('doc.to')],
            ...[translate('doc.gaps.for'), translate('doc.gaps.why')],
          ],
          rows: gaps.map(({ fromMs, toMs, why }) => [
            ...[documentTimeText(fromMs, timeZone), documentTimeText(toMs, timeZone)],
            ...[spanText(toMs - fromMs), BETWEEN_TEXTS[why]],
          ]),
        },
      ];

const toQualityFacts = ({ quality, gaps }: DetentionStatement, translate: Translate): Fact[] => [
  {
    label: translate('doc.gaps.stay'),
    value:
      gaps.length === 0
        ? 'none'
        : `${gaps.length === 1 ? 'one' : gaps.length}, ${spanText(sumMs(gaps))}${gaps.length === 1 ? '' : ' in all'}`,
  },
  ...(quality === null
    ? []
    : [
        {
          label: translate('doc.tracker'),
          value: `${quality.fixes} fixes, ${spanText(quality.intervalP50Ms)} apart (median), ${spanText(quality.longestGapMs)} at most`,
          note: `Seen ${spanText(Math.max(0, quality.delayP50Ms))} after they were made (median), 19 of 20 within ${spanText(Math.max(0, quality.delayP95Ms))}. ${quality.handedOver} were handed over later, ${quality.ahead} were dated ahead of this server's clock.`,
        },
      ]),
];

/** A statement as page and PDF show it. */
export const toDetentionBlocks = (
  { subject, knownMs }: Pick<DocumentContent<DetentionStatement>, 'subject' | 'knownMs'>,
  translate: Translate,
): Block[] => {
  const { place, fixes, trail } = subject;
  const zone = place.timeZone;
  const first = fixes.arrival.find(({ place: where }) => where === 'inside');
  const last = fixes.departure.findLast(({ place: where }) => where === 'inside');
  const point = (fix: StatementFix | undefined, label: string) =>
    fix ? [{ latE5: fix.latE5, lngE5: fix.lngE5, label }] : [];
  return [
    { type: 'facts', facts: toTruckFacts(subject, translate) },
    { type: 'heading', text: translate('doc.times') },
    { type: 'facts', facts: toTimeFacts(subject, translate) },
    { type: 'heading', text: translate('doc.detention') },
    { type: 'facts', facts: toBillingFacts(subject, translate) },
    toNoticeBlock(subject, translate),
    { type: 'heading', text: translate('doc.evidence') },
    {
      type: 'map',
      caption: translate('doc.map.stay', { place: place.name }),
      points: [...point(first, translate('doc.map.first')), ...point(last, translate('doc.map.last'))],
      trail,
      circle: { latE5: place.latE5, lngE5: place.lngE5, radiusM: place.radiusM },
    },
    toFixTable(translate('doc.fixes.arrival'), fixes.arrival, { zone, translate }),
    toFixTable(translate('doc.fixes.departure'), fixes.departure, { zone, translate }),
    ...toGapBlocks(subject, translate),
    { type: 'facts', facts: toQualityFacts(subject, translate) },
    {
      type: 'text',
      text: `An arrival or a departure lies between two fixes of the tracker. What is billed is counted by the end that favors the other side, and nothing is rounded up. All times are by the clock of ${place.name} (${zone}). By what was recorded until ${documentTimeText(knownMs, zone)}. That the tracker was in the truck is not proved.`,
    },
  ];
};
