import 'server-only';
import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import { LANGUAGES, LANGUAGE_NAMES, toTranslate, type Language, type Translate } from '@/lib/catalog/catalog';
import { ageText, durationText, momentText, withZone, zoneText } from '@/lib/catalog/measures';
import type { Reader } from '@/lib/catalog/reader';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import type { Basemap } from '@/lib/geo/base-map/basemap';
import type { SharedItem, ShareView } from '../../view';
import {
  h,
  renderListed,
  renderOnly,
  toPlaceText,
  toStatusText,
  isPast,
  NONE,
  type Html,
  type PageContext,
} from './item';
import { FINE } from './ground';
import { renderMap } from './map';
import { SCRIPT } from './script';
import { STYLE } from './style';

/** Without scripts a page asks for itself again after so long. */
const RELOAD_S = 30;
/** An arrow, so that no browser asks for /favicon.ico. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='-12 -12 24 24'%3E%3Cpath fill='%23098655' d='M0-9.2 6.8 7.4 0 4-6.8 7.4Z' transform='rotate(45)'/%3E%3C/svg%3E";

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const SOURCES = { script: hash(SCRIPT), style: hash(STYLE) };

/** The policy of a customer's page: it loads nothing, and runs its own script alone. */
export const toSharePolicy = (frameOrigins: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src ${SOURCES.script}`,
    `style-src ${SOURCES.style}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameOrigins.length === 0 ? "'none'" : frameOrigins.join(' ')}`,
  ].join('; ');

interface Document {
  reader: Reader;
  translate: Translate;
  title: string;
  main: Html;
  /** The entity tag of an answer that is asked for again, and when it was sent, Unix ms; null: it does not change any more. */
  again: { tag: string; sentMs: number } | null;
}

const renderLanguages = (shown: Language, translate: Translate): Html =>
  h`<nav aria-label="${translate('languages')}">${LANGUAGES.map(
    (language) =>
      h`<a href="?lang=${language}" lang="${language}" hreflang="${language}"${language === shown ? raw(' aria-current="true"') : ''}>${LANGUAGE_NAMES[language]}</a>`,
  )}</nav>`;

const renderDocument = ({ reader, translate, title, main, again }: Document): string => {
  const { language, locale } = reader;
  const reload =
    again === null
      ? NONE
      : // The address that is forwarded from such a page is opened later.
        h`<noscript><meta http-equiv="refresh" content="${RELOAD_S}; url=?lang=${language}&amp;again=${again.sentMs}"></noscript>`;
  const lost = translate('connection.lost', { time: '#' });
  return h`<!doctype html>
