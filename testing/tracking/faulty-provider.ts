import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { answerAs, sendStatus, type Behavior, type Sound } from './faults';
import { startProvider } from './provider';
import {
  SCRIPTED_UNITS,
  createScriptedUnits,
  toApiRecord,
  type ApiRecord,
  type ScriptedUnit,
} from './scripted-units';

export interface ScriptedAccount {
  companyName: string;
  companyId: string;
  usdot: string;
}

/** A request as received, and the behavior that answered it. */
export interface ReceivedRequest {
  /** "units", "vin-numbers" or "carrier". */
  resource: string;
  /** The USDOT number or the VIN of the request; empty for the account. */
  subject: string;
  behavior: Behavior;
  headers: IncomingHttpHeaders;
}

/** The true state of a fleet: every unit at a moment as a sound provider reports it. */
export type FleetSource = (atMs: number) => ApiRecord[];

/**
 * A tracking provider on the loopback interface whose behavior is set request by request, while it keeps the
 * true state. It serves every USDOT number.
 */
export interface FaultyProvider {
  baseUrl: string;
  credentials: { apiKey: string; providerToken: string };
  /** The settings with which an application reads this provider. */
  variables: { TRACKING_BASE_URL: string; TRACKING_API_KEY: string; TRACKING_PROVIDER_TOKEN: string };
  /** The units of one fleet, from now on; SCRIPTED_UNITS by default. */
  give(usdot: string, units: readonly ScriptedUnit[] | FleetSource): void;
  /** The behavior for requests about a fleet or a VIN from now on. */
  behave(subject: string, behavior: Behavior): void;
  /** The behavior for the next requests for the units of a fleet, one after the other, before all others. */
  script(usdot: string, behaviors: readonly Behavior[]): void;
  /** The same as `behave` for requests about the account. */
  behaveForAccount(behavior: Behavior): void;
  /** The true units of the fleet. */
  recordsOf(usdot: string): ApiRecord[];
  /** Every request so far, oldest first. */
  received: ReceivedRequest[];
  /** The server that redirects lead to, and the requests that it received. */
  elsewhere: { requests: readonly IncomingMessage[] };
  /** Connections are refused, until `accept`. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  close(): Promise<void>;
}

export interface FaultyProviderOptions {
  account?: ScriptedAccount;
  /** Distinctive, so that a search finds them in any output. */
  credentials?: { apiKey: string; providerToken: string };
  now?: () => number;
}

const ACCOUNT: ScriptedAccount = { companyName: 'Mesa Verde Lines', companyId: 'MVL-1', usdot: '9100001' };
const CREDENTIALS = { apiKey: 'planted-key-f3a97c51', providerToken: 'planted-token-b84e02d6' };
/** Truck numbers that no test's fleet has. */
const FIRST_STRANGER = 70_000;

const toSource = (units: readonly ScriptedUnit[] | FleetSource): FleetSource =>
  typeof units === 'function' ? units : (atMs) => units.map((unit) => toApiRecord(unit, atMs));

/** Starts a faulty provider on a free port, without faults by default. */
export const startFaultyProvider = async (options: FaultyProviderOptions = {}): Promise<FaultyProvider> => {
  const { account = ACCOUNT, credentials = CREDENTIALS, now = Date.now } = options;
  const sources = new Map<string, FleetSource>();
  const behaviors = new Map<string, Behavior>();
  const scripts = new Map<string, Behavior[]>();
  const received: ReceivedRequest[] = [];
  let accountBehavior: Behavior = 'good';
  const goodAtMs = new Map<string, number>();
  const runs = new Map<string, { behavior: Behavior; turn: number }>();

  /** How many requests in a row for one subject were answered by this behavior before. */
  const countTurn = (target: string, behavior: Behavior): number => {
    const run = runs.get(target);
    const turn = run?.behavior === behavior ? run.turn + 1 : 0;
    runs.set(target, { behavior, turn });
    if (behavior === 'good') goodAtMs.set(target, now());
    return turn;
  };

  const isAllowed = ({ 'x-api-key': key, 'provider-token': token }: IncomingHttpHeaders): boolean =>
    key === credentials.apiKey && token === credentials.providerToken;

  const sourceOf = (usdot: string): FleetSource => sources.get(usdot) ?? toSource(SCRIPTED_UNITS);

  const toJson = (resource: string, subject: string, vin: string | undefined): unknown => {
    if (resource === 'carrier') {
      return subject === '' ? account : { mcNumber: 'MC123456', usDotNumber: account.usdot };
    }
    const records = sourceOf(subject)(now());
    if (resource === 'vin-numbers') return records.map((record) => record.vin);
    if (resource !== 'units') return undefined;
    return vin === undefined ? { units: records } : records.find((record) => record.vin === vin);
  };

  const chooseBehavior = (resource: string, subject: string, vin: string | undefined): Behavior => {
    if (resource === 'carrier' && subject === '') return accountBehavior;
    const scripted = resource === 'units' && vin === undefined ? scripts.get(subject)?.shift() : undefined;
    return scripted ?? behaviors.get(subject) ?? 'good';
  };

  const answer = ({ url, headers }: IncomingMessage, response: ServerResponse): void => {
    const [, , resource = '', subject = '', vin] = (url ?? '').split('/').map(decodeURIComponent);
    response.setHeader('date', new Date(now()).toUTCString());
    const behavior = isAllowed(headers) ? chooseBehavior(resource, subject, vin) : 'unauthorized';
    received.push({ resource, subject, behavior, headers });
    const json = toJson(resource, subject, vin);
    const isList = resource === 'units' && vin === undefined;
    const target = [resource, subject, vin].join('/');
    const sound: Sound = {
      resource,
      turn: countTurn(target, behavior),
      lastGoodMs: goodAtMs.get(target) ?? now(),
      json,
      isUnit: resource === 'units' && vin !== undefined,
      recordsAt: isList ? sourceOf(subject) : null,
      nowMs: now(),
      headers,
      elsewhereUrl: elsewhere.baseUrl,
      strangers: () => {
        const units = createScriptedUnits(sourceOf(subject)(now()).length, FIRST_STRANGER);
        return toSource(units)(now());
      },
    };
    if (json === undefined) sendStatus(404)(response, sound);
    else answerAs(behavior, response, sound);
  };

  const elsewhere = await startProvider((_, response) => response.end('{"units":[]}'));
  const server = await startProvider(answer);
  return {
    baseUrl: server.baseUrl,
    credentials,
    variables: {
      TRACKING_BASE_URL: server.baseUrl,
      TRACKING_API_KEY: credentials.apiKey,
      TRACKING_PROVIDER_TOKEN: credentials.providerToken,
    },
    give: (usdot, units) => void sources.set(usdot, toSource(units)),
    behave: (subject, behavior) => void behaviors.set(subject, behavior),
    script: (usdot, steps) => void scripts.set(usdot, [...steps]),
    behaveForAccount: (behavior) => {
      accountBehavior = behavior;
    },
    recordsOf: (usdot) => sourceOf(usdot)(now()),
    received,
    elsewhere,
    refuse: server.refuse,
    accept: server.accept,
    close: async () => {
      await Promise.all([server.close(), elsewhere.close()]);
    },
  };
};
