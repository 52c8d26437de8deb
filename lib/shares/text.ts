import { formatCount, formatDuration, formatMoment } from '@/lib/view/format';
import { getOrMake } from '@/lib/base/maps';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { toLineMatcher, toLines } from '@/lib/view/search';
import { LANGUAGE_LABELS } from '@/lib/loads/mails';
import type { SiteCalendar } from './calendars';
import type {
  Precision,
  Share,
  ShareEnd,
  ShareInput,
  ShareOpenings,
  ShareState,
  SharedField,
} from './schema';

export const PRECISION_LABELS: Readonly<Record<Precision, string>> = {
  exact: 'Exact',
  area: 'Within 5 mi',
  town: 'Nearest town',
};

export const FIELD_LABELS: Readonly<Record<SharedField, string>> = {
  status: 'Status',
  heading: 'Speed and heading',
  window: 'Arrival window',
  stops: 'Stops and times',
  trail: 'Route driven',
  truckNumber: 'Truck number',
  driver: 'Driver’s first name',
  vin: 'VIN',
  plate: 'Plate',
};

/** In a list, where a line has room for few words. */
const FIELD_WORDS: Readonly<Record<SharedField, string>> = {
  status: 'status',
  heading: 'speed',
  window: 'window',
  stops: 'stops',
  trail: 'route',
  truckNumber: 'truck number',
  driver: 'driver',
  vin: 'VIN',
  plate: 'plate',
};

const FIELD_NOUNS: Readonly<Record<SharedField, string>> = {
  status: 'status',
  heading: 'speed and heading',
  window: 'arrival window',
  stops: 'stops and their times',
  trail: 'route driven',
  truckNumber: 'truck number',
  driver: 'driver’s first name',
  vin: 'VIN',
  plate: 'plate',
};

export const END_NOUNS: Readonly<Record<ShareEnd, string>> = {
  arrival: 'arrival',
  departure: 'departure',
  delivery: 'delivery',
};

export const STATE_LABELS: Readonly<Record<ShareState, string>> = {
  open: 'Open',
  ended: 'Ended',
  revoked: 'Revoked',
};

type EndedBy = NonNullable<Share['endedBy']>;

/** What ended a link, after "Ended". */
export const ENDED_BY_TEXTS: Readonly<Record<EndedBy, string>> = {
  arrival: 'by arrival',
  departure: 'by departure',
  delivery: 'by delivery',
  closed: 'as its load was ended by hand',
  removed: 'as its load or site was removed',
  time: 'by time',
  revoked: 'by hand',
};

/** "a", "a and b", "a, b, and c". */
export const listText = (parts: readonly string[]): string =>
  parts.length < 3 ? parts.join(' and ') : `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)!}`;

type Items = Pick<ShareInput, 'items'>;

/** So many items are named one by one. */
const MOST_NAMED = 3;

/** A text as the beginning of a line. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a link is about: "load 8841", "loads 8841 and 8842", "4 loads and truck 118". */
export const itemsText = ({ items }: Items, names: readonly string[]): string => {
  const textOf = (kind: 'load' | 'truck', ofKind: readonly string[]): string[] =>
    ofKind.length === 0
      ? []
      : [
          ofKind.length > MOST_NAMED
            ? formatCount(ofKind.length, kind)
            : `${kind}${ofKind.length === 1 ? '' : 's'} ${listText(ofKind)}`,
        ];
  // A load that was removed has no id any more.
  const named = items.map(({ unit }, i) => ({ isLoad: unit === null, name: names[i] ?? '' }));
  return listText([
    ...textOf(
      'load',
      named.flatMap(({ isLoad, name }) => (isLoad ? name : [])),
    ),
    ...textOf(
      'truck',
      named.flatMap(({ isLoad, name }) => (isLoad ? [] : name)),
    ),
  ]);
};

/** The loads and sites that name where a link ends. */
export interface SharePlaces {
  loads: readonly { id: number; stops: readonly { name: string }[] }[];
  sites: readonly { id: number; name: string }[];
}

/** The name of the stop or site where a link ends; null where it is not known, or it ends at none. */
export const placeOf = (
  {
    items,
    endsOn,
    endsAtStop,
    endsAtSite,
  }: Pick<ShareInput, 'items' | 'endsOn' | 'endsAtStop' | 'endsAtSite'>,
  { loads, sites }: SharePlaces,
): string | null => {
  if (endsOn === null || endsOn === 'delivery') return null;
  if (endsAtSite !== null) return sites.find(({ id }) => id === endsAtSite)?.name ?? null;
  if (items.length > 1) return null;
  const stops = loads.find(({ id }) => id === items[0]?.loadId)?.stops ?? [];
  return stops.at(endsAtStop ?? -1)?.name ?? null;
};

