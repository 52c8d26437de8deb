import 'server-only';
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { Clock } from '@/lib/base/clock';
import { isGraded } from '@/lib/arrivals/grades';
import { SECOND_MS } from '@/lib/base/time';
import { toTranslate, type Language, type Translate } from '@/lib/catalog/catalog';
import { betweenText, momentText, rangeText, zoneText, type ZonedReader } from '@/lib/catalog/measures';
import { toUsualReader } from '@/lib/catalog/reader';
import type { LoadInFull } from '@/lib/loads/load';
import { readAllInFull, readLoads } from '@/lib/loads/server/loads';
import { toICalendar, type CalendarEvent } from './icalendar';
import { hashToken, isToken } from './token';

type Run = Pick<Pool, 'query'>;

/** Whether a calendar goes on is looked up so often: a revocation holds everywhere within this time. */
const CHECKED_EVERY_MS = SECOND_MS;
/** What it shows is read so often at most. */
const KEPT_MS = 30 * SECOND_MS;
const MOST_KEPT = 500;
const MOST_LOADS = 500;

/** A calendar as it is stored, with what its maker may see. */
interface CalendarRow {
  id: string;
  usdot: string;
  siteId: number;
  site: string;
  language: Language;
  showsTruck: boolean;
  /** Null: all trucks. */
  makerTags: string[] | null;
}

/** The open calendar of a hashed token, whose maker has the right to it. $2: the time, Unix ms. */
const FIND = `
  SELECT c.id, c.usdot, c.site_id AS "siteId", p.name AS site, c.language, c.shows_truck AS "showsTruck", u.tags AS "makerTags"
  FROM linehaul.site_calendars c JOIN linehaul.sites p ON p.id = c.site_id
  LEFT JOIN linehaul.users u ON u.id = c.made_by_id
  WHERE c.token_hash = $1 AND c.revoked_ms IS NULL AND (c.ends_ms IS NULL OR c.ends_ms > $2)
    AND (c.made_by_id IS NULL OR (u.disabled_at IS NULL AND (u.usdots IS NULL OR c.usdot = ANY (u.usdots))))`;

const FIND_LOADS = `
  SELECT DISTINCT l.id::float8 AS id FROM linehaul.load_stops s JOIN linehaul.loads l ON l.id = s.load_id
  WHERE s.site_id = $1 AND l.usdot = $2 AND l.ended_ms IS NULL ORDER BY 1 LIMIT ${MOST_LOADS}`;

const READ_SEEN = `SELECT DISTINCT unit FROM linehaul.unit_tags WHERE usdot = $1 AND tag = ANY ($2)`;

const READ_NAMES = `
  SELECT DISTINCT ON (unit) unit, identity->>'truckNumber' AS number FROM linehaul.unit_identities
  WHERE usdot = $1 AND unit = ANY ($2) ORDER BY unit, seen_ms DESC`;

const findCalendar = async (run: Run, tokenHash: string, nowMs: number): Promise<CalendarRow | null> =>
  (await run.query<CalendarRow>(FIND, [tokenHash, nowMs])).rows[0] ?? null;

/** When a truck is expected at a stop of a load, or came; null: it has left, or nothing is known of it. */
const toExpected = (load: LoadInFull, position: number) => {
  const { next, judged, window, later, stops } = load;
  if (next === null || position < next) return null;
  const visit = judged[position]?.visit ?? null;
  if (visit) {
    const { arrivedAfterMs, arrivedMs } = visit;
    return { key: 'calendar.here', fromMs: arrivedAfterMs ?? arrivedMs, toMs: arrivedMs } as const;
  }
  if (position === next && window)
    return {
      key: isGraded(window) ? 'calendar.window' : 'calendar.ungraded',
      ...{ fromMs: window.fromMs, toMs: window.toMs },
    } as const;
  const laterWindow = later[position]?.window;
  if (laterWindow) return { key: 'calendar.later', ...laterWindow } as const;
  const { appointment } = stops[position]!;
  return appointment && ({ key: 'calendar.noWindow', ...appointment } as const);
};
type Expected = NonNullable<ReturnType<typeof toExpected>>;

const toText = (
  translate: Translate,
  reader: ZonedReader,
  { key, fromMs, toMs }: Expected,
  appointment: { fromMs: number; toMs: number } | null,
): string => {
  const rangeOf = (from: number, to: number): string =>
    from === to ? momentText(reader, from, 0) : rangeText(reader, from, to, 0);
  const zone = zoneText(reader, fromMs);
  const texts = {
    'calendar.here': () => translate('calendar.here', { range: betweenText(reader, fromMs, toMs), zone }),
    'calendar.window': () =>
      `${translate('calendar.window', { range: rangeOf(fromMs, toMs), zone })} ${translate('arrival.held')}`,
    'calendar.ungraded': () => translate('calendar.window', { range: rangeOf(fromMs, toMs), zone }),
    'calendar.later': () => translate('calendar.later', { range: rangeOf(fromMs, toMs), zone }),
    'calendar.noWindow': () => translate('calendar.noWindow'),
  };
  const agreed =
    appointment &&
    translate('calendar.appointment', { range: rangeOf(appointment.fromMs, appointment.toMs), zone });
  return [texts[key](), agreed].filter(Boolean).join('\n');
};

