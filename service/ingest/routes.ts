import { setImmediate as nextTurn } from 'node:timers/promises';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Handler, MiddlewareHandler } from 'hono';
import type { ServiceLog } from '../log';
import { ServiceProblem, INGEST_PROBLEMS } from '../problem';
import { InvalidRecordError } from '../store/errors';
import type { Store } from '../store/store';
import { describeIngest } from './describe';
import { requireSetClock, IngestInputError } from './fields';
import { PROTOCOLS, type Protocol } from './protocols/protocols';
import { readToken } from './request';

export interface IngestContext {
  store: {
    ingestTokens: Pick<Store['ingestTokens'], 'verify'>;
    fixes: Pick<Store['fixes'], 'record'>;
    refusals: Pick<Store['refusals'], 'note'>;
  };
  now: () => number;
  log: ServiceLog;
}

interface IngestEnv {
  Variables: { usdot: string; tokenId: string };
}

/**
 * The ingest endpoints: `/PROTOCOL` and `/TOKEN/PROTOCOL` for each protocol, mounted under `/ingest`; apps may add a slash
 * at the end. A report is acknowledged once it is stored. Of a refused report nothing is stored, and a ServiceProblem is
 * thrown.
 */
export const ingestRoutes = (context: IngestContext): OpenAPIHono<IngestEnv> => {
  const app = new OpenAPIHono<IngestEnv>();
  const withToken = requireToken(context);
  for (const protocol of PROTOCOLS) {
    const take = takeReport(protocol, context);
    for (const path of [`/${protocol.name}`, `/:token/${protocol.name}`])
      for (const address of [path, `${path}/`]) app.all(address, requireMethod(protocol), withToken, take);
  }
  describeIngest(app.openAPIRegistry);
  return app;
};

const requireToken =
  ({ store }: IngestContext): MiddlewareHandler<IngestEnv> =>
  async (c, next) => {
    const token = readToken({
      path: c.req.param('token'),
      authorization: c.req.header('authorization'),
      query: c.req.query('token'),
    });
    if (token === null) throw toTokenProblem('missing_token');
    const owner = await store.ingestTokens.verify(token);
    if (owner === null) throw toTokenProblem('wrong_token');
    c.set('usdot', owner.usdot);
    c.set('tokenId', owner.id);
    return next();
  };

const toTokenProblem = (code: 'missing_token' | 'wrong_token') =>
  new ServiceProblem(code, INGEST_PROBLEMS[code].meaning, {
    'www-authenticate': 'Bearer realm="ingest", Basic realm="ingest"',
  });

/** From this many reports on, other requests get a turn between parsing and storing. */
const LARGE_BATCH = 200;

const takeReport =
  (protocol: Protocol, { store, now, log }: IngestContext): Handler<IngestEnv> =>
  async (c) => {
    const usdot = c.get('usdot');
    try {
      const reports = await protocol.readReports(c.req, now);
      requireSetClock(reports, now());
      if (reports.length > LARGE_BATCH) await nextTurn();
      const { unknownDevices } = await store.fixes.record(usdot, reports);
      if (unknownDevices.length > 0) throw new UnknownDeviceProblem(usdot, unknownDevices);
      return protocol.acknowledge();
    } catch (error) {
      const problem = toProblem(error);
      if (problem instanceof ServiceProblem) {
        const { code, detail = '' } = problem;
        log.info({ usdot, protocol: protocol.name, code, detail }, 'Report refused.');
        // Poor reception makes many of these, which would push other refusals out of the list.
        if (code === 'incomplete_body') throw problem;
        const refused = { tokenId: c.get('tokenId'), protocol: protocol.name, code, detail };
        const deviceIds = problem instanceof UnknownDeviceProblem ? problem.deviceIds : [null];
        for (const deviceId of deviceIds) store.refusals.note({ ...refused, deviceId });
      }
      throw problem;
    }
  };

/** An input error as the problem to send; any other error unchanged. */
const toProblem = (error: unknown): unknown => {
  if (error instanceof IngestInputError)
    return new ServiceProblem(error.code, error.message, {}, { cause: error });
  if (error instanceof InvalidRecordError)
    return new ServiceProblem('invalid_input', error.message, {}, { cause: error });
  return error;
};

/** How many unknown devices a refusal names. */
const NAMED_DEVICES = 5;

class UnknownDeviceProblem extends ServiceProblem {
  /** The devices that the detail names. */
  readonly deviceIds: string[];

  constructor(usdot: string, deviceIds: string[]) {
    const named = deviceIds.slice(0, NAMED_DEVICES);
    const more = deviceIds.length > named.length ? ` and ${deviceIds.length - named.length} more` : '';
    const names = named.map((deviceId) => JSON.stringify(deviceId)).join(', ');
    super(
      'unknown_device',
      `No vehicle of USDOT ${usdot} has the device ${names}${more}. Nothing was stored. ` +
        'Give the device id to a vehicle on the roster, or correct it in the app.',
    );
    this.deviceIds = named;
  }
}

/** HEAD, which Hono routes as GET, is no report either. */
const requireMethod =
  ({ name, methods }: Protocol): MiddlewareHandler<IngestEnv> =>
  (c, next) => {
    const { method } = c.req;
    if (methods.some((each) => each === method)) return next();
    const detail = `${name} is sent by ${methods.join(' or ')}, got ${method}.`;
    throw new ServiceProblem('method_not_allowed', detail, { allow: methods.join(', ') });
  };
