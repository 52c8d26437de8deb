/**
 * The naive route for comparison, in a process of its own: `naive.ts PROVIDER_URL` fetches the API for
 * each request, checks every unit and sends JSON. It sends its port to its parent.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { BENCH_USDOT } from './plan';

const unitsSchema = z.object({
  units: z.array(
    z.object({
      truckNumber: z.string(),
      vin: z.string(),
      coordinates: z.object({ lat: z.number(), lng: z.number() }),
      timestamp: z.iso.datetime(),
      unixTimestamp: z.number(),
      licensePlate: z.object({ state: z.string(), number: z.string() }),
      assetType: z.string(),
      deviceId: z.string(),
      make: z.string(),
      model: z.string(),
      year: z.number(),
      fuelType: z.string(),
    }),
  ),
});

const [providerUrl] = process.argv.slice(2);
const server = createServer((_, response) => {
  void fetch(`${providerUrl}/api/units/${BENCH_USDOT}`)
    .then((answer) => answer.json())
    .then((json) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(unitsSchema.parse(json)));
    })
    .catch((error: unknown) => response.writeHead(502).end(String(error)));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
