import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RouteDefinition } from '@/server/route';
import { USDOT } from '@/testing/attacks/forms';
import { readRoutes, type Route } from '@/testing/attacks/routes';
import { startAttackedServer, type AttackedServer } from '@/testing/attacks/server';
import { z } from '@/lib/base/zod';
import { IS_LONG } from '@/testing/long';

/** Loading every route of the application, and sending each some tens of requests. */
const SLOW_MS = 60_000;
const VIN = '1XKYD49X8KJ900001';
/** What a part of a path or a query may be, by its name. */
const GOOD: Record<string, string> = {
  ...{ usdot: USDOT, vin: VIN, key: VIN, id: '1', z: '1', x: '1', y: '1', path: 'x' },
  ...{ from: '0', to: '1000', at: '0', since: '0', zone: 'UTC', minutes: '30', format: 'csv', before: '1' },
  ...{ south: '35', west: '-102', north: '36', east: '-101', unit: VIN, tag: 'reefer' },
  ...{ site: '1', kind: 'miles', open: 'true', who: 'ann', name: 'x' },
};
/** U+0000, which PostgreSQL cannot store, and numbers beyond its types and those of JavaScript. */
const HOSTILE = [
  ...['a\0', '2147483648', '9223372036854775808', '1e300'],
  ...(IS_LONG ? ['\0', '9007199254740991', '-1', '1.5', 'NaN'] : []),
];

let server: AttackedServer;
let cookie: string;
let routes: (Route & { definition?: RouteDefinition })[];
beforeAll(async () => {
  server = await startAttackedServer({ isEmbedded: true, variables: { RECORD_INTERVAL_MS: '' } });
  ({ cookie } = await server.signInAs('ann', 'manager', null));
  routes = (await readRoutes()).map((route) => Object.assign(route, route.handler));
}, SLOW_MS);
afterAll(() => server?.close());

const listQuery = ({ query }: RouteDefinition): string[] =>
  Object.keys(
    query === undefined
      ? {}
      : (z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }).properties ?? {}),
  );

it(
  'no part of an address makes the server fail: a zero byte, a number beyond the types of the database',
  async () => {
    const failed: string[] = [];
    let asked = 0;
    for (const { name, method, handler, params, definition } of routes) {
      // Those without a definition forward what they get.
      if (definition === undefined || (method !== 'GET' && params.length === 0)) continue;
      const queried = listQuery(definition);
      const ask = async (part: string, value: string) => {
        // An area and a site exclude each other, as some others do: only what is attacked is optional.
        const given = queried.filter(
          (each) =>
            each === part ||
            ['from', 'to', 'zone', 'minutes', 'format', 'south', 'west', 'north', 'east', 'at'].includes(
              each,
            ),
        );
        const query = new URLSearchParams(given.map((each) => [each, each === part ? value : GOOD[each]!]));
        const parts = Object.fromEntries(
          params.map((each) => [each, each === part ? value : (GOOD[each] ?? 'x')]),
        );
        const init = { method, headers: { 'sec-fetch-site': 'same-origin' } };
        const { status } = await server.ask(handler, `/api?${query}`, { params: parts, cookie, init });
        asked += 1;
        if (status >= 500 && status !== 503)
          failed.push(`${name} ${part}=${JSON.stringify(value)}: ${status}`);
      };
      for (const part of [...params, ...queried]) for (const value of HOSTILE) await ask(part, value);
    }
    expect(asked).toBeGreaterThan(300);
    expect(failed).toEqual([]);
  },
  SLOW_MS,
);
