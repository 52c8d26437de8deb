import 'server-only';
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Translate } from '@/lib/catalog/catalog';
import {
  ageText,
  distanceText,
  durationText,
  isSameClock,
  momentText,
  rangeText,
  roughDistanceText,
  speedText,
  withZone,
} from '@/lib/catalog/measures';
import type { Reader } from '@/lib/catalog/reader';
import type { Nearby } from '@/lib/gazetteer/place';
import { compassPoint } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { MINUTE_MS } from '@/lib/base/time';
import type { SharedItem, SharedPosition, SharedStop, ShareView } from '../../view';

/** HTML without promises in it. */
export type Html = HtmlEscapedString;
export const h = html as unknown as (strings: TemplateStringsArray, ...values: unknown[]) => Html;
export const NONE = h``;

/** What rendering needs of a request and its server. */
export interface PageContext {
  view: ShareView;
  reader: Reader;
  translate: Translate;
  findPlace: (at: LatLng) => Nearby | null;
  /** False: a link is about so much that the stops of each load are left out. */
  isWhole: boolean;
}

/** The age, ms, from which sentences about a fix are in the past tense: the least after which a truck counts as late. */
export const PAST_AFTER_MS = 3 * MINUTE_MS;

const titleOf = ({ title, kind, truckNumber }: SharedItem, translate: Translate): string =>
  // A line ends with the point between two references, and does not begin with it.
  (title || truckNumber)?.replaceAll(' · ', '\u00a0· ') ||
  translate(kind === 'load' ? 'share.load' : 'share.truck');

/** The reader by whose clock a time at a stop is written: the reader's own, else the stop's. */
const at = ({ reader, view }: PageContext, zone: string = view.timeZone) => ({
  ...reader,
  zone: reader.zone ?? zone,
});

/** A time at a stop with the name of its zone, where no reader's clock is known and the page's is another. */
const withMark = (
  { reader, view }: PageContext,
  { timeZone }: SharedStop,
  text: string,
  ms: number,
): string =>
  reader.zone === null && !isSameClock(timeZone, view.timeZone, ms)
    ? withZone({ ...reader, zone: timeZone }, text, ms)
    : text;

const stopRange = (context: PageContext, stop: SharedStop, fromMs: number, toMs: number): string =>
  withMark(context, stop, rangeText(at(context, stop.timeZone), fromMs, toMs, context.view.nowMs), toMs);

const stopMoment = (context: PageContext, stop: SharedStop, ms: number): string =>
  withMark(context, stop, momentText(at(context, stop.timeZone), ms, context.view.nowMs), ms);

const arrivedRange = (context: PageContext, stop: SharedStop): string => {
  const { afterMs, byMs } = stop.arrived!;
  return afterMs === null
    ? context.translate('range.by', { time: stopMoment(context, stop, byMs) })
    : stopRange(context, stop, afterMs, byMs);
};

const leftRange = (context: PageContext, stop: SharedStop): string => {
  const { afterMs, byMs } = stop.left!;
  return byMs === null
    ? context.translate('range.after', { time: stopMoment(context, stop, afterMs) })
    : stopRange(context, stop, afterMs, byMs);
};

type Tone = 'good' | 'warn' | 'bad';
const MARKS: Readonly<Record<Tone, string>> = { good: '✓', warn: '▲', bad: '■' };

/** Whether a load is in time for its next stop, in words; null where there is nothing to say. */
const toVerdictText = (
  { translate, reader }: PageContext,
  { verdict, window }: SharedItem,
  { appointment, arrived }: SharedStop,
): { tone: Tone; text: string } | null => {
  if (appointment === null) return null;
  const by = (ms: number): string => durationText(reader, ms);
  switch (verdict) {
    case 'onTime':
      return { tone: 'good', text: translate(arrived ? 'verdict.onTime.arrived' : 'verdict.onTime') };
    case 'atRisk': {
      const beyondMs = window ? window.toMs - appointment.toMs : 0;
      const text =
        beyondMs < MINUTE_MS
          ? translate('verdict.atRisk')
          : translate('verdict.atRisk.by', { duration: by(beyondMs) });
      return { tone: 'warn', text };
    }
    case 'late': {
      const fromMs = arrived ? (arrived.afterMs ?? arrived.byMs) : (window?.fromMs ?? 0);
      const beyondMs = fromMs - appointment.toMs;
      const text =
        beyondMs < MINUTE_MS
          ? translate('verdict.late')
          : translate('verdict.late.by', { duration: by(beyondMs) });
      return { tone: 'bad', text };
    }
    case 'unknown':
    case 'none':
    case null:
      return null;
  }
};

const renderVerdict = (context: PageContext, item: SharedItem, stop: SharedStop): Html => {
  const { appointment } = stop;
  if (appointment === null) return NONE;
  const verdict = toVerdictText(context, item, stop);
  const range = stopRange(context, stop, appointment.fromMs, appointment.toMs);
  return h`<p>${context.translate('appointment', { range })}</p>${
    verdict &&
    h`<p class="ver ${verdict.tone}"><span aria-hidden="true">${MARKS[verdict.tone]}</span> ${verdict.text}</p>`
  }`;
};

