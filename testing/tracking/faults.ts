import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ApiRecord } from './scripted-units';
import { TIME_FAULT_NAMES, TIME_FAULTS, type TimeFault } from './time-faults';
import { MINUTE_MS } from '@/lib/base/time';

/** A faultless provider's answer, and the further inputs of a faulty one. */
export interface Sound {
  /** "units", "vin-numbers" or "carrier". */
  resource: string;
  /** The answer as a whole; for units an object of their list. */
  json: unknown;
  /** The request is for one unit, by its VIN. */
  isUnit: boolean;
  /** The units of a list at a moment; null for any other request. */
  recordsAt: ((atMs: number) => ApiRecord[]) | null;
  nowMs: number;
  /** When this subject was last answered without a fault. */
  lastGoodMs: number;
  /** How many requests in a row for this subject were answered by this behavior before. */
  turn: number;
  /** The request's own headers, including the secrets. */
  headers: IncomingHttpHeaders;
  /** Another server, on another host: the target of redirects. */
  elsewhereUrl: string;
  /** Units of a fleet that was not requested, as many as the fleet has. */
  strangers: () => ApiRecord[];
}

type Answer = (response: ServerResponse, sound: Sound) => void;

const JSON_TYPE = { 'content-type': 'application/json' };
const DRIP_MS = 20;
const DAY_S = 86_400;
/** The part of a list that a first page holds. */
const PAGE_SHARE = 0.25;
const MIB = 2 ** 20;
const LONG_ANSWER_MIB = 60;
/** One unit in this many is bad where a few are, and at least one. */
const BAD_EVERY = 100;

const sendText = (response: ServerResponse, status: number, text: string | Buffer, headers = {}): void => {
  response.writeHead(status, { ...JSON_TYPE, ...headers }).end(text);
};

const sendJson = (response: ServerResponse, json: unknown): void =>
  sendText(response, 200, JSON.stringify(json));

export const sendStatus =
  (status: number, headers = {}): Answer =>
  (response) =>
    sendText(response, status, JSON.stringify({ error: `status ${status} of the test` }), headers);

/** The first half of the sound answer, with the headers of the whole. */
const beginBody = (response: ServerResponse, { json }: Sound): void => {
  const text = JSON.stringify(json);
  response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(text) });
  response.write(text.slice(0, text.length / 2));
};

/**
 * The sound answer with its units changed one by one; requests for anything else are answered without a
 * fault.
 */
const withRecords =
  (change: (record: ApiRecord, at: number) => unknown, envelope = {}): Answer =>
  (response, { json, recordsAt, nowMs }) => {
    const units = recordsAt?.(nowMs).map(change);
    sendJson(response, units ? { ...envelope, units } : json);
  };

/** The units of the list that `choose` returns; requests for anything else are answered without a fault. */
const withList =
  (
    choose: (sound: Sound & { recordsAt: (atMs: number) => ApiRecord[] }) => unknown[],
    envelope = {},
  ): Answer =>
  (response, sound) => {
    const { json, recordsAt } = sound;
    sendJson(response, recordsAt === null ? json : { ...envelope, units: choose({ ...sound, recordsAt }) });
  };

/** Every other answer is faulty, the first one among them. */
const everyOther =
  (faulty: Answer): Answer =>
  (response, sound) =>
    sound.turn % 2 === 0 ? faulty(response, sound) : sendJson(response, sound.json);

const hangsForResource =
  (hanging: string): Answer =>
  (response, { resource, json }) => {
    if (resource !== hanging) sendJson(response, json);
  };

const BAD_RECORDS = [null, 'a unit', {}, [], { coordinates: { lat: 1, lng: 1 } }];
const badRecord = (at: number): unknown => BAD_RECORDS[at % BAD_RECORDS.length];

const stringify = (value: unknown): unknown => {
  if (typeof value === 'number') return ` ${value}`;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, stringify(inner)]));
};

const toNulls = (record: ApiRecord): unknown =>
  Object.fromEntries(Object.keys(record).map((name) => [name, null]));

/** One character of the serial number is another. */
const mistype = (vin: string): string =>
  `${vin.slice(0, 15)}${vin.charAt(15) === '0' ? '1' : '0'}${vin.charAt(16)}`;

