import 'server-only';
import { distanceM } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { parseRetryAfter } from '@/lib/tracking/http/transport';
import { BodyTooLongError, readBody } from '@/lib/tracking/http/read-answer';
import { LEAST_CHARACTERS } from '@/lib/base/credential-text';

/** A way as an engine gives it: meters, and the time to drive it in ms. */
export interface Route {
  distM: number;
  driveMs: number;
}

/** The engines whose HTTP interface is spoken. */
export const ENGINES = { osrm: 'OSRM', valhalla: 'Valhalla' } as const;
export type EngineName = keyof typeof ENGINES;

/** An engine that gave no answer that can be used; the message has no part of its address. */
export class RoutingError extends Error {
  override name = 'RoutingError';

  constructor(
    message: string,
    /** How long it asks to be left alone, ms; null: it does not say. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}

/** A routing engine at an address. */
export interface Engine {
  name: EngineName;
  /** Secrets in its address, which no log may show. */
  secrets: readonly string[];
  toRequest: (from: LatLng, to: LatLng, signal: AbortSignal) => Request;
  /** The way in an answer; null: there is none. @throws RoutingError */
  read: (response: Response, nowMs: number) => Promise<Route | null>;
}

/** With the shape of a way across the country. */
const MOST_BYTES = 4 * 2 ** 20;
/** An engine takes the nearest road, however far away it is: its map may end before the stop. */
const MOST_OFF_ROAD_M = 2000;
/** 160 km/h on average: no truck drives such a way. */
const FASTEST_M_PER_MS = 160 / 3600;
/** About a meter. */
const DECIMALS = 5;

/** OSRM: `code` of an answer without a way, where a request is as it should be. */
const NO_OSRM_ROUTE = ['NoRoute', 'NoSegment', 'TooBig'];
/** Valhalla: `error_code` of one: too far, no connection, no road or no path there. */
const NO_VALHALLA_ROUTE = [154, 170, 171, 441, 442];

type Fields = Record<string, unknown>;
const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** Codes are words and numbers; any other text could repeat the address. */
const toCode = (code: unknown): string | null =>
  code !== undefined && code !== null && /^\w{1,30}$/.test(String(code)) ? String(code) : null;

interface Dialect {
  toBody?: (from: LatLng, to: LatLng) => object;
  toPath: (from: LatLng, to: LatLng) => string;
  query: string;
  /** Whether a fault, by its code, says that there is no way. */
  isWithoutRoute: (answer: Fields) => boolean;
  codeOf: (answer: Fields) => unknown;
  /** Meters and seconds. */
  toWay: (answer: Fields) => [meters: unknown, seconds: unknown];
}

const toPosition = ({ lat, lng }: LatLng): string => `${lng.toFixed(DECIMALS)},${lat.toFixed(DECIMALS)}`;
const toLocation = ({ lat, lng }: LatLng): object => ({
  ...{ lat: Number(lat.toFixed(DECIMALS)), lon: Number(lng.toFixed(DECIMALS)) },
  search_cutoff: MOST_OFF_ROAD_M,
});

const DIALECTS: Readonly<Record<EngineName, Dialect>> = {
  osrm: {
    toPath: (from, to) => `/${toPosition(from)};${toPosition(to)}`,
    query: `overview=false&radiuses=${MOST_OFF_ROAD_M};${MOST_OFF_ROAD_M}`,
    codeOf: ({ code }) => code,
    isWithoutRoute: ({ code }) => NO_OSRM_ROUTE.includes(String(code)),
    toWay: ({ routes }) => {
      const { distance, duration } = toFields(Array.isArray(routes) ? routes[0] : null);
      return [distance, duration];
    },
  },
  valhalla: {
    toBody: (from, to) => ({
      locations: [from, to].map(toLocation),
      ...{ costing: 'truck', units: 'kilometers', directions_type: 'none' },
    }),
    toPath: () => '',
    query: '',
    codeOf: (answer) => answer['error_code'],
    isWithoutRoute: (answer) => NO_VALHALLA_ROUTE.includes(Number(answer['error_code'])),
    toWay: ({ trip }) => {
      const { length, time } = toFields(toFields(trip)['summary']);
      return [typeof length === 'number' ? length * 1000 : length, time];
    },
  },
};

const toRoute = ([meters, seconds]: [unknown, unknown]): Route => {
  const route = { distM: Number(meters), driveMs: Number(seconds) * 1000 };
  const isUsable =
    typeof meters === 'number' &&
    typeof seconds === 'number' &&
    [meters, seconds].every((value) => Number.isFinite(value) && value >= 0) &&
    route.distM <= route.driveMs * FASTEST_M_PER_MS + MOST_OFF_ROAD_M;
  if (!isUsable) throw new RoutingError('its answer has no length and time of a way');
  return route;
};

/** The fields of an answer; null: it is no JSON. */
const readFields = async (response: Response): Promise<Fields | null> => {
  try {
    return toFields(JSON.parse(await readBody(response, MOST_BYTES)));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error instanceof BodyTooLongError ? new RoutingError('its answer is too long') : error;
  }
};

const readRoute = async (response: Response, dialect: Dialect, nowMs: number): Promise<Route | null> => {
  const { status } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    throw new RoutingError('it answered with a redirect, which is not followed');
  }
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), nowMs);
  const answer = await readFields(response);
  // What answers for an engine that is away may have codes of its own.
  if (answer !== null && status < 500 && dialect.isWithoutRoute(answer)) return null;
  const code = toCode(answer && dialect.codeOf(answer));
  if (!response.ok)
    throw new RoutingError(`it answered ${status}${code === null ? '' : ` (${code})`}`, retryAfterMs);
  if (answer === null) throw new RoutingError('its answer is not JSON');
  return toRoute(dialect.toWay(answer));
};

