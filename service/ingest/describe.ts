import { z, type OpenAPIHono } from '@hono/zod-openapi';
import { INGEST_PROBLEMS, type ProblemCode } from '../problem';
import { toProblemResponses } from '../routes/responses';
import { FORM_TYPE, JSON_TYPE, PROTOCOLS, type Protocol } from './protocols/protocols';

type Registry = OpenAPIHono['openAPIRegistry'];
type Path = Parameters<Registry['registerPath']>[0];

/** The places where a report may have its token. */
const SCHEMES = {
  ingestToken: { type: 'http', scheme: 'bearer', description: 'An ingest token of the carrier.' },
  ingestTokenAsPassword: {
    type: 'http',
    scheme: 'basic',
    description: 'The ingest token as password; the user name can be anything.',
  },
  ingestTokenInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'The ingest token in the address, for apps that can only be given an address.',
  },
} as const;
const SECURITY = Object.keys(SCHEMES).map((name) => ({ [name]: [] }));

const parameter = (description: string, example?: string) =>
  z.string().optional().openapi({ description, example });

const osmandQuery = z.object({
  id: z.string().openapi({ description: 'Device id; `deviceid` is the same.', example: 'truck-4107' }),
  lat: parameter('Latitude, decimal degrees; without a position the device is only heard.', '35.222'),
  lon: parameter('Longitude, decimal degrees.', '-101.8313'),
  location: parameter('`lat,lon`, instead of the two.'),
  timestamp: parameter(
    'Unix seconds, Unix milliseconds, ISO 8601, or `yyyy-MM-dd HH:mm:ss` in UTC; without it: now.',
    '1767323045',
  ),
  speed: parameter('Knots.', '54'),
  speedMps: parameter('Meters per second, for apps that have no knots.'),
  bearing: parameter('Degrees clockwise from north; `heading` is the same.', '271.5'),
  altitude: parameter('Meters.', '1099'),
  accuracy: parameter('Meters.', '8'),
  batt: parameter('Percent.', '87'),
  ignition: parameter('`true` or `false`.', 'true'),
  odometer: parameter('Meters.', '612345000'),
  alarm: parameter('Text.'),
  attributes: parameter('JSON with `batteryLevel`, `ignition`, `odometer` and `alarm` of a Traccar server.'),
  valid: parameter('`0`, `false` or `no`: acknowledged as a report without a position.'),
});

type OptionalNumber = z.ZodOptional<z.ZodNumber>;

const numbers = <Name extends string>(...names: Name[]): Record<Name, OptionalNumber> =>
  Object.fromEntries(names.map((name) => [name, z.number().optional()])) as Record<Name, OptionalNumber>;
const text = () => z.string().optional();

const clientReport = z.object({
  device_id: z.string(),
  location: z.object({
    timestamp: z.string(),
    coords: z
      .object({
        latitude: z.number(),
        longitude: z.number(),
        ...numbers('speed', 'heading', 'altitude', 'accuracy'),
      })
      .optional(),
    battery: z.object({ level: z.number() }).optional(),
    ...numbers('odometer'),
  }),
});

const forwardedPosition = z.object({
  device: z.object({ uniqueId: z.string() }),
  position: z.object({
    fixTime: z.string(),
    valid: z.boolean(),
    latitude: z.number(),
    longitude: z.number(),
    ...numbers('speed', 'course', 'altitude', 'accuracy'),
    attributes: z
      .object({
        ...numbers('batteryLevel'),
        ignition: z.boolean().optional(),
        ...numbers('odometer'),
        alarm: text(),
      })
      .loose()
      .optional(),
  }),
});

const owntracksMessage = z.object({
  _type: z.string(),
  ...numbers('lat', 'lon', 'tst', 'vel', 'cog', 'alt', 'acc', 'batt'),
  tid: text(),
  topic: text(),
});

const overlandBatch = z.object({
  locations: z.array(
    z.object({
      type: z.literal('Feature'),
      geometry: z.object({ type: z.literal('Point'), coordinates: z.array(z.number()).min(2) }),
      properties: z.object({ timestamp: z.string(), device_id: z.string() }).loose(),
    }),
  ),
});

const homeAssistantMessage = z.object({
  type: z.string(),
  data: z
    .object({
      gps: z.array(z.number()).min(2).max(2).optional(),
      ...numbers('gps_accuracy', 'speed', 'course', 'altitude', 'battery'),
    })
    .optional(),
});

const traccarJson = z.union([clientReport, forwardedPosition]);

