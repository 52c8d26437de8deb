import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HonoRequest } from 'hono';
import type { ReportInput } from '../../store/inputs';
import { readBody, parseJson, readBasic } from '../request';
import { parseHomeAssistant } from './home-assistant';
import { parseOsmand, readParameters } from './osmand';
import { parseOverland } from './overland';
import { parseOwntracks } from './owntracks';
import { parseTraccar } from './traccar';

export interface Protocol {
  /** the last part of its address */
  name: 'osmand' | 'traccar' | 'owntracks' | 'overland' | 'homeassistant';
  methods: ('GET' | 'POST')[];
  /** @throws IngestInputError, ServiceProblem as `readBody` does */
  readReports(request: HonoRequest, now: () => number): Promise<ReportInput[]>;
  /** the response after which the app deletes the report */
  acknowledge(): Response;
}

export const PROTOCOLS: Protocol[] = [
  {
    name: 'osmand',
    methods: ['GET', 'POST'],
    async readReports(request, now) {
      // Traccar Client 9 posts its JSON to the address to which other versions send parameters.
      return isType(request, JSON_TYPE) ? parseTraccar(await readJson(request)) : readOsmand(request, now());
    },
    acknowledge: () => new Response(null, { status: 200 }),
  },
  {
    name: 'traccar',
    methods: ['POST'],
    async readReports(request, now) {
      return isType(request, FORM_TYPE) ? readOsmand(request, now()) : parseTraccar(await readJson(request));
    },
    acknowledge: () => Response.json({}),
  },
  {
    name: 'owntracks',
    methods: ['POST'],
    async readReports(request) {
      const body = await readBody(request.raw);
      // The app posts nothing at all when its user deletes a friend.
      if (body.trim() === '') return [];
      return parseOwntracks(parseJson(body), {
        device: request.header('x-limit-d') ?? request.query('d') ?? null,
        user: request.header('x-limit-u') ?? request.query('u') ?? null,
        basicUser: readBasic(request.header('authorization'))?.user ?? null,
      });
    },
    acknowledge: () => Response.json([]),
  },
  {
    name: 'overland',
    methods: ['POST'],
    readReports: async (request) => parseOverland(await readJson(request), readAddressDevice(request)),
    acknowledge: () => Response.json({ result: 'ok' }),
  },
  {
    name: 'homeassistant',
    methods: ['POST'],
    readReports: async (request, now) =>
      parseHomeAssistant(await readJson(request), readAddressDevice(request), now()),
    acknowledge: () => Response.json({}),
  },
];

const readAddressDevice = (request: HonoRequest): string | null =>
  request.query('device_id') ?? request.query('id') ?? null;

/** From this size on, other requests get a turn between parsing and validating. */
const LARGE_CHARACTERS = 100_000;

const readJson = async (request: HonoRequest): Promise<unknown> => {
  const text = await readBody(request.raw);
  const body = parseJson(text);
  if (text.length > LARGE_CHARACTERS) await nextTurn();
  return body;
};

const readOsmand = async (request: HonoRequest, nowMs: number): Promise<ReportInput[]> => {
  const form = request.method === 'POST' ? await readBody(request.raw) : '';
  const query = new URL(request.url).search.slice(1);
  return parseOsmand(readParameters(query, form), nowMs);
};

export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';

const isType = (request: HonoRequest, type: string): boolean =>
  request.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() === type;