type Ends = Pick<ShareInput, 'items' | 'endsMs' | 'endsOn' | 'endsAtStop'>;

/** The event that ends a link: "delivery", "arrival at Acme DC", "departure from its last stop"; `place` names the stop or site, null: it is not known. */
const eventText = (
  { items, endsOn, endsAtStop }: Ends & { endsOn: ShareEnd },
  place: string | null,
): string => {
  if (endsOn === 'delivery') return items.length > 1 ? 'delivery of each load' : 'delivery';
  const stop = endsAtStop === null ? 'its last stop' : `stop ${endsAtStop + 1}`;
  const isOfLoads = items.some(({ unit }) => unit === null);
  const where = place ?? (isOfLoads ? stop : 'a site that was removed');
  return `${END_NOUNS[endsOn]} ${endsOn === 'arrival' ? 'at' : 'from'} ${where}`;
};

/** When a link ends, after "until": "delivery", "Dec 3, 2:10 PM", "delivery or Dec 3, 2:10 PM, whichever comes first". */
export const endText = (ends: Ends, place: string | null, nowMs: number): string => {
  const { endsMs, items } = ends;
  // A link ends with its loads in any case.
  const endsOn = ends.endsOn ?? (items.every(({ unit }) => unit === null) ? 'delivery' : null);
  const time = endsMs === null ? null : formatMoment(endsMs, nowMs);
  if (endsOn === null) return time ?? '';
  const event = eventText({ ...ends, endsOn }, place);
  return time === null ? event : `${event} or ${time}, whichever comes first`;
};

/** What of a link is shown beside the position, in the order of the form: "status, arrival window, and VIN"; empty for nothing. */
export const fieldsText = ({ fields }: Pick<ShareInput, 'fields'>): string =>
  listText(
    (Object.keys(FIELD_NOUNS) as SharedField[])
      .filter((field) => fields.includes(field))
      .map((field) => FIELD_NOUNS[field]),
  );

const whereText = (precision: Precision, items: string, isOne: boolean): string => {
  const is = isOne ? 'is' : 'are';
  switch (precision) {
    case 'exact':
      return `exactly where ${items} ${is}`;
    case 'area':
      return `to within 5 mi where ${items} ${is}`;
    case 'town':
      return `the town that ${items} ${is} nearest to`;
  }
};

/** The recipient of a link that was made for no one in particular. */
export const ANYONE = 'Anyone';

/** What a link shows, and until when, in plain sentences: "Acme sees exactly where load 8841 is, and its status, until delivery. Then …" */
export const shareText = (
  share: Omit<ShareInput, 'frameOrigins'>,
  names: readonly string[],
  place: string | null,
  nowMs: number,
): string => {
  const { recipient, precision, delayMin, showsEnd, items } = share;
  const fields = fieldsText(share);
  const isOne = items.length === 1;
  const aliases = items.flatMap(({ alias }) => alias || []);
  const where = whereText(precision, itemsText(share, names), isOne);
  const seen = fields === '' ? where : `${where}, and ${isOne ? 'its' : 'their'} ${fields}`;
  return [
    `${recipient === ANYONE || recipient === '' ? 'Anyone with the link' : recipient} sees ${seen}, until ${endText(share, place, nowMs)}.`,
    ...(aliases.length === 0
      ? []
      : [`${isOne ? 'The truck is' : 'Trucks are'} shown as ${listText(aliases)}.`]),
    ...(delayMin === 0 ? [] : [`All of it is shown ${formatDuration(delayMin * MINUTE_MS)} late.`]),
    showsEnd
      ? 'Then the page says only that it has ended.'
      : 'Then it is as if the link had never been made.',
  ].join(' ');
};

/** The state of a link, and since when or until when: "Open" and "until delivery", "Ended" and "by departure, 2:10 PM". */
export const stateTexts = (share: Share, place: string | null, nowMs: number): [string, string] => {
  const { state, endedBy, endedMs } = share;
  const label = STATE_LABELS[state];
  if (state === 'open') return [label, `until ${endText(share, place, nowMs)}`];
  const moment = endedMs === null ? '' : formatMoment(endedMs, nowMs);
  return [label, state === 'revoked' || endedBy === null ? moment : `${ENDED_BY_TEXTS[endedBy]}, ${moment}`];
};