interface Described {
  id: string;
  summary: string;
  description: string;
  bodies: Record<string, z.ZodType>;
  answer: z.ZodType | null;
}

/** Outline of each protocol's bodies; docs/ingest.md has all of it. */
const REPORTS: Record<Protocol['name'], Described> = {
  osmand: {
    id: 'reportOsmand',
    summary: 'Report by the OsmAnd query protocol',
    description: 'Parameters in the address or in a form body. JSON is read as for /traccar.',
    bodies: { [FORM_TYPE]: osmandQuery, [JSON_TYPE]: traccarJson },
    answer: null,
  },
  traccar: {
    id: 'reportTraccar',
    summary: 'Report by Traccar Client or a Traccar server',
    description:
      'The form of Traccar Client 10, with `speed` in knots; the JSON of Traccar Client 9, with `speed` in m/s and `battery.level` from 0 to 1; or a position that a Traccar server forwards as JSON, with `speed` in knots.',
    bodies: { [FORM_TYPE]: osmandQuery, [JSON_TYPE]: traccarJson },
    answer: z.object({}),
  },
  owntracks: {
    id: 'reportOwntracks',
    summary: 'Report by OwnTracks in HTTP mode',
    description:
      '`vel` in km/h, `tst` in Unix seconds. Types other than `location` are acknowledged and not stored.',
    bodies: { [JSON_TYPE]: owntracksMessage },
    answer: z.array(z.object({})).max(0),
  },
  overland: {
    id: 'reportOverland',
    summary: 'A batch by Overland',
    description:
      '`speed` in m/s, `battery_level` from 0 to 1; negative means unknown. One malformed location refuses the batch. A message of the app’s OwnTracks mode is read as well.',
    bodies: { [JSON_TYPE]: overlandBatch },
    answer: z.object({ result: z.literal('ok') }),
  },
  homeassistant: {
    id: 'reportHomeAssistant',
    summary: 'Report by the companion app of Home Assistant',
    description:
      'A message to the app’s webhook, with the device as `id` in the address. Types other than `update_location` are acknowledged and not stored.',
    bodies: { [JSON_TYPE]: homeAssistantMessage },
    answer: z.object({}),
  },
};

/** Adds the ingest endpoints to the OpenAPI document. */
export const describeIngest = (registry: Registry): void => {
  for (const [name, scheme] of Object.entries(SCHEMES))
    registry.registerComponent('securitySchemes', name, scheme);
  for (const protocol of PROTOCOLS)
    for (const method of protocol.methods) registry.registerPath(toPath(protocol, method));
};

const addressedDevice = z.object({ id: parameter('Device id; `device_id` is the same.', 'truck-4107') });

const toRequest = (name: Protocol['name'], method: 'GET' | 'POST'): Path['request'] => {
  if (method === 'GET') return { query: osmandQuery };
  const content = Object.fromEntries(
    Object.entries(REPORTS[name].bodies).map(([type, schema]) => [type, { schema }]),
  );
  const isAddressed = name === 'overland' || name === 'homeassistant';
  return { body: { content, required: true }, ...(isAddressed ? { query: addressedDevice } : {}) };
};

const toPath = ({ name }: Protocol, method: 'GET' | 'POST'): Path => {
  const { id, summary, description, answer } = REPORTS[name];
  return {
    method: method === 'GET' ? 'get' : 'post',
    path: `/${name}`,
    operationId: method === 'GET' ? `${id}Query` : id,
    tags: ['Ingest'],
    summary,
    description: `${description} The token may also stand in the address, as in \`/ingest/TOKEN/${name}\`.`,
    security: SECURITY,
    request: toRequest(name, method),
    responses: {
      200: {
        description: 'Stored, durably; or, without a position, counted.',
        ...(answer === null ? {} : { content: { 'application/json': { schema: answer } } }),
      },
      ...toProblemResponses(toProblems(method)),
    },
  };
};

/** Refusals of a body, which GET does not have. */
const BODY_PROBLEMS: readonly string[] = [
  'batch_too_large',
  'body_too_large',
  'compressed_body',
  'incomplete_body',
];

const toProblems = (method: 'GET' | 'POST'): ProblemCode[] => [
  ...(Object.keys(INGEST_PROBLEMS) as (keyof typeof INGEST_PROBLEMS)[]).filter(
    (code) => method === 'POST' || !BODY_PROBLEMS.includes(code),
  ),
  'method_not_allowed',
  'internal_error',
  'unavailable',
  'storage_full',
];