/** Keys that affect the prototype when records are spread or assigned. */
const UNKNOWN_FIELDS = JSON.parse(
  '{"odometer":{"km":[1,2,{}]},"__proto__":{"vin":"X"},"constructor":null,"toString":7,"driver":"Ann"}',
) as object;

function* endless(): Generator<string> {
  yield '{"units":[{"vin":"1FUJGLDR0NLM12041"}';
  for (;;) yield `,${JSON.stringify({ note: 'x'.repeat(64 * 1024) })}`;
}

function* padded(json: unknown): Generator<string> {
  yield `${JSON.stringify(json).replace(/\}$/, '')},"padding":"`;
  for (let i = 0; i < LONG_ANSWER_MIB; i++) yield 'x'.repeat(MIB);
  yield '"}';
}

const stream = (response: ServerResponse, text: Iterable<string>): void => {
  const source = Readable.from(text, { objectMode: false });
  // The client may disconnect at any moment.
  response.on('close', () => source.destroy()).writeHead(200, JSON_TYPE);
  source.pipe(response);
};

const dripBytes = (response: ServerResponse, { json }: Sound): void => {
  const text = JSON.stringify(json);
  let sent = 0;
  response.writeHead(200, JSON_TYPE);
  const timer = setInterval(() => response.write(text[sent++ % text.length]!), DRIP_MS);
  response.on('close', () => clearInterval(timer));
};

const TIME_FAULT_ANSWERS = Object.fromEntries(
  TIME_FAULT_NAMES.map((name) => [name, withRecords(TIME_FAULTS[name])]),
) as Record<TimeFault, Answer>;

