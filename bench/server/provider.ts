/**
 * A provider for the bench, in a process of its own: `provider.ts UNITS STEP_MS` serves a fleet whose units move
 * every STEP_MS, with prepared bytes, the same for each USDOT number, and counts its requests. It sends its port to its
 * parent.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createBenchFleet } from '../support/bench-fleet';
import { BENCH_SEED, BENCH_USDOT, MOVED_SHARE } from './plan';

const [units, stepMs] = process.argv.slice(2).map(Number);
const fleet = createBenchFleet(units!, BENCH_SEED, Date.now(), stepMs);
const roster = Buffer.from(JSON.stringify(fleet.vins));
const account = Buffer.from(
  JSON.stringify({ companyName: 'Bench Freight', companyId: 'bench', usdot: BENCH_USDOT }),
);

/** The carrier of every VIN, for the background look-ups. */
const carrier = Buffer.from(JSON.stringify({ mcNumber: 'MC990001', usDotNumber: BENCH_USDOT }));

let plain = Buffer.alloc(0);
let zipped = Buffer.alloc(0);
const polls: Record<string, number> = {};
const UNITS = '/api/units/';

const prepare = (): void => {
  plain = Buffer.from(fleet.toJson());
  zipped = gzipSync(plain, { level: 1 });
};
prepare();
setInterval(() => {
  fleet.step(MOVED_SHARE);
  prepare();
}, stepMs);

const server = createServer((request, response) => {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (request.url === '/polls') {
    response.writeHead(200, headers).end(JSON.stringify(polls));
  } else if (request.url?.startsWith(UNITS)) {
    const usdot = request.url.slice(UNITS.length);
    polls[usdot] = (polls[usdot] ?? 0) + 1;
    const takesGzip = String(request.headers['accept-encoding']).includes('gzip');
    if (takesGzip) headers['content-encoding'] = 'gzip';
    response.writeHead(200, headers).end(takesGzip ? zipped : plain);
  } else if (request.url?.startsWith('/api/carrier/')) {
    response.writeHead(200, headers).end(carrier);
  } else {
    response.writeHead(200, headers).end(request.url === '/api/carrier' ? account : roster);
  }
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
