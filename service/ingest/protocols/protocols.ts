import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HonoRequest } from 'hono';
import type { FixInput } from '../../store/inputs';
import { readBody, parseJson, readBasic } from '../request';
import { parseOsmand, readParameters } from './osmand';
import { parseOverland } from './overland';
import { parseOwntracks } from './owntracks';
import { parseTraccar } from './traccar';

export interface Protocol {
  /** the last part of its address */
  name: 'osmand' | 'traccar' | 'owntracks' | 'overland';
  methods: ('GET' | 'POST')[];
  /** @throws IngestInputError, ServiceProblem `body_too_large` */
  readFixes(request: HonoRequest, now: () => number): Promise<FixInput[]>;
  /** the response after which the app deletes the report */
  acknowledge(): Response;
}

export const PROTOCOLS: Protocol[] = [
  {
    name: 'osmand',
    methods: ['GET', 'POST'],
    async readFixes(request, now) {
      // Traccar Client 9 posts its JSON to the address to which earlier versions sent parameters.
      if (isJson(request)) return parseTraccar(await readJson(request));
      const form = request.method === 'POST' ? await readBody(request.raw) : '';
      const query = new URL(request.url).search.slice(1);
      return parseOsmand(readParameters(query, form), now());
    },
    acknowledge: () => new Response(null, { status: 200 }),
  },
  {
    name: 'traccar',
    methods: ['POST'],
    readFixes: async (request) => parseTraccar(await readJson(request)),
    acknowledge: () => Response.json({}),
  },
  {
    name: 'owntracks',
    methods: ['POST'],
    async readFixes(request) {
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
    async readFixes(request) {
      const addressDevice = request.query('device_id') ?? request.query('id') ?? null;
      return parseOverland(await readJson(request), addressDevice);
    },
    acknowledge: () => Response.json({ result: 'ok' }),
  },
];

/** From this size on, other requests get a turn between parsing and validating. */
const LARGE_CHARACTERS = 100_000;

const readJson = async (request: HonoRequest): Promise<unknown> => {
  const text = await readBody(request.raw);
  const body = parseJson(text);
  if (text.length > LARGE_CHARACTERS) await nextTurn();
  return body;
};

const isJson = (request: HonoRequest): boolean =>
  /^application\/json\b/i.test(request.header('content-type') ?? '');
