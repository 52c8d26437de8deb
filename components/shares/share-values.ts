import { z } from '@/lib/base/zod';
import type { Load } from '@/lib/loads/load';
import {
  DELAYS_MIN,
  LATEST_END_MS,
  SHARED_FIELDS,
  shareInputSchema,
  type Precision,
  type Share,
  type ShareEnd,
  type ShareInput,
  type SharedField,
} from '@/lib/shares/schema';
import { ANYONE, type SharePlaces } from '@/lib/shares/text';
import {
  AT_A_TIME,
  toEndMs,
  toTimeValues,
  type Choice,
  type ClockReading,
  type Problem,
  type TimeValues,
} from './end-time';

/** A load or truck of a link, with the name that the carrier has for it. */
export interface ItemValues {
  loadId: number | null;
  unit: string | null;
  name: string;
  alias: string;
}

/** A link as its form has it. */
export interface ShareValues extends TimeValues {
  recipient: string;
  items: ItemValues[];
  precision: Precision;
  fields: SharedField[];
  delayMin: string;
  /** One of `toEndChoices`. */
  ends: string;
  /** The site as it is typed. */
  endsAtSite: string;
  showsEnd: boolean;
  frameOrigins: string;
}

const FIRST = {
  precision: 'exact',
  delayMin: '0',
  endsAtSite: '',
  endsMs: '',
  showsEnd: true,
  frameOrigins: '',
} as const;

export const itemOfLoad = ({ id, reference }: Pick<Load, 'id' | 'reference'>): ItemValues => ({
  ...{ loadId: id, unit: null, name: reference, alias: '' },
});
export const itemOfTruck = (unit: string, name: string): ItemValues => ({
  ...{ loadId: null, unit, name, alias: '' },
});

/** A link for a load, as most customers need it: it ends with the delivery. */
export const valuesOfLoad = (load: Pick<Load, 'id' | 'reference' | 'customer'>): ShareValues => ({
  ...FIRST,
  recipient: load.customer || ANYONE,
  items: [itemOfLoad(load)],
  fields: ['status', 'window', 'stops'],
  ends: 'delivery',
  within: '',
});

/** A link for a truck: nothing ends it but its time. */
export const valuesOfTruck = (unit: string, name: string): ShareValues => ({
  ...FIRST,
  recipient: ANYONE,
  items: [itemOfTruck(unit, name)],
  fields: ['status', 'truckNumber'],
  ends: 'time',
  within: '24',
});

/** What typed texts are read with. */
export interface ShareReading extends SharePlaces, ClockReading {}

/** The form's values for a link that there is. */
export const valuesOfShare = (share: Share, { sites, zone, loads }: ShareReading): ShareValues => {
  const { recipient, items, names, precision, fields, delayMin, endsMs, endsOn, showsEnd } = share;
  const stops = items.length === 1 ? loads.find(({ id }) => id === items[0]!.loadId)?.stops : undefined;
  // The last stop is a choice by its name.
  const stop = endsOn === 'delivery' ? null : (share.endsAtStop ?? (stops && stops.length - 1) ?? null);
  const at = stop === null ? '' : `:${stop}`;
  return {
    ...{ recipient, precision, fields, delayMin: String(delayMin), showsEnd },
    items: items
      .map((item, i) => ({ ...item, name: names[i] ?? '' }))
      // A load that was removed cannot be shared again.
      .filter(({ loadId, unit }) => loadId !== null || unit !== null),
    ends: endsOn === null ? 'time' : `${endsOn}${at}`,
    endsAtSite: sites.find(({ id }) => id === share.endsAtSite)?.name ?? '',
    ...toTimeValues(endsMs, { zone }),
    frameOrigins: share.frameOrigins.join('\n'),
  };
};

type Items = Pick<ShareValues, 'items'>;

const isTruck = ({ unit }: ItemValues): boolean => unit !== null;

/** Whether a link is about trucks only, which have no stops. */
export const isOfTrucks = ({ items }: Items): boolean => items.every(isTruck);

const TIME: Choice = { value: 'time', label: 'A time' };

/** The stops at which a link for one load may end; of one that is not listed any more, those that are known. */
const toStopChoices = (stops: readonly { name: string }[] | undefined, ends: string): Choice[] => {
  if (stops !== undefined)
    return stops.map(({ name }, i) => ({
      value: `:${i}`,
      label: stops.length > 2 ? `${name} (stop ${i + 1})` : name,
    }));
  const [, held] = ends.split(':');
  return [
    { value: '', label: 'its last stop' },
    ...(held === undefined ? [] : [{ value: `:${held}`, label: `stop ${Number(held) + 1}` }]),
  ];
};