/** OSRM's address has the profile, as its requests have it; Valhalla's ends with the name of the service. */
const PATHS: readonly [EngineName, RegExp][] = [
  ['osrm', /\/route\/v1\/[\w-]+$/],
  ['valhalla', /\/route$/],
];

/** A part of a URL as it is meant; as it stands where a % of it begins no escape. */
const decode = (part: string): string => (/%(?![\da-f]{2})/i.test(part) ? part : decodeURIComponent(part));

/** The engine of an address, or why there is none as the end of a sentence, which does not repeat it. */
export const toEngine = (text: string): Engine | { fault: string } => {
  const url = URL.canParse(text) && !/\s/.test(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return { fault: 'must be an http or https URL' };
  const path = url.pathname.replace(/\/+$/, '');
  const name = PATHS.find(([, pattern]) => pattern.test(path))?.[0];
  if (name === undefined || url.hash !== '')
    return {
      fault:
        'must end with /route/v1/ and a profile for OSRM (http://127.0.0.1:5000/route/v1/driving), or with /route for Valhalla (http://127.0.0.1:8002/route)',
    };
  const dialect = DIALECTS[name];
  const user = decode(url.username);
  const password = decode(url.password);
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'Linehaul' };
  if (user + password !== '')
    headers['authorization'] = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const query = [url.search.slice(1), dialect.query].filter(Boolean).join('&');
  return {
    name,
    secrets: [
      ...(password === '' ? [] : [password]),
      ...[...url.searchParams.values()].filter(({ length }) => length >= LEAST_CHARACTERS),
    ],
    toRequest: (from, to, signal) => {
      const body = dialect.toBody?.(from, to);
      return new Request(
        `${url.origin}${path}${dialect.toPath(from, to)}${query === '' ? '' : `?${query}`}`,
        {
          ...{ headers, signal, redirect: 'manual', cache: 'no-store' },
          ...(body && {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
        },
      );
    },
    read: (response, nowMs) => readRoute(response, dialect, nowMs),
  };
};

/** Null where a way is too short to lead from one position to the other: the engine's map lacks a part of it. */
export const toWholeRoute = (route: Route | null, from: LatLng, to: LatLng): Route | null => {
  const straightM = distanceM(from, to);
  return route !== null && route.distM >= 0.99 * straightM - 2 * MOST_OFF_ROAD_M ? route : null;
};