/** The simulated faults of a listening provider, for one request. */
const FAULTS = {
  hangsBeforeHeaders: () => undefined,
  hangsInBody: beginBody,
  dripsSlowly: dripBytes,
  resetsAtOnce: (response) => void response.socket?.resetAndDestroy(),
  resetsMidway: (response, sound) => {
    beginBody(response, sound);
    setTimeout(() => response.socket?.resetAndDestroy(), DRIP_MS);
  },
  unauthorized: sendStatus(401),
  forbidden: sendStatus(403),
  notFound: sendStatus(404),
  tooMany: sendStatus(429),
  tooManyForSeconds: sendStatus(429, { 'retry-after': '3' }),
  tooManyUntilDate: (response, { nowMs }) =>
    sendStatus(429, { 'retry-after': new Date(nowMs + 2 * MINUTE_MS).toUTCString() })(response, {} as Sound),
  tooManyForADay: sendStatus(429, { 'retry-after': String(DAY_S) }),
  serverError: sendStatus(500),
  badGateway: (response) =>
    sendText(response, 502, '<html><h1>502 Bad Gateway</h1></html>', { 'content-type': 'text/html' }),
  redirects: (response, { elsewhereUrl }) =>
    sendText(response, 307, '', { location: `${elsewhereUrl}/api/units/elsewhere` }),
  loginPage: (response) =>
    sendText(response, 200, '<!doctype html><h1>Please log in</h1>', { 'content-type': 'text/html' }),
  wrongContentType: (response, { json }) =>
    sendText(response, 200, JSON.stringify(json), { 'content-type': 'text/html; charset=utf-8' }),
  emptyBody: (response) => sendText(response, 200, ''),
  truncated: (response, { json }) => {
    const text = JSON.stringify(json);
    sendText(response, 200, text.slice(0, text.length / 2));
  },
  wrongShape: (response) => sendJson(response, { data: { vehicles: [{ id: 1 }] } }),
  errorInside: (response) =>
    sendJson(response, { error: { code: 'E_STORE', message: 'The fleet store is down.' }, units: [] }),
  fewBadUnits: withRecords((record, at) => (at % BAD_EVERY === 0 ? badRecord(at / BAD_EVERY) : record)),
  mostBadUnits: withRecords((record, at) => (at % 10 === 0 ? record : badRecord(at))),
  allBadUnits: withRecords((_, at) => badRecord(at)),
  unknownFields: withRecords((record) => ({ ...UNKNOWN_FIELDS, ...record }), { page: 1, next: null }),
  numbersAsStrings: withRecords(stringify as (record: ApiRecord) => unknown),
  nullEverywhere: withRecords(toNulls),
  nullButTheVin: withRecords((record) => ({ ...(toNulls(record) as object), vin: record.vin })),
  sharedDevice: withRecords((record) => ({ ...record, vin: null, deviceId: '0' })),
  emptyVins: withRecords((record, at) => (at % 3 === 0 ? { ...record, vin: '' } : record)),
  mistypedVin: withRecords((record, at) => (at === 0 ? { ...record, vin: mistype(record.vin) } : record)),
  longAnswer: (response, { json, recordsAt }) =>
    recordsAt === null ? sendJson(response, json) : stream(response, padded(json)),
  neverEnds: (response) => stream(response, endless()),
  duplicateKeys: (response, { json, recordsAt }) => {
    const once = JSON.stringify(json);
    sendText(
      response,
      200,
      recordsAt === null ? once : once.replaceAll('{"truckNumber"', '{"vin":"0","year":1,"truckNumber"'),
    );
  },
  twoLists: (response, { json, recordsAt }) => {
    const once = JSON.stringify(json);
    sendText(response, 200, recordsAt === null ? once : `{"units":[],${once.slice(1)}`);
  },
  badUtf8: (response, { json }) => {
    const bytes = Buffer.from(JSON.stringify(json));
    // Within the name of each make, so that only that name is damaged.
    for (let at = bytes.indexOf('eightl'); at >= 0; at = bytes.indexOf('eightl', at + 1)) bytes[at] = 0xff;
    sendText(response, 200, bytes);
  },
  dropsToZero: (response, { json, recordsAt }) =>
    sendJson(response, recordsAt === null ? json : { units: [] }),
  halfList: withList(({ recordsAt, nowMs }) => {
    const records = recordsAt(nowMs);
    return records.slice(0, Math.ceil(records.length / 2));
  }),
  firstPageOnly: withList(
    ({ recordsAt, nowMs }) => {
      const records = recordsAt(nowMs);
      return records.slice(0, Math.ceil(records.length * PAGE_SHARE));
    },
    { page: 1, pages: 1 / PAGE_SHARE },
  ),
  repeatsRecords: withList(({ recordsAt, lastGoodMs }) => recordsAt(lastGoodMs)),
  replica60s: everyOther(withList(({ recordsAt, nowMs }) => recordsAt(nowMs - MINUTE_MS))),
  emptyEverySecond: everyOther(withList(() => [])),
  hangsForTheRoster: hangsForResource('vin-numbers'),
  hangsForTheCarrier: hangsForResource('carrier'),
  older: (response, { json, recordsAt, nowMs }) =>
    sendJson(response, recordsAt === null ? json : { units: recordsAt(nowMs - 5 * MINUTE_MS) }),
  otherFleet: (response, { json, recordsAt, strangers }) =>
    sendJson(response, recordsAt === null ? json : { units: strangers() }),
  otherVin: (response, { json, isUnit, strangers }) => sendJson(response, isUnit ? strangers()[0] : json),
  saysOtherUsdot: (response, { json, recordsAt, nowMs }) =>
    sendJson(response, recordsAt === null ? json : { usdot: '9999999', units: recordsAt(nowMs) }),
  otherClock: (response, { json, nowMs }) =>
    sendText(response, 200, JSON.stringify(json), { date: new Date(nowMs - 5 * MINUTE_MS).toUTCString() }),
  repeatsSecretsInUnits: (response, { json, recordsAt, nowMs, headers }) => {
    const fields = { make: `key ${headers['x-api-key']}`, model: `token ${headers['provider-token']}` };
    const units = recordsAt?.(nowMs).map((record) => ({ ...record, ...fields }));
    sendJson(response, units ? { units } : json);
  },
  repeatsSecretsInError: (response, { headers }) => sendJson(response, { error: { message: headers } }),
  repeatsSecretsInPage: (response, { headers }) =>
    sendText(response, 500, `<pre>${JSON.stringify(headers)}</pre>`, {
      'content-type': `text/${headers['x-api-key']}`,
      'retry-after': String(headers['provider-token']),
    }),
  ...TIME_FAULT_ANSWERS,
} as const satisfies Record<string, Answer>;

export type Fault = keyof typeof FAULTS;
export type Behavior = 'good' | Fault;

export const FAULT_NAMES = Object.keys(FAULTS) as Fault[];

/** Answers one request by its behavior. */
export const answerAs = (behavior: Behavior, response: ServerResponse, sound: Sound): void => {
  if (behavior === 'good') sendJson(response, sound.json);
  else FAULTS[behavior](response, sound);
};
