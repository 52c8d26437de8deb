import 'server-only';
import { LRUCache } from 'lru-cache';
import { getOrMake } from '@/lib/base/maps';
import type { Clock } from '@/lib/base/clock';
import { compress } from '@/lib/base/http/compress';
import { chooseEncoding, isNoneMatchFailed, type Encoding } from '@/lib/base/http/negotiation';
import type { Log } from '@/lib/base/log';
import { MINUTE_MS } from '@/lib/base/time';
import { createKeyLimit } from '@/lib/base/rate-limits';
import { toReader, type Reader } from '@/lib/catalog/reader';
import type { Basemap } from '@/lib/geo/base-map/basemap';
import type { Nearby } from '@/lib/gazetteer/place';
import type { LatLng } from '@/lib/geo/units';
import { loadPlaceTable } from '@/lib/past/server/places';
import type { ShareAnswer, ShareView } from '../../view';
import { loadBasemap } from './ground';
import { renderBusy, renderEnded, renderFault, renderNothing, renderShare, toSharePolicy } from './page';

/** Requests of one client address in a minute: an open page asks four times, and an office may share an address. */
const OF_ADDRESS = { points: 600, durationS: 60 };
/** Requests of one link in a minute, from all addresses, on each server. */
const OF_LINK = { points: 30_000, durationS: 60 };
/** Answers that show nothing are sent at a multiple of this after their request, whatever it took to find out. */
const TICK_MS = 50;
/** A page without scripts asks again half a minute after it was sent: after longer its address was opened. */
const AGAIN_WITHIN_MS = MINUTE_MS;
/** Languages, countries and zones in which one view is kept. */
const MOST_VARIANTS = 60;

/** An answer as it is sent, in each encoding that was asked for. */
interface Rendered {
  bytes: Uint8Array;
  etag: string | null;
  encoded: Map<Encoding, ReturnType<typeof compress>>;
}

export interface ShareRequest {
  method: string;
  url: string;
  headers: Headers;
}

/** What answering needs of its server. */
export interface ShareServer {
  shares: {
    read: (token: string, client: { address: string; isOpening: boolean }) => Promise<ShareAnswer>;
  };
  clock: Clock;
  log: Pick<Log, 'error'>;
}

const toRendered = (html: string, etag: string | null = null): Rendered => ({
  bytes: new TextEncoder().encode(html),
  etag,
  encoded: new Map(),
});

const keyOf = ({ locale, zone }: Reader): string => `${locale} ${zone ?? ''}`;

/** The parameters of a page's address; others, such as those of mail programs, are ignored. */
const readAddress = ({ url, headers }: ShareRequest) => {
  const { searchParams } = new URL(url);
  const reader = toReader(headers.get('accept-language'), {
    language: searchParams.get('lang'),
    zone: searchParams.get('zone'),
  });
  return { reader, sentMs: Number(searchParams.get('again')) };
};

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  vary: 'Accept-Language, Accept-Encoding',
} as const;

/** Headers of an answer; sites that may frame it are named by its policy alone. */
const toHeaders = ({ locale }: Reader, frameOrigins: readonly string[]): Headers => {
  const headers = new Headers(HEADERS);
  headers.set('content-language', locale);
  headers.set('content-security-policy', toSharePolicy(frameOrigins));
  if (frameOrigins.length > 0) {
    // Left out: older browsers would show no frame at all.
    headers.set('x-frame-options', '');
    headers.set('cross-origin-resource-policy', 'cross-origin');
  }
  return headers;
};

const respond = async (
  { headers: asked }: ShareRequest,
  { bytes, etag, encoded }: Rendered,
  status: number,
  headers: Headers,
): Promise<Response> => {
  if (etag !== null) {
    headers.set('etag', etag);
    if (isNoneMatchFailed(asked.get('if-none-match'), etag)) {
      headers.delete('content-type');
      return new Response(null, { status: 304, headers });
    }
  }
  const accepted = chooseEncoding(asked.get('accept-encoding'));
  const { body, encoding } = await getOrMake(encoded, accepted, () => compress(bytes, accepted));
  if (encoding !== null) headers.set('content-encoding', encoding);
  return new Response(body as Uint8Array<ArrayBuffer>, { status, headers });
};

/** Where a map and the names of positions are read from. */
interface Sources {
  map: Basemap;
  findPlace: (at: LatLng) => Nearby | null;
}

