/**
 * Compares each cell of the tables in docs/lifetimes.md with the application's routes, accounts and service.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLifetimeServer, type LifetimeServer } from '@/testing/app/lifetimes';
import { MANAGER_EVENTS, createManagerFixture } from '@/testing/app/manager-lifetimes';
import { PROOF_EVENTS, createProofFixture } from '@/testing/app/proof-lifetimes';
import { THING_EVENTS, createThingFixture } from '@/testing/app/thing-lifetimes';
import { readRoutes } from '@/testing/attacks/routes';

type Cells = Record<string, string>;

const toCells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** A table of the page by its heading: the event, and its effect on each column. */
const readTable = (heading: string): { event: string; cells: Cells }[] => {
  const page = readFileSync('docs/lifetimes.md', 'utf8');
  const section = page.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  const [head, , ...lines] = section.split('\n').filter((line) => line.startsWith('|'));
  const [, ...columns] = toCells(head!);
  return lines.map((line) => {
    const [event, ...cells] = toCells(line);
    return { event: event!, cells: Object.fromEntries(columns.map((column, at) => [column, cells[at]!])) };
  });
};

const MANAGER_TABLE = readTable('A manager');
const THING_TABLE = readTable('Everything else');
const PROOF_TABLE = readTable('Documents, terms and codes');

/** A row signs in several times, each at the cost of a password hash: seconds on a busy machine. */
const ROW_TIMEOUT_MS = 60_000;

let server: LifetimeServer;
beforeAll(async () => {
  server = await createLifetimeServer();
}, ROW_TIMEOUT_MS);
afterAll(() => server.close());

it('the page has a row for each event that is tried, and no other', () => {
  expect(MANAGER_TABLE.map(({ event }) => event)).toEqual(Object.keys(MANAGER_EVENTS));
  expect(THING_TABLE.map(({ event }) => event)).toEqual(Object.keys(THING_EVENTS));
  expect(PROOF_TABLE.map(({ event }) => event)).toEqual(Object.keys(PROOF_EVENTS));
});

it('no route deletes a user', async () => {
  const names = (await readRoutes()).map(({ name }) => name);
  expect(names).toContain('PATCH api/users/[id]');
  expect(names.filter((name) => /^DELETE api\/users\/\[id\]$/.test(name))).toEqual([]);
});

describe.each(MANAGER_TABLE)('a manager who … $event', ({ event, cells }) => {
  let found: Cells;
  beforeAll(async () => {
    const fixture = await createManagerFixture(server);
    expect(new Set(Object.values(await fixture.read({ isDryRun: true }))), 'all live before').toEqual(
      new Set(['stays']),
    );
    await MANAGER_EVENTS[event]!(fixture);
    found = await fixture.read();
  }, ROW_TIMEOUT_MS);
  it.each(Object.entries(cells))('%s %s', (column, outcome) => expect(found[column]).toBe(outcome));
});

/** What each event of a table leaves. */
const toRows = <Fixture extends { read: () => Promise<Cells> }>(
  table: typeof THING_TABLE,
  create: (server: LifetimeServer) => Promise<Fixture>,
  events: Readonly<Record<string, (fixture: Fixture) => Promise<unknown>>>,
) =>
  table.map(({ event, cells }) => ({
    ...{ event, cells },
    run: async (): Promise<Cells> => {
      const fixture = await create(server);
      expect(new Set(Object.values(await fixture.read())), 'all live before').toEqual(new Set(['stays']));
      await events[event]!(fixture);
      return fixture.read();
    },
  }));

describe.each([
  ...toRows(THING_TABLE, createThingFixture, THING_EVENTS),
  ...toRows(PROOF_TABLE, createProofFixture, PROOF_EVENTS),
])('$event', ({ cells, run }) => {
  let found: Cells;
  beforeAll(async () => {
    found = await run();
  }, ROW_TIMEOUT_MS);
  it.each(Object.entries(cells))('%s %s', (column, outcome) => expect(found[column]).toBe(outcome));
});