/** A window by the clock of its stop, where the reader's shows another time. */
const renderLocal = (context: PageContext, stop: SharedStop, fromMs: number, toMs: number): Html => {
  const { reader, view, translate } = context;
  if (reader.zone === null || isSameClock(reader.zone, stop.timeZone, toMs)) return NONE;
  const range = rangeText({ ...reader, zone: stop.timeZone }, fromMs, toMs, view.nowMs);
  return h`<p>${translate('arrival.local', { range })}</p>`;
};

/** When the truck is at its next stop, or that it is there, or that all is done. */
const renderArrival = (context: PageContext, item: SharedItem): Html => {
  const { translate } = context;
  const { next, stops, window, verdict } = item;
  const stop = next === null ? undefined : stops[next];
  if (stop === undefined) {
    const last = stops.at(-1);
    if (!last?.left) return NONE;
    const done = translate(last.kind === 'delivery' ? 'arrival.delivered' : 'arrival.done');
    return h`<div class="arr"><p>${last.name}</p><p class="big">${done}</p><p>${translate('stop.left', { range: leftRange(context, last) })}</p></div>`;
  }
  if (stop.arrived) {
    const since = translate('stop.arrived', { range: arrivedRange(context, stop) });
    return h`<div class="arr"><p class="big">${translate('arrival.here', { stop: stop.name })}</p><p>${since}</p>${renderVerdict(context, item, stop)}</div>`;
  }
  if (verdict === null) return h`<div class="arr"><p>${translate('map.next', { stop: stop.name })}</p></div>`;
  if (window === null)
    return h`<div class="arr"><p>${translate('arrival.at', { stop: stop.name })}</p><p class="big dim">${translate('arrival.none')}</p>${renderVerdict(context, item, stop)}</div>`;
  return h`<div class="arr"><p>${translate('arrival.at', { stop: stop.name })}</p><p class="big">${stopRange(context, stop, window.fromMs, window.toMs)}</p>${renderLocal(context, stop, window.fromMs, window.toMs)}${window.isGraded ? h`<p>${translate('arrival.held')}</p>` : NONE}${renderVerdict(context, item, stop)}</div>`;
};

/** A text that names a place: French "de" is elided before a vowel. */
const withPlace = ({ language }: Reader, place: string, text: string): string =>
  language === 'fr' && /^[AEIOU]/i.test(place.normalize('NFD'))
    ? text.replace(`de ${place}`, () => `d’${place}`)
    : text;

/** The position of an item in words. */
export const toPlaceText = (
  { findPlace, reader, translate }: Pick<PageContext, 'findPlace' | 'reader' | 'translate'>,
  position: SharedPosition,
): string => {
  const found = findPlace(position);
  if (found === null) return translate('place.unnamed');
  const { name, offset } = found;
  if (position.precision !== 'exact')
    return withPlace(reader, name, translate('place.near', { place: name }));
  if (offset === null) return name;
  const distance = roughDistanceText(reader, offset.meters);
  const { direction } = offset;
  return withPlace(reader, name, translate('place.offset', { distance, direction, place: name }));
};

/** What the truck does, now or when its fix was made. */
export const toStatusText = (context: PageContext, item: SharedItem): { now: string; was: string } | null => {
  const { translate, view, reader } = context;
  const { status, position, speedKph, headingDeg } = item;
  if (status === null) return null;
  const time = position ? momentText(at(context), position.fixAtMs, view.nowMs) : '';
  const motion = [
    speedKph === null || status.status !== 'moving' ? null : speedText(reader, speedKph),
    headingDeg === null || status.status !== 'moving'
      ? null
      : translate('motion.heading', { direction: compassPoint(headingDeg, 8) }),
  ].filter((text) => text !== null);
  const both = (now: string, was: string) => ({
    now: [now, ...motion].join(' · '),
    was: [was, ...motion].join(' · '),
  });
  const same = (text: string) => ({ now: text, was: text });
  switch (status.status) {
    case 'moving':
      return both(translate('status.moving'), translate('status.moving.past', { time }));
    case 'stopped': {
      const lastedMs = status.sinceMs === null ? 0 : view.nowMs - status.sinceMs;
      const now =
        lastedMs < MINUTE_MS
          ? translate('status.stopped')
          : translate('status.stopped.for', { duration: durationText(reader, lastedMs) });
      return both(now, translate('status.stopped.past', { time }));
    }
    case 'late':
      return same(translate('status.late', { time }));
    case 'silent':
      return same(translate('status.silent', { time }));
    case 'unknown':
      return same(translate('status.unknown'));
  }
};

/** Whether sentences about a fix are in the past tense. */
export const isPast = ({ view: { nowMs } }: PageContext, { position }: SharedItem): boolean =>
  position !== null && nowMs - position.fixAtMs >= PAST_AFTER_MS;

const iso = (ms: number): string => new Date(ms).toISOString();

