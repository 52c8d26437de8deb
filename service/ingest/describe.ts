import { z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { problemSchema, INGEST_PROBLEMS } from '../problem';
import { PROTOCOLS } from './protocols/protocols';
import type { Protocol } from './protocols/protocols';

type Registry = OpenAPIHono['openAPIRegistry'];
type Path = Parameters<Registry['registerPath']>[0];
type Responses = Path['responses'];

const SECURITY: Record<string, string[]>[] = [
  { ingestToken: [] },
  { ingestTokenAsPassword: [] },
  { ingestTokenInQuery: [] },
];

const osmandQuery = z.object({
  id: z.string().describe('Device id; `deviceid` is the same.'),
  lat: z.string().optional().describe('Latitude, decimal degrees.'),
  lon: z.string().optional().describe('Longitude, decimal degrees.'),
  location: z.string().optional().describe('`lat,lon`, instead of the two.'),
  timestamp: z
    .string()
    .optional()
    .describe('Unix seconds, Unix milliseconds, ISO 8601, or `yyyy-MM-dd HH:mm:ss` in UTC; without it: now.'),
  speed: z.string().optional().describe('Knots.'),
  bearing: z.string().optional().describe('Degrees clockwise from north; `heading` is the same.'),
  altitude: z.string().optional().describe('Meters.'),
  accuracy: z.string().optional().describe('Meters.'),
  batt: z.string().optional().describe('Percent.'),
  valid: z.string().optional().describe('`0` or `false`: acknowledged, not stored.'),
});

const coordinates = z.object({ latitude: z.number(), longitude: z.number() });

/** Outline of each protocol's JSON body; docs/ingest.md has all of it. */
const REPORTS: Record<
  Protocol['name'],
  { summary: string; description: string; body: z.ZodType; answer: z.ZodType | null }
> = {
  osmand: {
    summary: 'Report by the OsmAnd query protocol',
    description: 'Parameters in the address or in a form body. JSON is read as for /traccar.',
    body: osmandQuery,
    answer: null,
  },
  traccar: {
    summary: 'Report by Traccar Client 9 or later',
    description: '`speed` in m/s, `battery.level` from 0 to 1; negative means unknown.',
    body: z.object({
      device_id: z.string(),
      location: z.object({
        timestamp: z.string(),
        coords: coordinates.extend({
          speed: z.number().optional(),
          heading: z.number().optional(),
          altitude: z.number().optional(),
          accuracy: z.number().optional(),
        }),
        battery: z.object({ level: z.number() }).optional(),
      }),
    }),
    answer: z.object({}),
  },
  owntracks: {
    summary: 'Report by OwnTracks in HTTP mode',
    description:
      '`vel` in km/h, `tst` in Unix seconds. Types other than `location` are acknowledged and not stored.',
    body: z.object({
      _type: z.string(),
      lat: z.number().optional(),
      lon: z.number().optional(),
      tst: z.number().optional(),
      vel: z.number().optional(),
      cog: z.number().optional(),
      alt: z.number().optional(),
      acc: z.number().optional(),
      batt: z.number().optional(),
      tid: z.string().optional(),
      topic: z.string().optional(),
    }),
    answer: z.array(z.object({})).max(0),
  },
  overland: {
    summary: 'A batch by Overland',
    description:
      '`speed` in m/s, `battery_level` from 0 to 1; negative means unknown. One bad location refuses the batch.',
    body: z.object({
      locations: z.array(
        z.object({
          type: z.literal('Feature'),
          geometry: z.object({ type: z.literal('Point'), coordinates: z.array(z.number()).min(2) }),
          properties: z.object({ timestamp: z.string(), device_id: z.string() }).loose(),
        }),
      ),
    }),
    answer: z.object({ result: z.literal('ok') }),
  },
};

/** Adds the ingest endpoints to the OpenAPI document. */
export const describeIngest = (registry: Registry): void => {
  registry.registerComponent('securitySchemes', 'ingestToken', { type: 'http', scheme: 'bearer' });
  registry.registerComponent('securitySchemes', 'ingestTokenAsPassword', { type: 'http', scheme: 'basic' });
  registry.registerComponent('securitySchemes', 'ingestTokenInQuery', {
    type: 'apiKey',
    in: 'query',
    name: 'token',
  });
  for (const protocol of PROTOCOLS)
    for (const method of protocol.methods) registry.registerPath(toPath(protocol, method));
};

const toPath = ({ name }: Protocol, method: 'GET' | 'POST'): Path => {
  const { summary, description, body, answer } = REPORTS[name];
  const contentType = name === 'osmand' ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    method: method === 'GET' ? 'get' : 'post',
    path: `/${name}`,
    tags: ['Ingest'],
    summary,
    description: `${description} The token may also stand in the address, as in \`/ingest/TOKEN/${name}\`.`,
    security: SECURITY,
    request:
      method === 'GET' ? { query: osmandQuery } : { body: { content: { [contentType]: { schema: body } } } },
    responses: {
      200: {
        description: 'Stored, durably.',
        ...(answer === null ? {} : { content: { 'application/json': { schema: answer } } }),
      },
      ...toRefusals(method === 'GET'),
    },
  };
};

const toRefusals = (isWithoutBody: boolean): Responses => {
  const codesByStatus = new Map<number, string[]>();
  for (const [code, { status }] of Object.entries(INGEST_PROBLEMS)) {
    if (isWithoutBody && status === 413) continue;
    codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), `\`${code}\``]);
  }
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [
      status,
      {
        description: `Nothing was stored: ${codes.join(', ')}.`,
        content: { 'application/problem+json': { schema: problemSchema } },
      },
    ]),
  );
};