/** What may end a link with these loads and trucks, the usual one first. */
export const toEndChoices = (
  { items, ends }: Pick<ShareValues, 'items' | 'ends'>,
  { loads }: Pick<ShareReading, 'loads'>,
): Choice[] => {
  if (isOfTrucks({ items }))
    return [
      TIME,
      { value: 'arrival', label: 'Arrival at a site' },
      { value: 'departure', label: 'Departure from a site' },
    ];
  // What ends a load ends no truck.
  if (items.some(isTruck)) return [TIME];
  const [only, other] = items;
  const places =
    other === undefined
      ? toStopChoices(loads.find(({ id }) => id === only!.loadId)?.stops, ends)
      : toStopChoices(undefined, '');
  return [
    { value: 'delivery', label: other === undefined ? 'Delivery' : 'Delivery of each load' },
    ...places.map(({ value, label }) => ({ value: `arrival${value}`, label: `Arrival at ${label}` })),
    ...places.map(({ value, label }) => ({ value: `departure${value}`, label: `Departure from ${label}` })),
    // A load ends with its delivery in any case.
    ...(ends === TIME.value ? [TIME] : []),
  ];
};

/** The event that ends it: as chosen, or the usual one where that does not fit the items any more. */
const toEvent = (values: ShareValues, reading: ShareReading): Pick<ShareInput, 'endsOn' | 'endsAtStop'> => {
  const choices = toEndChoices(values, reading).map(({ value }) => value);
  const [kind, stop] = (choices.find((value) => value === values.ends) ?? choices[0]!).split(':') as [
    ShareEnd | 'time',
    string | undefined,
  ];
  return kind === 'time'
    ? { endsOn: null, endsAtStop: null }
    : { endsOn: kind, endsAtStop: stop === undefined ? null : Number(stop) };
};

/** Whether a link ends by its time alone. */
export const needsTime = (values: ShareValues, reading: ShareReading): boolean =>
  toEvent(values, reading).endsOn === null;

export const WITHIN_CHOICES: readonly Choice[] = [
  { value: '4', label: 'In 4 hours' },
  { value: '24', label: 'In 24 hours' },
  { value: '72', label: 'In 3 days' },
  { value: '168', label: 'In 7 days' },
  AT_A_TIME,
];
const USUAL_WITHIN = '24';

/** What its select shows: a link that needs a time has one. */
export const withinOf = (values: ShareValues, reading: ShareReading): string =>
  values.within === '' && needsTime(values, reading) ? USUAL_WITHIN : values.within;

/** What the form sends, and what it cannot read. */
export interface TypedShare {
  input: ShareInput;
  problems: Problem[];
}

const ONLY_EXACT: readonly SharedField[] = ['heading', 'trail'];
const ONLY_LOADS: readonly SharedField[] = ['window', 'stops', 'trail'];

/** Whether a field can be shown: a position that is not exact has no heading, and a truck without a load no stops. */
export const isPossible = (field: SharedField, values: Pick<ShareValues, 'items' | 'precision'>): boolean =>
  !(values.precision !== 'exact' && ONLY_EXACT.includes(field)) &&
  !(isOfTrucks(values) && ONLY_LOADS.includes(field));

const toSiteId = (values: ShareValues, { sites }: ShareReading, problems: Problem[]): number | null => {
  const typed = values.endsAtSite.trim().toLowerCase();
  const site = sites.find(({ name }) => name.toLowerCase() === typed);
  if (site === undefined)
    problems.push({
      path: ['endsAtSite'],
      message: typed === '' ? 'Name a site.' : 'Choose a site of this fleet from the list.',
    });
  return site?.id ?? null;
};

/** Reads the form. */
export const toTypedShare = (values: ShareValues, reading: ShareReading): TypedShare => {
  const problems: Problem[] = [];
  const { recipient, items, precision, fields, delayMin, showsEnd } = values;
  const event = toEvent(values, reading);
  const isAtSite = isOfTrucks(values) && event.endsOn !== null;
  const ends = { within: withinOf(values, reading), endsMs: values.endsMs };
  const endsMs = toEndMs(ends, reading, problems, LATEST_END_MS);
  const endsAtSite = isAtSite ? toSiteId(values, reading, problems) : null;
  return {
    input: {
      ...{ recipient: recipient.trim(), precision, showsEnd, ...event, endsMs, endsAtSite },
      items: items.map(({ loadId, unit, alias }) => ({ loadId, unit, alias: alias.trim() })),
      fields: SHARED_FIELDS.filter((field) => fields.includes(field) && isPossible(field, values)),
      delayMin: DELAYS_MIN.find((minutes) => String(minutes) === delayMin) ?? 0,
      frameOrigins: values.frameOrigins.split(/[\s,]+/).filter(Boolean),
    },
    problems,
  };
};

/** Checks what was read as the server does, with what could not be read. */
export const typedShareSchema = z.custom<TypedShare>().superRefine(({ input, problems }, context) => {
  for (const { path, message } of problems) context.addIssue({ code: 'custom', path, message });
  for (const { path, message } of shareInputSchema.safeParse(input).error?.issues ?? [])
    context.addIssue({ code: 'custom', path, message });
});
