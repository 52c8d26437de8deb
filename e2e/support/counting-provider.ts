import type { ServerResponse } from 'node:http';
import { startProvider, type TestProvider } from '@/testing/tracking/provider';

const ANSWER_MS = 50;

/** Counts the requests for the units of each fleet. */
export interface CountingProvider extends TestProvider {
  counts: ReadonlyMap<string, number>;
  /** The most requests for one fleet at a time. */
  mostInFlight: () => number;
}

/** A provider whose fleets have one truck each, with this VIN and longitude, and which answers after a while. */
export const startCountingProvider = async (
  vin: string,
  { lng = -101, rosterVin = vin } = {},
): Promise<CountingProvider> => {
  const inFlight = new Map<string, number>();
  const counts = new Map<string, number>();
  let most = 0;
  const send = (response: ServerResponse, body: unknown): void => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const provider = await startProvider((request, response) => {
    const [, , resource, usdot = ''] = (request.url ?? '').split('/');
    if (resource === 'carrier')
      return send(response, { companyName: 'Prairie Star', companyId: 'ps', usdot: '1000001' });
    if (resource === 'vin-numbers') return send(response, [rosterVin]);
    const running = (inFlight.get(usdot) ?? 0) + 1;
    inFlight.set(usdot, running);
    counts.set(usdot, (counts.get(usdot) ?? 0) + 1);
    most = Math.max(most, running);
    response.on('close', () => inFlight.set(usdot, inFlight.get(usdot)! - 1));
    setTimeout(() => {
      const atS = Math.floor(Date.now() / 1000);
      const coordinates = { lat: 35 + (atS % 1000) / 1e4, lng };
      send(response, { units: [{ vin, coordinates, unixTimestamp: atS }] });
    }, ANSWER_MS);
  });
  return { ...provider, counts, mostInFlight: () => most };
};