/** The arrivals of a load at a site that are expected. */
const toEvents = (calendar: CalendarRow, load: LoadInFull, number: string | null): CalendarEvent[] => {
  const translate = toTranslate(calendar.language);
  const positions = load.stops.flatMap(({ siteId }, position) =>
    siteId === calendar.siteId ? position : [],
  );
  return positions.flatMap((position, nth): CalendarEvent[] => {
    const expected = toExpected(load, position);
    if (expected === null) return [];
    const stop = load.stops[position]!;
    const reader = toUsualReader(calendar.language, stop.timeZone);
    const references = [load.reference, load.po, load.bol].filter((text) => text !== '').join(' · ');
    const title = [
      translate('calendar.title', { load: references }),
      number === null ? '' : translate('calendar.truck', { truck: number }),
    ];
    const uid = createHash('sha256').update(`${calendar.id} ${load.id} ${nth}`).digest('hex').slice(0, 32);
    return [
      {
        ...{ uid: `${uid}@linehaul`, fromMs: expected.fromMs, toMs: expected.toMs },
        changedMs: Math.max(load.madeMs, load.seenMs ?? 0),
        title: title.filter((text) => text !== '').join(', '),
        text: toText(translate, reader, expected, stop.appointment),
        place: stop.address === '' ? stop.name : `${stop.name}, ${stop.address}`,
        isSure: expected.key === 'calendar.here',
      },
    ];
  });
};

/** What a calendar shows now. */
const readCalendar = async (run: Run, calendar: CalendarRow, nowMs: number): Promise<string> => {
  const { usdot, siteId, site, language, makerTags, showsTruck } = calendar;
  const ids = (await run.query<{ id: number }>(FIND_LOADS, [siteId, usdot])).rows.map(({ id }) => id);
  const found = ids.length === 0 ? [] : await readLoads(run, usdot, { endedAfterMs: nowMs, ids, nowMs });
  const underWay = found.filter(({ endedMs }) => endedMs === null);
  const tagged = makerTags && (await run.query<{ unit: string }>(READ_SEEN, [usdot, makerTags])).rows;
  const seen = tagged && new Set(tagged.map(({ unit }) => unit));
  const unitOf = ({ trucks }: (typeof found)[number]): string => trucks.at(-1)?.unit ?? '';
  const shown = underWay.filter((load) => seen === null || seen.has(unitOf(load)));
  const names = showsTruck
    ? (await run.query<{ unit: string; number: string | null }>(READ_NAMES, [usdot, shown.map(unitOf)])).rows
    : [];
  const loads = await readAllInFull(run, usdot, shown, nowMs);
  const events = loads.flatMap((load) => {
    const isHeld = load.trucks.at(-1)?.toMs === null;
    const named = isHeld ? names.find(({ unit }) => unit === unitOf(load)) : undefined;
    return toEvents(calendar, load, named?.number ?? null);
  });
  events.sort((a, b) => a.fromMs - b.fromMs || (a.uid < b.uid ? -1 : 1));
  return toICalendar(toTranslate(language)('calendar.name', { site }), events);
};

/** A calendar as its file has it. */
interface ShownCalendar {
  id: string;
  text: string;
}

interface Kept extends ShownCalendar {
  row: CalendarRow;
  checkedMs: number;
  readMs: number;
}

/** Reads what calendars show, each at most every half minute however often it is asked for. */
export class CalendarFeeds {
  readonly #open: () => Promise<Run>;
  readonly #clock: Clock;
  readonly #kept = new LRUCache<string, Kept>({ max: MOST_KEPT });
  readonly #reading = new Map<string, Promise<ShownCalendar | null>>();

  constructor({ open, clock }: { open: () => Promise<Run>; clock: Clock }) {
    this.#open = open;
    this.#clock = clock;
  }

  /** The calendar of a token; null: nothing is to be shown. @throws while the database is away */
  async read(token: string): Promise<ShownCalendar | null> {
    if (!isToken(token)) return null;
    const tokenHash = hashToken(token);
    const reading =
      this.#reading.get(tokenHash) ?? this.#read(tokenHash).finally(() => this.#reading.delete(tokenHash));
    this.#reading.set(tokenHash, reading);
    return reading;
  }

  async #read(tokenHash: string): Promise<ShownCalendar | null> {
    const atMs = this.#clock.monotonicMs();
    const held = this.#kept.get(tokenHash);
    if (held && atMs - held.checkedMs < CHECKED_EVERY_MS) return held;
    const run = await this.#open();
    const row = await findCalendar(run, tokenHash, this.#clock.nowMs());
    if (row === null) {
      this.#kept.delete(tokenHash);
      return null;
    }
    const isSame = held && JSON.stringify(held.row) === JSON.stringify(row) && atMs - held.readMs < KEPT_MS;
    const text = isSame ? held.text : await readCalendar(run, row, this.#clock.nowMs());
    const kept = { id: row.id, text, row, checkedMs: atMs, readMs: isSame ? held.readMs : atMs };
    this.#kept.set(tokenHash, kept);
    return kept;
  }
}