const renderAge = ({ reader, view, translate }: PageContext, { fixAtMs }: SharedPosition): Html => {
  const age = ageText(reader, view.nowMs - fixAtMs);
  const [before, after] = translate('position.age', { age: '\u0000' }).split('\u0000') as [string, string];
  return h`<span class="age">${before}<time datetime="${iso(fixAtMs)}" data-age="${fixAtMs}">${age}</time>${after}</span>`;
};

const renderPosition = (context: PageContext, item: SharedItem): Html => {
  const { translate, reader } = context;
  const { position, leftM } = item;
  if (position === null)
    return h`<p class="none">${translate(item.kind === 'load' ? 'position.none.load' : 'position.none.truck')}</p>`;
  const status = toStatusText(context, item);
  const isWas = isPast(context, item);
  const { precision, radiusM, fixAtMs } = position;
  const left =
    leftM === null
      ? null
      : translate('way.left', {
          distance: precision === 'exact' ? distanceText(reader, leftM) : roughDistanceText(reader, leftM),
        });
  const note =
    precision === 'exact'
      ? NONE
      : h`<p class="note">${
          precision === 'area'
            ? translate('place.area', { distance: roughDistanceText(reader, radiusM) })
            : translate('place.town')
        }</p>`;
  return h`<ul class="rows" role="list"><li>${
    status &&
    h`<b class="${isWas ? 'was' : ''}" data-was="${status.was}" data-until="${fixAtMs + PAST_AFTER_MS}">${isWas ? status.was : status.now}</b>`
  }${renderAge(context, position)}</li><li><span>${toPlaceText(context, position)}</span>${left && h`<b>${left}</b>`}</li></ul>${note}`;
};

const renderTruck = ({ translate }: PageContext, item: SharedItem): Html => {
  const facts = (
    [
      ['truck.number', item.truckNumber === item.title ? null : item.truckNumber],
      ['truck.driver', item.driver],
      ['truck.vin', item.vin],
      ['truck.plate', item.plate],
    ] as const
  ).filter(([, text]) => text !== null && text !== '');
  return facts.length === 0
    ? NONE
    : h`<dl>${facts.map(([key, text]) => h`<div><dt>${translate(key)}</dt><dd>${text}</dd></div>`)}</dl>`;
};

const KINDS = { pickup: 'stop.pickup', delivery: 'stop.delivery', other: 'stop.other' } as const;

const renderStop = (context: PageContext, stop: SharedStop, isNext: boolean): Html => {
  const { translate } = context;
  const { kind, name, arrived, left, isPassed, appointment } = stop;
  const times = [
    arrived && translate('stop.arrived', { range: arrivedRange(context, stop) }),
    left && translate('stop.left', { range: leftRange(context, stop) }),
    isPassed && !arrived ? translate('stop.passed') : null,
    !arrived && !isPassed ? translate('stop.open') : null,
    appointment && !isNext && !left
      ? translate('appointment', { range: stopRange(context, stop, appointment.fromMs, appointment.toMs) })
      : null,
  ].filter((text) => text !== null);
  const state = left ? 'done' : arrived ? 'here' : isPassed ? 'passed' : 'open';
  return h`<li class="${state}"><span class="dot" aria-hidden="true">${state === 'done' ? '✓' : ''}</span><div><p><span class="kind">${translate(KINDS[kind])}</span> <b>${name}</b></p>${times.map((text) => h`<p class="t">${text}</p>`)}</div></li>`;
};

const renderStops = (context: PageContext, { stops, next }: SharedItem, level: 2 | 3): Html => {
  // The one that a window is for is named with it.
  if (stops.length < 2 || !context.isWhole) return NONE;
  const { translate } = context;
  const heading = translate('stops');
  return h`<section>${level === 2 ? h`<h2>${heading}</h2>` : h`<h3>${heading}</h3>`}<ol class="stops" role="list">${stops.map((stop, i) => renderStop(context, stop, i === next))}</ol><p class="note">${translate('stops.note')}</p></section>`;
};

/** What is shown of the only load or truck of a link, under the heading of the page. */
export const renderOnly = (context: PageContext, item: SharedItem): { title: string; body: Html } => {
  const title = titleOf(item, context.translate);
  return {
    title,
    body: h`${renderArrival(context, item)}${renderPosition(context, item)}${renderTruck(context, item)}${renderStops(context, item, 2)}`,
  };
};

/** A load or truck among several. `number` is its mark on the map. */
export const renderListed = (context: PageContext, item: SharedItem, number: number): Html => {
  const { translate, view } = context;
  const title = titleOf(item, translate);
  const heading = h`<h2><span class="num" aria-hidden="true">${number}</span> ${title}</h2>`;
  if (item.endedMs !== null) {
    const moment = momentText(at(context), item.endedMs, view.nowMs);
    return h`<article class="ended">${heading}<p>${translate('share.ended', { moment })}</p></article>`;
  }
  return h`<article>${heading}${renderArrival(context, item)}${renderPosition(context, item)}${renderTruck(context, item)}${renderStops(context, item, 3)}</article>`;
};
