import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a provider may behave towards one fleet. */
export type Behaviour = 'good' | 'empty' | 'fault' | 'hang' | 'cut' | 'refused' | 'forbidden' | 'page';

/** A tracking provider that answers as it is told to. */
export interface ScriptedProvider {
  /** What makes an application read this provider. */
  variables: { TRACKING_BASE_URL: string; TRACKING_API_KEY: string; TRACKING_PROVIDER_TOKEN: string };
  /** How requests about a fleet are answered from now on; 'good' unless told otherwise. */
  behave(usdot: string, behaviour: Behaviour): void;
  /** The same for requests about the account. */
  behaveForAccount(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export interface ScriptedAccount {
  companyName: string;
  companyId: string;
  usdot: string;
}

/** The units of every fleet whose provider behaves. */
export const SCRIPTED_UNITS = [
  { vin: '1FUJGLDR0NLM12041', truckNumber: '4107', lat: 35.2, lng: -101.83 },
  { vin: '1FUJGLDR2NLM12042', truckNumber: '4108', lat: 32.78, lng: -96.8 },
  { vin: '1FUJGLDR4NLM12043', truckNumber: '4109', lat: 29.76, lng: -95.37 },
];

const toUnit = ({ vin, truckNumber, lat, lng }: (typeof SCRIPTED_UNITS)[number]) => {
  const fixAtS = Math.floor(Date.now() / 1000) - 2;
  return {
    truckNumber,
    vin,
    coordinates: { lat, lng },
    timestamp: new Date(fixAtS * 1000).toISOString(),
    unixTimestamp: fixAtS,
    licensePlate: { state: 'TX', number: `R48 ${truckNumber}` },
    assetType: 'Truck',
    deviceId: `device-${truckNumber}`,
    make: 'Freightliner',
    model: 'Cascadia',
    year: 2022,
    fuelType: 'Diesel',
  };
};

const send = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const FAILURES: Partial<Record<Behaviour, (response: ServerResponse) => void>> = {
  fault: (response) => send(response, 500, { error: 'out of order' }),
  hang: () => undefined,
  cut: (response) => response.destroy(),
  refused: (response) => send(response, 401, { error: 'unauthorised' }),
  forbidden: (response) => send(response, 403, { error: 'forbidden' }),
  page: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Please log in</h1>'),
};

/** Starts a provider on a free port of this machine, for one account that may see every fleet. */
export const startScriptedProvider = async (account: ScriptedAccount): Promise<ScriptedProvider> => {
  const credentials = { apiKey: 'a-key-of-the-spec', providerToken: 'a-token-of-the-spec' };
  const behaviours = new Map<string, Behaviour>();
  let accountBehaviour: Behaviour = 'good';

  const isAllowed = ({ headers }: IncomingMessage): boolean =>
    headers['x-api-key'] === credentials.apiKey && headers['provider-token'] === credentials.providerToken;

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const [, , resource = '', subject = ''] = (request.url ?? '').split('/');
    const isAboutAccount = resource === 'carrier' && subject === '';
    const behaviour = isAboutAccount ? accountBehaviour : (behaviours.get(subject) ?? 'good');
    const units = behaviour === 'empty' ? [] : SCRIPTED_UNITS;
    const fail = isAllowed(request) ? FAILURES[behaviour] : FAILURES.refused;
    if (fail) fail(response);
    else if (isAboutAccount) send(response, 200, account);
    else if (resource === 'units') send(response, 200, { units: units.map(toUnit) });
    else if (resource === 'vin-numbers')
      send(
        response,
        200,
        units.map(({ vin }) => vin),
      );
    else if (resource === 'carrier')
      send(response, 200, { mcNumber: 'MC123456', usDotNumber: account.usdot });
    else send(response, 404, { error: 'unknown' });
  };

  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    variables: {
      TRACKING_BASE_URL: `http://127.0.0.1:${port}`,
      TRACKING_API_KEY: credentials.apiKey,
      TRACKING_PROVIDER_TOKEN: credentials.providerToken,
    },
    behave: (usdot, behaviour) => behaviours.set(usdot, behaviour),
    behaveForAccount: (behaviour) => {
      accountBehaviour = behaviour;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
