import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '@/lib/base/time';
import { LANGUAGES } from '@/lib/catalog/catalog';
import { toReader, type Reader } from '@/lib/catalog/reader';
import type { Nearby } from '@/lib/gazetteer/place';
import type { LatLng } from '@/lib/geo/units';
import type { SharedItem, ShareView } from '@/lib/shares/view';
import { createBasemap } from '@/testing/map/create-basemap';
import { LOAD, VIEWS, VIEW_NOW } from '@/testing/shares/views';
import { loadBasemap } from './ground';
import { renderEnded, renderNothing, renderShare, toSharePolicy } from './page';
import { SCRIPT } from './script';
import { STYLE } from './style';

const MAP = createBasemap([], []);
const findPlace = (at: LatLng): Nearby =>
  at.lat > 38
    ? { name: 'St. Louis, MO', offset: null }
    : { name: 'Rolla, MO', offset: { meters: 14_484, direction: 'W' } };

const reader = (acceptLanguage: string, zone: string | null = null): Reader =>
  toReader(acceptLanguage, { language: null, zone });
const US = reader('en-US');

const render = (view: ShareView, by: Reader = US): string =>
  renderShare(view, by, { map: MAP, findPlace }).html;

/** The words of a page, without its head and its drawing. */
const textOf = (html: string): string =>
  html
    .replace(/^[\s\S]*<body>/, '')
    .replaceAll(/<(script|svg|noscript)[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/<\/?(b|span|time|strong)[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, '|')
    .replaceAll(/\u00a0|\u2009/g, ' ')
    .replaceAll(/[|\s]*\|[|\s]*/g, ' | ')
    .replaceAll('&#39;', "'");

const textIn = (name: keyof typeof VIEWS, by?: Reader): string => textOf(render(VIEWS[name], by));

describe('renderShare', () => {
  it('says when the truck arrives, as a window, and how often such windows held', () => {
    const text = textIn('exact');
    expect(text).toContain('| Prairie Star Freight · Load | 8841 · PO 55-210 |');
    expect(text).toContain(
      '| Arrives at Acme DC, St. Louis | 2:20 – 3:05 PM | 8 of 10 such estimates held. |',
    );
    expect(text).toContain('| Appointment 1:00 – 2:00 PM | ■ late by 20 min or more |');
    expect(text).toContain('| Moving · 61 mph · heading east');
    expect(text).toContain('Position fix 40 s ago | 9 mi west of Rolla, MO97 mi to go |');
    expect(text).toContain('| Truck | 104 | Driver | Dana |');
    const few = { ...VIEWS.exact, items: [{ ...LOAD, window: { ...LOAD.window!, isGraded: false } }] };
    expect(textOf(render(few))).toContain(
      '| Arrives at Acme DC, St. Louis | 2:20 – 3:05 PM | Appointment 1:00 – 2:00 PM |',
    );
    expect(textIn('onTime')).toContain('✓ on time');
    expect(textIn('atRisk')).toContain('▲ may be late, by up to 21 min');
    expect(textIn('noWindow')).toContain('| No estimate right now | Appointment 1:00 – 2:00 PM |');
  });

  it('says what happened at the stops as intervals', () => {
    expect(textIn('exact')).toContain(
      'Pickup Sooner Steel, Tulsa | Arrived 7:14 – 7:16 AM | Left 8:02 – 8:05 AM |',
    );
    expect(textIn('exact')).toContain('Delivery Acme DC, St. Louis | Not there yet |');
    expect(textIn('atStop')).toContain(
      '| At Acme DC, St. Louis | Arrived 9:54 – 9:56 AM | Appointment 1:00 – 2:00 PM | ✓ arrived on time |',
    );
    expect(textIn('delivered')).toContain('| Acme DC, St. Louis | Delivered | Left 10:07 – 10:09 AM |');
    expect(textIn('passed')).toContain('Stop Cross dock, Joplin | Passed: not seen there |');
    const { stops } = LOAD;
    const open = [
      { ...stops[0]!, arrived: { afterMs: null, byMs: VIEW_NOW }, left: { afterMs: VIEW_NOW, byMs: null } },
      stops[1]!,
    ];
    expect(textOf(render({ ...VIEWS.exact, items: [{ ...LOAD, stops: open }] }))).toContain(
      '| Arrived by 10:16 AM | Left after 10:16 AM |',
    );
  });

  it('tells what an old fix showed in the past tense', () => {
    expect(textIn('old')).toContain(
      '| Was moving at 10:12 AM · 61 mph · heading eastPosition fix 4 min ago |',
    );
    expect(textIn('parked')).toContain('| Stopped for 2 h 14 min');
    expect(textIn('late')).toContain('| No news since 10:02 AM');
    expect(textIn('silent')).toContain('| No signal since 9:06 AM');
    expect(textIn('unknown')).toContain('| Moving or stopped: not known yet');
    expect(textIn('delayed')).toContain('| Shown with a delay of 30 min. |');
    expect(textIn('delayed')).toContain('| Was moving at 9:45 AM');
    expect(textIn('noPosition')).toContain(
      '| No position yet. It appears here once the truck with this load reports. |',
    );
  });

  it('shows no more of a blurred position than the circle or the town', () => {
    expect(textIn('area')).toContain(
      '| Near Rolla, MO100 mi to go | The circle on the map has a radius of 5 mi; the truck is somewhere in it. |',
    );
    expect(textIn('town')).toContain('| Near Rolla, MO97 mi to go | Only the nearest town is shown. |');
    for (const name of ['area', 'town'] as const) {
      expect(render(VIEWS[name])).toContain('<circle class="ar"');
      expect(render(VIEWS[name])).not.toMatch(/class="(gl|wy|tl)"/);
    }
    expect(render(VIEWS.exact)).toMatch(/class="gl"[\s\S]*class="g-moving" transform="rotate\(68\)"/);
  });

  it('elides the French "de" before a vowel', () => {
    const near = (name: string): string =>
      textOf(
        renderShare(VIEWS.area, reader('fr-CA'), { map: MAP, findPlace: () => ({ name, offset: null }) })
          .html,
      );
    expect(near('Amarillo, TX')).toContain('| Près d’Amarillo, TX');
    expect(near('Évansville, IN')).toContain('| Près d’Évansville, IN');
    expect(near('Houston, TX')).toContain('| Près de Houston, TX');
    expect(near('Yakima, WA')).toContain('| Près de Yakima, WA');
  });

  it('lists several on one map, and what has ended of them', () => {
    const text = textIn('several');
    expect(text).toContain('| 3 loads |');
    expect(text).toMatch(/\| 1 8841 · PO 55-210 \|.*\| 2 8842 \|.*\| 3 8799 \| Ended 8:41 AM \|/);
    expect(render(VIEWS.several).match(/class="gl"/g)).toHaveLength(2);
    expect(textIn('truck')).toContain('| Prairie Star Freight · Truck | 104 |');
  });

  it('says when it ends, and whose clock its times are by', () => {
    expect(textIn('exact')).toContain(
      '| This page ends when the truck leaves Acme DC, St. Louis. At the latest: Mon, Nov 30, 4:16 PM. | Times: Central Time. The page updates itself. As of 10:16 AM |',
    );
    expect(textIn('truck')).toContain('| This page ends 8:16 PM. |');
    expect(textIn('several')).toContain(
      '| This page ends when each load is delivered. At the latest: 8:16 PM. |',
    );
    const own = textIn('exact', reader('en-US', 'America/New_York'));
    expect(own).toContain('| 3:20 – 4:05 PM | 2:20 – 3:05 PM at the stop |');
    expect(own).toContain('| Times by your clock: Eastern Time. The page updates itself. As of 11:16 AM |');
    const [pickup, delivery] = LOAD.stops;
    const elsewhere = { ...LOAD, stops: [pickup!, { ...delivery!, timeZone: 'America/Denver' }] };
    expect(textOf(render({ ...VIEWS.exact, items: [elsewhere] }))).toContain('| 1:20 – 2:05 PM MST |');
  });

  it('is written in the language, the units and the clock of its reader', () => {
    const es = textIn('exact', reader('es-MX'));
    expect(es).toContain(
      '| Llega a Acme DC, St. Louis | 2:20–3:05 p.m. | 8 de cada 10 estimaciones como esta se cumplieron. |',
    );
    expect(es).toContain('| En movimiento · 98 km/h · hacia el este');
    expect(es).toContain('A 14 km al oeste de Rolla, MOFaltan 156 km |');
    const fr = textIn('exact', reader('fr-CA'));
    expect(fr).toContain('| Arrivée : Acme DC, St. Louis | 14 h 20 – 15 h 05 |');
    expect(fr).toContain('| ■ retard d’au moins 20 min |');
    expect(render(VIEWS.exact, reader('fr-CA'))).toContain('<html lang="fr-CA"');
  });

  it('escapes what people and trucks are called', () => {
    const hostile = `<script>alert(1)</script>"'&\u0000{n}`;
    const plain = render(VIEWS.exact);
    const scripts = (html: string) => html.match(/<\w+/g)!.length;
    fc.assert(
      fc.property(fc.oneof(fc.constant(hostile), fc.string({ unit: 'binary-ascii' })), (text) => {
        const named = `x${text}`;
        const item: SharedItem = {
          ...LOAD,
          ...{ title: named, truckNumber: named, driver: named, vin: null, plate: null },
          stops: LOAD.stops.map((stop) => ({ ...stop, name: named })),
        };
        const html = render({
          ...VIEWS.exact,
          carrier: named,
          items: [item],
          end: { ...VIEWS.exact.end, at: named },
        });
        // The truck's number is left out where it is the title already.
        const withoutMap = (page: string) => page.replace(/<svg[\s\S]*<\/svg>/, '');
        expect(scripts(withoutMap(html))).toBe(scripts(withoutMap(plain)) - 3);
        expect(/<svg[^>]*>/.exec(html)![0]).toMatch(
          /^<svg role="img" aria-label="[^"]*" viewBox="0 0 780 600">$/,
        );
      }),
      { numRuns: 15 },
    );
  });

  it('has no position and no name of a load or stop in its head', () => {
    for (const view of Object.values(VIEWS)) {
      const head = /<head>[\s\S]*<\/head>/.exec(render(view))![0].replace(STYLE, '');
      expect(head).not.toMatch(/og:|twitter:|description|Acme|8841|Rolla|St\. Louis|\d:\d\d/);
      expect(head).toContain('<title>Live tracking · Prairie Star Freight</title>');
    }
  });

  it('has one entity tag while only ages change, and another when anything else does', () => {
    const tagOf = (view: ShareView, by = US) => renderShare(view, by, { map: MAP, findPlace }).etag;
    const tag = tagOf(VIEWS.exact);
    expect(tagOf({ ...VIEWS.exact, nowMs: VIEW_NOW + 30_000 })).toBe(tag);
    expect(tagOf({ ...VIEWS.exact, nowMs: VIEW_NOW + 3 * MINUTE_MS })).not.toBe(tag);
    expect(tagOf(VIEWS.onTime)).not.toBe(tag);
    expect(tagOf(VIEWS.exact, reader('es-US'))).not.toBe(tag);
    expect(render(VIEWS.exact)).toContain(`data-tag="${tag.replaceAll('"', '&quot;')}"`);
  });

  it('is small', () => {
    for (const view of Object.values(VIEWS))
      for (const language of LANGUAGES)
        expect(Buffer.byteLength(render(view, reader(language)))).toBeLessThan(30_000);
  });

  it('is small enough also where a link is about as much as it can be', async () => {
    const stops = Array.from({ length: 20 }, (_, i) => ({
      ...LOAD.stops[0]!,
      name: `Warehouse of the northern district, gate ${i}`,
      lat: 30 + i,
      lng: -75 - 2 * i,
    }));
    const items = Array.from({ length: 20 }, (_, i) => ({
      ...LOAD,
      ...{
        title: `Reference ${i} · PO 4711-0815-${i} · BOL 88${i}`,
        vin: '1M8GDM9AXKP042788',
        plate: `TX R48 ${i}`,
      },
      position: { ...LOAD.position!, lat: 30 + i, lng: -75 - 2 * i },
      stops,
      next: 19,
      trail: Array.from({ length: 120 }, (_, n) => ({
        lat: 30 + n / 10 + Math.sin(n + i),
        lng: -75 - n / 4 - Math.cos(n * 7),
      })),
    }));
    const map = await loadBasemap();
    for (const view of [
      { ...VIEWS.exact, items },
      { ...VIEWS.exact, items: items.slice(0, 1) },
    ]) {
      const { html } = renderShare(view, reader('fr-CA'), { map, findPlace });
      expect(Buffer.byteLength(html)).toBeLessThan(60_000);
    }
    for (const view of Object.values(VIEWS))
      expect(Buffer.byteLength(renderShare(view, reader('fr-CA'), { map, findPlace }).html)).toBeLessThan(
        45_000,
      );
  });

  it('runs its script only, which is a program', () => {
    expect(() => new Function(SCRIPT)).not.toThrow();
    const html = render(VIEWS.exact);
    expect(html).not.toMatch(/\son\w+=|style="|https?:(?!\/\/www\.w3\.org\/2000\/svg)/);
    expect(toSharePolicy([])).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; img-src data:;.*frame-ancestors 'none'$/,
    );
    expect(toSharePolicy(['https://a.example', 'https://b.example'])).toMatch(
      /frame-ancestors https:\/\/a\.example https:\/\/b\.example$/,
    );
  });
});

it('says that a link has ended, and nothing else', () => {
  const text = textOf(renderEnded(US, { carrier: 'Prairie Star Freight', endedMs: VIEW_NOW }));
  expect(text).toMatch(
    /^[\s|]*This has ended \| Prairie Star Freight shared it until Sun, Nov 29, 10:16 AM CST\. Nothing more is shown here\. \| English/,
  );
});

it('says nothing of a link that is not there', () => {
  expect(textOf(renderNothing(US))).toMatch(
    /^[\s|]*Nothing is shown here \| This link was mistyped, or is no longer open\./,
  );
  expect(renderNothing(US)).not.toMatch(/<script|data-tag|refresh/);
});

it('has the colors of the application', () => {
  const theme = readFileSync('app/theme.css', 'utf8');
  const [light = '', dark = ''] = theme.split('@media screen');
  const [ownLight = '', ownDark = ''] = STYLE.split('@media screen');
  const NAMES = [
    'moving',
    'stopped',
    'late',
    'silent',
    'unknown',
    'ground',
    'surface',
    'line',
    'text',
    'dim',
    'water',
    'land',
  ];
  const colorIn = (sheet: string, name: string) =>
    new RegExp(`--(?:lh-)?${name}: ?(#\\w+)`).exec(sheet)?.[1]?.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3');
  for (const name of NAMES) {
    expect(colorIn(ownLight, name), name).toBe(colorIn(light, name));
    expect(colorIn(ownDark, name), name).toBe(colorIn(dark, name));
  }
});