<html lang="${locale}"${again === null ? '' : h` data-tag="${again.tag}"`}><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow,noarchive"><meta name="format-detection" content="telephone=no"><link rel="icon" href="${raw(ICON)}">${reload}<style>${raw(STYLE)}</style></head><body><div class="page"><div id="net" role="status" data-lost="${lost}"></div>${main}<footer>${renderLanguages(language, translate)}</footer></div>${again === null ? NONE : h`<script>${raw(SCRIPT)}</script>`}</body></html>
`.toString();
};

/** A page that does not change by itself. */
export const renderPage = (reader: Reader, title: string, main: Html): string =>
  renderDocument({ reader, translate: toTranslate(reader.language), title, main, again: null });

const renderNotice = (reader: Reader, heading: string, text: string): string =>
  renderPage(reader, heading, h`<main><div class="only"><h1>${heading}</h1><p>${text}</p></div></main>`);

/** The policy of a page that asks something with a form. */
export const FORM_POLICY = toSharePolicy([]).replace("form-action 'none'", "form-action 'self'");

/** A page that asks to confirm something, or says that it was done where there is no button. */
export const renderForm = (
  reader: Reader,
  { heading, text, button }: { heading: string; text: string; button: string | null },
): string =>
  renderPage(
    reader,
    heading,
    h`<main><div class="only"><h1>${heading}</h1><p>${text}</p>${button === null ? NONE : h`<form method="post"><button>${button}</button></form>`}</div></main>`,
  );

/** The page of a link that never was, was revoked, or has ended without showing that. */
export const renderNothing = (reader: Reader): string => {
  const translate = toTranslate(reader.language);
  return renderNotice(reader, translate('nothing.heading'), translate('nothing.text'));
};

/** The page of a request too many. */
export const renderBusy = (reader: Reader, waitS: number): string => {
  const translate = toTranslate(reader.language);
  return renderNotice(
    reader,
    translate('busy.heading'),
    translate('busy.text', { n: Math.ceil(waitS / 60) }),
  );
};

/** The page where this server has a fault. */
export const renderFault = (reader: Reader): string => {
  const translate = toTranslate(reader.language);
  return renderNotice(reader, translate('fault.heading'), translate('fault.text'));
};

/** The clock where nothing says which is meant. */
const USUAL_ZONE = 'America/Chicago';

/** The page of a link that has ended and says so. */
export const renderEnded = (
  reader: Reader,
  { carrier, endedMs }: { carrier: string; endedMs: number },
): string => {
  const translate = toTranslate(reader.language);
  const zoned = { ...reader, zone: reader.zone ?? USUAL_ZONE };
  const moment = withZone(zoned, momentText(zoned, endedMs, 0), endedMs);
  return renderNotice(reader, translate('ended.heading'), translate('ended.text', { carrier, moment }));
};

const renderEnd = ({ view, translate, reader }: PageContext): Html => {
  const { endsMs, on, at } = view.end;
  const zoned = { ...reader, zone: reader.zone ?? view.timeZone };
  const moment = endsMs === null ? null : momentText(zoned, endsMs, view.nowMs);
  const place = { place: at ?? '' };
  const texts = [
    on === 'arrival' && (at === null ? translate('end.arrival') : translate('end.arrival.at', place)),
    on === 'departure' && (at === null ? translate('end.departure') : translate('end.departure.at', place)),
    on === 'delivery' && translate('end.delivery', { count: view.items.length }),
    moment !== null && translate(on === null ? 'end.time' : 'end.latest', { moment }),
  ].filter((text) => text !== false);
  return h`${texts.map((text) => h`${text} `)}`;
};

const renderTimes = ({ view, translate, reader }: PageContext): Html => {
  const zoned = { ...reader, zone: reader.zone ?? view.timeZone };
  const zone = zoneText(zoned, view.nowMs);
  const isOwn = reader.zone !== null;
  const asOf = translate('times.asOf', { moment: momentText(zoned, view.nowMs, view.nowMs) });
  return h`<p>${translate(isOwn ? 'times.own' : 'times.zone', { zone })} <span class="live">${translate('times.refreshed')}</span> <span class="asof">${asOf}</span></p>`;
};

const countKey = (items: readonly SharedItem[]) => {
  const loads = items.filter(({ kind }) => kind === 'load').length;
  return loads === items.length ? 'share.loads' : loads === 0 ? 'share.trucks' : 'share.mixed';
};

/** The makers of the map's data, one of whom wants to be named. */
const CREDIT = 'GeoNames.org, US Census, Natural Earth';

/** What the map shows, for those who do not see it. */
const toMapLabel = (context: PageContext): string => {
  const { view, translate } = context;
  const texts = view.items.flatMap((item) => {
    const status = toStatusText(context, item);
    const next = item.next === null ? undefined : item.stops[item.next];
    return [
      view.items.length > 1 ? item.title : null,
      item.position && toPlaceText(context, item.position),
      status && (isPast(context, item) ? status.was : status.now),
      next && translate('map.next', { stop: next.name }),
    ].filter((text) => Boolean(text));
  });
  return `${translate('map.label')}: ${texts.join('; ')}`;
};

/** The forms of an age, for the script: "#" stands for its number. */
const toAgeForms = (reader: Reader): string =>
  [1000, MINUTE_MS, HOUR_MS, DAY_MS, 2 * DAY_MS]
    .map((ms, i) => ageText(reader, ms).replace(i === 4 ? '2' : /(?<=^|\D)1(?!\d)/, i === 3 ? '1' : '#'))
    .join('|');

/** The view of an open link as the page's main part. */
const renderMain = (context: PageContext, map: Basemap, tolerance: number): Html => {
  const { view, reader, translate } = context;
  const { items, carrier, delayMin } = view;
  const [only] = items;
  const shown = items.length === 1 && only ? renderOnly(context, only) : null;
  const title = shown?.title ?? translate(countKey(items), { count: items.length });
  const eye =
    shown && only
      ? `${carrier} · ${translate(only.kind === 'load' ? 'share.load' : 'share.truck')}`
      : carrier;
  const figure = renderMap(map, view, { label: toMapLabel(context), tolerance });
  return h`<main data-now="${view.nowMs}" data-zone="${reader.zone === null ? view.timeZone : ''}" data-ages="${toAgeForms(reader)}"><header class="head"><p class="eye">${eye}</p><h1>${title}</h1></header>${figure === null ? NONE : h`<figure>${figure}<p class="credit">${CREDIT}</p></figure>`}<div class="body">${
    delayMin > 0
      ? h`<p class="delay">${translate('position.delay', { duration: durationText(reader, delayMin * MINUTE_MS) })}</p>`
      : NONE
  }${shown?.body ?? items.map((item, i) => renderListed(context, item, i + 1))}<div class="end"><p>${renderEnd(context)}</p>${renderTimes(context)}</div></div></main>`;
};

export interface RenderedPage {
  html: string;
  /** An entity tag that changes with what is shown, and not with ages, which the page counts itself. */
  etag: string;
}

/** Ages, and the moment as of which a page is, change with each rendering. */
const MOVING = /(<time [^>]*data-age="\d+">)[^<]*|data-now="\d+"|<span class="asof">[^<]*/g;

/** The longest page, in bytes. */
const MOST_BYTES = 58_000;
/** How exactly a page is drawn, the best first, until it is short enough. */
const DETAILS = [
  { tolerance: FINE, isWhole: true },
  { tolerance: 2 * FINE, isWhole: true },
  { tolerance: 2 * FINE, isWhole: false },
  { tolerance: 6 * FINE, isWhole: false },
  { tolerance: 20 * FINE, isWhole: false },
] as const;

/** The page of an open link. */
export const renderShare = (
  view: ShareView,
  reader: Reader,
  { map, findPlace }: { map: Basemap } & Pick<PageContext, 'findPlace'>,
): RenderedPage => {
  const translate = toTranslate(reader.language);
  const title = translate('share.title', { carrier: view.carrier });
  const render = ({ tolerance, isWhole }: (typeof DETAILS)[number]): RenderedPage => {
    const main = renderMain({ view, reader, translate, findPlace, isWhole }, map, tolerance);
    const shown = main.toString().replaceAll(MOVING, '$1');
    const etag = `"${createHash('sha256').update(shown).digest('base64url').slice(0, 22)}"`;
    const again = { tag: etag, sentMs: view.nowMs };
    return { html: renderDocument({ reader, translate, title, main, again }), etag };
  };
  let page = render(DETAILS[0]);
  for (const detail of DETAILS.slice(1)) {
    if (Buffer.byteLength(page.html) <= MOST_BYTES) break;
    page = render(detail);
  }
  return page;
};