/** The state of a calendar, and since when or until when: "Open" and "until it is revoked". */
export const calendarStateTexts = (
  { state, endsMs, endedMs }: SiteCalendar,
  nowMs: number,
): [string, string] => {
  const label = STATE_LABELS[state];
  if (state === 'open')
    return [label, endsMs === null ? 'until it is revoked' : `until ${formatMoment(endsMs, nowMs)}`];
  const moment = endedMs === null ? '' : formatMoment(endedMs, nowMs);
  return [label, state === 'ended' ? `${ENDED_BY_TEXTS.time}, ${moment}` : moment];
};

/** What a calendar shows, in the few words of a list: "Calendar · Spanish · truck numbers". */
export const calendarShownText = ({
  language,
  showsTruck,
}: Pick<SiteCalendar, 'language' | 'showsTruck'>): string =>
  ['Calendar', LANGUAGE_LABELS[language], ...(showsTruck ? ['truck numbers'] : [])].join(' · ');

type Opened = Pick<Share, 'opened' | 'lastOpenedMs'>;

/** How often a link or calendar was opened, and when last: "12 times" and "last 2:10 PM"; "never" and an empty text. */
export const openedTexts = ({ opened, lastOpenedMs }: Opened, nowMs: number): [string, string] =>
  opened === 0 || lastOpenedMs === null
    ? ['never', '']
    : [formatCount(opened, 'time'), `last ${formatMoment(lastOpenedMs, nowMs)}`];

/** The same in one text: "never opened", "opened 12 times, last 2:10 PM". */
export const openedText = (opened: Opened, nowMs: number): string => {
  const [count, last] = openedTexts(opened, nowMs);
  return last === '' ? `${count} opened` : `opened ${count}, ${last}`;
};

/** What a link shows, in the few words of a list: "Exact · status, window · 30 min late". */
export const shownText = (share: Pick<Share, 'precision' | 'fields' | 'delayMin'>): string =>
  [
    PRECISION_LABELS[share.precision],
    (Object.keys(FIELD_WORDS) as SharedField[])
      .filter((field) => share.fields.includes(field))
      .map((field) => FIELD_WORDS[field])
      .join(', '),
    share.delayMin === 0 ? '' : `${formatDuration(share.delayMin * MINUTE_MS)} late`,
  ]
    .filter(Boolean)
    .join(' · ');

/** What people without an account can read. */
export type AnyLink = Share | SiteCalendar;

export const isCalendar = (link: AnyLink): link is SiteCalendar => 'siteId' in link;

const heldLines = new WeakMap<AnyLink, string>();

/** The links and calendars that a text finds by whom they are for, what they show, an alias, or their maker. */
export const findLinks = (links: readonly AnyLink[], query: string): readonly AnyLink[] => {
  if (query.trim() === '') return links;
  const matches = toLineMatcher(query);
  const toText = (link: AnyLink): string =>
    isCalendar(link)
      ? toLines([link.recipient, link.site, 'calendar', link.madeBy])
      : toLines([link.recipient, ...link.names, ...link.items.map(({ alias }) => alias), link.madeBy]);
  return links.filter((link) => matches(getOrMake(heldLines, link, () => toText(link))));
};

/** From how many different networks a link was opened, of which no more is known: "1 place", "about 12 places". */
export const placesText = (places: number): string =>
  `${places > 1 ? 'about ' : ''}${formatCount(places, 'place')}`;

/** Bars that a chart has room for. */
const MOST_BARS = 72;

/** Openings as a chart of a day at least has them: one bar for each hour, or for each day or more where these would be too many. */
export const toBars = (
  openings: readonly ShareOpenings[],
): { bars: number[]; fromMs: number; toMs: number } => {
  if (openings.length === 0) return { bars: [], fromMs: 0, toMs: 0 };
  const hours = openings.map(({ hourMs }) => hourMs);
  const toMs = Math.max(...hours) + HOUR_MS;
  const fromMs = Math.min(...hours, toMs - DAY_MS);
  const stepMs = Math.ceil((toMs - fromMs) / MOST_BARS / HOUR_MS) * HOUR_MS;
  const bars = Array.from({ length: Math.ceil((toMs - fromMs) / stepMs) }, () => 0);
  for (const { hourMs, count } of openings) bars[Math.floor((hourMs - fromMs) / stepMs)]! += count;
  return { bars, fromMs, toMs };
};
