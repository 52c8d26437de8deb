import type { ServerResponse } from 'node:http';
import { startProvider, type TestProvider } from '@/testing/tracking/provider';
import { SESSION_SECRET } from './application';
import type { Variables } from './programs';

/** Seconds in which a truck drives 440 m to the south and back, so that it is at its site once. */
const CYCLE_S = 80;
/** The trucks of each fleet. */
export const VINS = ['1M8GDM9AXKP042788', '1M8GDM9A1KP042789', '1M8GDM9A8KP042790'];
/** The south end of the way of each truck. */
export const SITE = { lat: 35, lng: -101, radiusM: 150 };

const toOffsetS = (truck: number, atS: number): number => (atS + truck * 13) % CYCLE_S;

/** Where a truck is at a time, in degrees times 100,000. */
export const toLatE5 = (truck: number, atS: number): number =>
  SITE.lat * 1e5 + Math.abs(toOffsetS(truck, atS) - CYCLE_S / 2) * 10;

/** The number of the round in which a truck is at a time; it comes to the site once in each. */
export const toRound = (truck: number, atS: number): number => Math.floor((atS + truck * 13) / CYCLE_S);

const send = (response: ServerResponse, body: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

export interface MovingProvider extends TestProvider {
  /** When the units were requested, Unix ms. */
  polledAtMs: number[];
}

/** A provider whose trucks are where the time of their fix says: a frame of two answers cannot be right. */
export const startMovingProvider = async (usdot: string): Promise<MovingProvider> => {
  const polledAtMs: number[] = [];
  const provider = await startProvider((request, response) => {
    const [, , resource] = (request.url ?? '').split('/');
    if (resource === 'carrier')
      return send(response, { companyName: 'Prairie Star', companyId: 'ps', usdot });
    if (resource === 'vin-numbers') return send(response, VINS);
    polledAtMs.push(Date.now());
    const atS = Math.floor(Date.now() / 1000);
    const units = VINS.map((vin, truck) => ({
      vin,
      coordinates: { lat: toLatE5(truck, atS) / 1e5, lng: SITE.lng },
      unixTimestamp: atS,
    }));
    send(response, { units });
  });
  return Object.assign(provider, { polledAtMs });
};

/** The settings of servers that poll such a provider each second, and record its fleet in a folder. */
export const toMovingFleet = (baseUrl: string, usdot: string, folder: string): Variables => ({
  AUTH_SECRET: SESSION_SECRET,
  MAP_TILES_URL: 'none',
  POLL_INTERVAL_MS: '1000',
  RECORD_INTERVAL_MS: '5000',
  HISTORY_DIR: folder,
  TRACKING_BASE_URL: baseUrl,
  TRACKING_API_KEY: 'planted-key',
  TRACKING_PROVIDER_TOKEN: 'planted-token',
  TRACKING_USDOT: usdot,
});
