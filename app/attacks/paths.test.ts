import { afterAll, beforeAll, expect, it } from 'vitest';
import { dumpDatabase } from '@/testing/dump';
import { SCRIPTED_UNITS } from '@/testing/tracking/scripted-units';
import { GET as readVinCarrier } from '../api/fleets/[usdot]/carrier/[vin]/route';
import { GET as readDetail } from '../api/fleets/[usdot]/live/[key]/route';
import { GET as readLive } from '../api/fleets/[usdot]/live/route';
import { GET as readRoster } from '../api/fleets/[usdot]/roster/route';
import { GET as readUnit } from '../api/fleets/[usdot]/units/[vin]/route';
import { OTHER, OWN, startAttackedServer, type AttackedServer } from '@/testing/attacks/server';

const VIN = SCRIPTED_UNITS[0]!.vin;
const ROUTES = { readLive, readDetail, readRoster, readUnit, readVinCarrier };

let server: AttackedServer;
let cookie: string;
beforeAll(async () => {
  server = await startAttackedServer();
  ({ cookie } = await server.signInAs('limited', 'dispatcher', [OWN]));
});
afterAll(() => server.close());

const askAll = (usdot: string, vin: string) =>
  Promise.all(
    Object.entries(ROUTES).map(async ([name, handler]) => {
      const asked = { params: { usdot, vin, key: vin }, cookie };
      return [name, (await server.ask(handler as never, '/api/fleets', asked)).status] as const;
    }),
  );

const askedOf = (at: 0 | 1, subject: RegExp): string[] =>
  server.providers[at].received.map(({ subject: each }) => each).filter((each) => subject.test(each));

it('no spelling of another fleet’s number opens it: each is unknown or malformed', async () => {
  const written = [
    OTHER,
    `000${OTHER}`,
    ` ${OTHER} `,
    `\t${OTHER}\n`,
    `${OTHER}\0`,
    `\0${OTHER}`,
    `${OWN}/../${OTHER}`,
    `${OWN}%2f..%2f${OTHER}`,
    `${OTHER}%00`,
    `${OTHER}/`,
    `./${OTHER}`,
    `+${OTHER}`,
    `${OTHER}.0`,
    `${OTHER}e0`,
    `0x${Number(OTHER).toString(16)}`,
    `${OWN},${OTHER}`,
    `${OWN};${OTHER}`,
    [...OTHER].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join(''),
    `\u202e${OTHER}`,
    '..',
    '.',
    '',
    '*',
    '__proto__',
    'constructor',
  ];
  for (const usdot of written) {
    for (const [name, status] of await askAll(usdot, VIN))
      expect([400, 404], `${name} ${JSON.stringify(usdot)}`).toContain(status);
  }
  expect(askedOf(1, /^(?!$)/)).toEqual([]);
});

it('no spelling of a VIN reaches another address of the provider', async () => {
  const written = [
    '..',
    '.',
    '',
    `../${OTHER}`,
    `..%2f${OTHER}`,
    `%2e%2e/${OTHER}`,
    `${VIN}/..`,
    `${VIN}%2f..`,
    `${VIN}\0`,
    `${VIN}%00`,
    `${VIN}?x=1`,
    `${VIN}#x`,
    `${VIN}\r\nx-api-key: planted`,
    `${VIN};drop`,
    VIN.replace(/^1/, '１'),
    'x'.repeat(4000),
  ];
  for (const vin of written) {
    const statuses = new Map(await askAll(OWN, vin));
    for (const name of ['readUnit', 'readVinCarrier'])
      expect([400, 404], `${name} ${JSON.stringify(vin)}`).toContain(statuses.get(name));
    // A key is any text: it is looked up only in the feed's copy.
    expect([400, 404]).toContain(statuses.get('readDetail'));
  }
  const { received: asked } = server.providers[0];
  expect(new Set(asked.map(({ resource }) => resource))).toEqual(
    new Set(['units', 'vin-numbers', 'carrier']),
  );
  expect(askedOf(0, /^(?!9100001$)(?!$)/)).toEqual([]);
});

it('no table holds the credentials of a provider whose fleets are read', async () => {
  const rows = JSON.stringify(await dumpDatabase(server.databaseUrl));
  expect(rows).toContain('limited@carrier.test');
  for (const { received: asked, credentials } of server.providers.slice(0, 1)) {
    expect(asked.length).toBeGreaterThan(0);
    for (const secret of Object.values(credentials)) expect(rows).not.toContain(secret);
  }
});
