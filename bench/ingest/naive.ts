/**
 * The naive implementation for comparison: a handler that validates a report and stores each of its fixes by one statement,
 * a transaction of its own, on a pool of connections; and reads and serializes the whole fleet for each request. It
 * has the service's tables, so that what it stores can be checked in the same way, and is spared checking tokens.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Pool } from 'pg';
import { z } from 'zod';

/** As many as the service has. */
const CONNECTIONS = 10;
const KPH_PER_KNOT = 1.852;
const KPH_PER_MPS = 3.6;
const [databaseUrl = '', usdot = ''] = process.argv.slice(2);

const pool = new Pool({ connectionString: databaseUrl, max: CONNECTIONS });
const compress = promisify(gzip);

const osmandSchema = z.object({
  id: z.string().min(1),
  timestamp: z.coerce.number(),
  lat: z.coerce.number().min(-90).max(90),
  lon: z.coerce.number().min(-180).max(180),
  speed: z.coerce.number(),
  bearing: z.coerce.number(),
});
const overlandSchema = z.object({
  locations: z.array(
    z.object({
      geometry: z.object({ coordinates: z.tuple([z.number(), z.number()]) }),
      properties: z.object({
        timestamp: z.iso.datetime(),
        device_id: z.string().min(1),
        speed: z.number(),
        course: z.number(),
      }),
    }),
  ),
});

interface Fix {
  deviceId: string;
  fixAtMs: number;
  lat: number;
  lng: number;
  speedKph: number;
  headingDeg: number;
}

const STORE_FIX = `
WITH vehicle AS (
  SELECT id FROM tracking.vehicles WHERE usdot = $1 AND device_id = $2
), logged AS (
  INSERT INTO tracking.fixes (vehicle_id, fix_at_ms, received_at_ms, lat, lng, speed_kph, heading_deg)
  SELECT id, $3, $4, $5, $6, $7, $8 FROM vehicle ON CONFLICT DO NOTHING
)
INSERT INTO tracking.positions AS held
  (vehicle_id, revision, order_at_ms, fix_at_ms, received_at_ms, lat, lng, speed_kph, heading_deg)
SELECT id, 0, $3, $3, $4, $5, $6, $7, $8 FROM vehicle
ON CONFLICT (vehicle_id) DO UPDATE SET
  order_at_ms = excluded.order_at_ms, fix_at_ms = excluded.fix_at_ms, received_at_ms = excluded.received_at_ms,
  lat = excluded.lat, lng = excluded.lng, speed_kph = excluded.speed_kph, heading_deg = excluded.heading_deg
WHERE excluded.fix_at_ms > held.fix_at_ms`;

const storeFix = (fix: Fix) =>
  pool.query({
    name: 'store-fix',
    text: STORE_FIX,
    values: [usdot, fix.deviceId, fix.fixAtMs, Date.now(), fix.lat, fix.lng, fix.speedKph, fix.headingDeg],
  });

const takeOsmand = async (url: URL): Promise<void> => {
  const report = osmandSchema.parse(Object.fromEntries(url.searchParams));
  await storeFix({
    deviceId: report.id,
    fixAtMs: report.timestamp,
    lat: report.lat,
    lng: report.lon,
    speedKph: report.speed * KPH_PER_KNOT,
    headingDeg: report.bearing,
  });
};

const takeOverland = async (body: string): Promise<void> => {
  const { locations } = overlandSchema.parse(JSON.parse(body));
  await Promise.all(
    locations.map(({ geometry: { coordinates }, properties }) =>
      storeFix({
        deviceId: properties.device_id,
        fixAtMs: Date.parse(properties.timestamp),
        lat: coordinates[1],
        lng: coordinates[0],
        speedKph: properties.speed * KPH_PER_MPS,
        headingDeg: properties.course,
      }),
    ),
  );
};

const READ_UNITS = `
SELECT truck_number, vin, lat, lng, fix_at_ms::float8 AS fix_at_ms, plate_state, plate_number, asset_type,
  device_id, make, model, year, fuel_type
FROM tracking.positions JOIN tracking.vehicles ON vehicles.id = positions.vehicle_id
WHERE usdot = $1 ORDER BY vehicles.id`;

const readUnits = async (): Promise<Buffer> => {
  const { rows } = await pool.query(READ_UNITS, [usdot]);
  const units = rows.map((row) => ({
    truckNumber: row.truck_number,
    vin: row.vin,
    coordinates: { lat: row.lat, lng: row.lng },
    timestamp: new Date(row.fix_at_ms).toISOString(),
    licensePlate: { state: row.plate_state, number: row.plate_number },
    assetType: row.asset_type,
    unixTimestamp: Math.floor(row.fix_at_ms / 1000),
    deviceId: row.device_id,
    make: row.make,
    model: row.model,
    year: row.year,
    fuelType: row.fuel_type,
  }));
  return compress(JSON.stringify({ units }));
};

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const url = new URL(request.url!, 'http://127.0.0.1');
  if (url.pathname.startsWith('/api/units/')) {
    const bytes = await readUnits();
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bytes.byteLength }).end(bytes);
    return;
  }
  if (url.pathname.endsWith('/osmand')) await takeOsmand(url);
  else await takeOverland(await text(request));
  response.writeHead(200, { 'content-length': 0 }).end();
};

const server = createServer((request, response) => {
  answer(request, response).catch((error: Error) => {
    console.error(error.message);
    response.writeHead(500, { 'content-length': 0 }).end();
  });
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