interface Link {
  token: string;
  /** The client's. */
  address: string;
}

/** Resolves at the next tick after a request, of which there is a whole number since `startedMs`. */
export const waitForTick = (clock: Clock, startedMs: number): Promise<void> => {
  const tookMs = clock.monotonicMs() - startedMs;
  return new Promise((resolve) => {
    clock.setTimer(resolve, Math.ceil((tookMs + 1) / TICK_MS) * TICK_MS - tookMs);
  });
};

/** A page that is asked for again by itself after so many seconds, by browsers without its script too. */
const respondLater = (
  request: ShareRequest,
  reader: Reader,
  { html, status, waitS }: { html: string; status: number; waitS: number },
): Promise<Response> => {
  const headers = toHeaders(reader, []);
  for (const name of ['retry-after', 'refresh']) headers.set(name, String(waitS));
  return respond(request, toRendered(html), status, headers);
};

/** Answers requests of customers' pages; each view is rendered once for each language, country and zone. */
export class ShareAnswers {
  readonly #load: () => Promise<Sources>;
  readonly #addresses = createKeyLimit(OF_ADDRESS);
  readonly #links = createKeyLimit(OF_LINK);
  readonly #rendered = new WeakMap<ShareView, LRUCache<string, Rendered>>();
  readonly #notices = new LRUCache<string, Rendered>({ max: 200 });

  constructor(load: () => Promise<Sources>) {
    this.#load = load;
  }

  async answer(server: ShareServer, request: ShareRequest, link: Link): Promise<Response> {
    const startedMs = server.clock.monotonicMs();
    const { reader, sentMs } = readAddress(request);
    const waitS = await this.#takeLimits(link);
    if (waitS > 0)
      return respondLater(request, reader, { html: renderBusy(reader, waitS), status: 429, waitS });
    try {
      const isAgain = Math.abs(server.clock.nowMs() - sentMs) < AGAIN_WITHIN_MS;
      const isOpening = request.method === 'GET' && !isAgain && !request.headers.has('if-none-match');
      const answer = await server.shares.read(link.token, { address: link.address, isOpening });
      return await this.#respond(server.clock, startedMs, { request, reader, answer });
    } catch (error) {
      // Without the address, which is a secret.
      server.log.error({ err: error }, "A customer's page could not be shown.");
      return respondLater(request, reader, { html: renderFault(reader), status: 503, waitS: 15 });
    }
  }

  /** Seconds to wait; 0: the request is within the limits. */
  async #takeLimits({ token, address }: Link): Promise<number> {
    // No link has a longer token.
    return (await this.#addresses.take(address)) || (await this.#links.take(token.slice(0, 64)));
  }

  async #respond(
    clock: Clock,
    startedMs: number,
    { request, reader, answer }: { request: ShareRequest; reader: Reader; answer: ShareAnswer },
  ): Promise<Response> {
    if (answer.kind === 'open') {
      const { view } = answer;
      const page = await this.#render(view, reader);
      return respond(request, page, 200, toHeaders(reader, view.frameOrigins));
    }
    if (answer.kind === 'ended')
      return respond(request, toRendered(renderEnded(reader, answer)), 410, toHeaders(reader, []));
    const page = getOrMake(this.#notices, reader.locale, () => toRendered(renderNothing(reader)));
    await waitForTick(clock, startedMs);
    return respond(request, page, 404, toHeaders(reader, []));
  }

  async #render(view: ShareView, reader: Reader): Promise<Rendered> {
    const variants = getOrMake(
      this.#rendered,
      view,
      () => new LRUCache<string, Rendered>({ max: MOST_VARIANTS }),
    );
    const held = variants.get(keyOf(reader));
    if (held) return held;
    const sources = await this.#load();
    return getOrMake(variants, keyOf(reader), () => {
      const { html, etag } = renderShare(view, reader, sources);
      return toRendered(html, etag);
    });
  }
}

const answers = new ShareAnswers(async () => {
  const [map, places] = await Promise.all([loadBasemap(), loadPlaceTable()]);
  return { map, findPlace: places.find };
});

/** The answer to a request of a link's page. Never rejects. */
export const answerShare = (server: ShareServer, request: ShareRequest, link: Link): Promise<Response> =>
  answers.answer(server, request, link);
