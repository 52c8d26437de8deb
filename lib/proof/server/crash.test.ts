import { spawn, type ChildProcess } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createVerifier } from 'fast-jwt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '@/lib/base/time';
import { loadInputSchema } from '@/lib/loads/schema';
import { addLoad, type LoadContext } from '@/lib/loads/server/loads';
import { makePickupCode } from '@/lib/pickup-check/server/codes';
import { createRandom } from '@/service/simulator/random';
import { startMailServer } from '@/testing/mail-server';
import type { Given, Line } from '@/testing/proof/issuing-process';
import { PROOF_SECRET, PROOF_USDOT } from '@/testing/proof/proof';
import { STAY_MS, USUAL_FIXES, setUpStays } from '@/testing/proof/stays';
import type { ProofDocument } from '../document';
import type { PublicKey } from '../keys';
import { hashContent, toJson } from './documents';
import { listPublicKeys } from './keys';
import { READ_ATTACHMENTS } from './page/script';
import { verify } from './verify';

const KILLS = 20;
const SEED = Number(process.env.CRASH_SEED || 20_261_130);
const WITHIN_MS = 15 * MINUTE_MS;
/** A server is killed so long after a stay has moved at most. */
const MOST_MS = 1500;
/** Ten checks of each code in ten minutes, which are as many seconds. */
const [CODES, SPEED] = [12, 60];
/** Stays that move, of which only the servers themselves revise the statements, and others. */
const MOVED = ['M1', 'M2', 'M3'];
const OTHERS = ['S1', 'S2'];

const held = setUpStays();
const servers: (ChildProcess | null)[] = [null, null];
const lines: Line[] = [];
const ended: string[] = [];
let mailServer: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  mailServer = await startMailServer();
});
afterAll(async () => {
  for (const server of servers) server?.kill('SIGKILL');
  await mailServer.close();
});

const ofEvent = (event: Line['event']): string[] =>
  lines.filter((line) => line.event === event).map(({ of }) => of);
const stayOf = (unit: string) => ({ unit, siteId: held.siteId, arrivedMs: STAY_MS + 30 * MINUTE_MS });
const query = async <T>(text: string, values?: unknown[]): Promise<T[]> =>
  (await held.proof.database.query(text, values)) as T[];

let started = 0;
const start = async (which: number, given: Omit<Given, 'name'>): Promise<void> => {
  const args = ['--conditions=react-server', '--import', 'tsx', 'testing/proof/issuing-process.ts'];
  const name = `P${(started += 1)}X`;
  const child = spawn(process.execPath, [...args, JSON.stringify({ ...given, name } satisfies Given)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.once('exit', (code, signal) => void (signal ?? ended.push(`${name} ended with ${code}`)));
  const reader = createInterface({ input: child.stdout });
  servers[which] = child;
  await once(reader, 'line');
  reader.on('line', (line) => lines.push(JSON.parse(line) as Line));
};
/** What it has written before is read. */
const kill = async (which: number): Promise<void> => {
  const child = servers[which]!;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
};

/** The pickup codes of loads with a truck. */
const makeCodes = async (): Promise<string[]> => {
  const context: LoadContext = held.context();
  const codes: string[] = [];
  for (let i = 0; i < CODES; i += 1) {
    const place = { name: 'Mill', lat: 36 + i, lng: -101 };
    const stops = [{ kind: 'pickup', siteId: null, place, appointment: null }];
    const { id } = await addLoad(
      context,
      PROOF_USDOT,
      loadInputSchema.parse({ reference: `${i}`, unit: 'L1', stops }),
    );
    const by = { ...context, shares: { secret: PROOF_SECRET }, env: { publicUrl: null } };
    codes.push((await makePickupCode(by, PROOF_USDOT, id)).code);
  }
  return codes;
};

interface Row {
  number: string;
  revision: number;
  unit: string;
  jws: string;
  kid: string;
  hash: string;
  madeBy: string;
}

const readRows = () =>
  query<Row>(
    `select number, revision, unit, jws, kid, content_hash as hash, made_by as "madeBy"
     from linehaul.proof_documents order by number, revision`,
  );
const toContent = ({ jws }: Row): ProofDocument => JSON.parse(toJson(jws)) as ProofDocument;
const newestOf = async (unit: string): Promise<number> =>
  (await readRows()).filter((row) => row.unit === unit).length;

const toPem = ({ kty, crv, x }: PublicKey): string =>
  createPublicKey({ key: { kty, crv, x }, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();

/** The last fix inside, minutes after STAY_MS, that each revision of a statement says. */
const departureOf = (row: Row): number | null => {
  const content = toContent(row);
  if (content.kind !== 'detention-statement') return null;
  return (content.subject.departure.afterMs! - STAY_MS) / MINUTE_MS;
};

it(
  `no document, revision, key, mail or check is lost or there twice while servers are killed ${KILLS} times (seed ${SEED})`,
  async () => {
    const random = createRandom(SEED);
    await held.agree();
    for (const unit of [...MOVED, ...OTHERS]) {
      await held.drive(USUAL_FIXES, unit);
      await held.visit([25, 30, 270, 275], { unit });
    }
    for (const unit of MOVED) await held.issue(13_125, 30, unit);
    const given = {
      ...{
        databaseUrl: held.proof.database.databaseUrl,
        smtpPort: mailServer.port,
        codes: await makeCodes(),
      },
      clock: { shownMs: STAY_MS + DAY_MS, atMs: Date.now(), speed: SPEED },
      stays: OTHERS.map(stayOf),
    };
    await Promise.all(servers.map((_, which) => start(which, given)));
    const moves = new Map(MOVED.map((unit) => [unit, 0]));
    for (let round = 0; round < KILLS; round += 1) {
      const unit = MOVED[round % MOVED.length]!;
      const move = moves.get(unit)! + 1;
      moves.set(unit, move);
      const min = 270 + move / 2;
      await held.drive([{ min, northM: 50, seenMin: 500 + round }], unit);
      await held.visit([25, 30, min, 275], { unit });
      await sleep(random.next() * MOST_MS);
      const which = round % 2;
      await kill(which);
      // The other one goes on with what it has begun.
      await expect.poll(() => newestOf(unit), { timeout: 60_000 }).toBe(1 + move);
      await start(which, given);
    }
    await Promise.all(servers.map((_, which) => kill(which)));
    expect(ended).toEqual([]);

    const rows = await readRows();
    const keys = await held.proof.run(listPublicKeys);
    const verifiers = new Map(
      keys.map((key) => [key.kid, createVerifier({ key: toPem(key), algorithms: ['EdDSA'] })]),
    );
    const newest = new Map<string, Row>();
    for (const row of rows) {
      const before = newest.get(row.number);
      const content = toContent(row);
      expect(content).toMatchObject({
        ...{ number: row.number, revision: (before?.revision ?? 0) + 1, revises: before?.revision ?? null },
      });
      if (before) expect(content.issuedMs).toBeGreaterThanOrEqual(toContent(before).issuedMs);
      expect(row).toMatchObject({ revision: content.revision, hash: hashContent(toJson(row.jws)) });
      expect(await verify({ jws: row.jws, json: null }, keys)).toMatchObject({ isProved: true });
      expect(verifiers.get(row.kid)!(row.jws)).toEqual(content);
      newest.set(row.number, row);
    }
    // Each is in the audit log once, and there is none that is not.
    const all = rows.map(({ number, revision }) => `${number} ${revision}`);
    const audited = await query<{ document: string }>(
      `select subject || ' ' || (details ->> 'revision') as document from linehaul.audit_log where action = 'proof.issue'`,
    );
    expect(audited.map(({ document }) => document).sort()).toEqual([...all].sort());
    const issued = ofEvent('issued');
    expect(issued.length).toBeGreaterThan(KILLS);
    expect(new Set(issued).size).toBe(issued.length);
    expect(issued.filter((each) => !all.includes(each))).toEqual([]);

    // One statement about each stay, whose lists have its newest revision.
    const statements = await query<{ number: string; revision: number; unit: string }>(
      'select number, revision, unit from linehaul.detention_statements order by unit',
    );
    expect(statements.map(({ unit }) => unit)).toEqual([...MOVED, ...OTHERS]);
    for (const { number, revision } of statements) expect(newest.get(number)!.revision).toBe(revision);
    for (const unit of MOVED) {
      const revisions = rows.filter((row) => row.unit === unit);
      const count = moves.get(unit)!;
      expect(revisions.map(departureOf)).toEqual(Array.from({ length: count + 1 }, (_, i) => 270 + i / 2));
      expect(revisions.slice(1).map(({ madeBy }) => madeBy)).toEqual(Array(count).fill('server'));
    }

    // One key signs at each time, without a gap.
    expect(keys.map(({ untilMs }) => untilMs)).toEqual([...keys.slice(1).map(({ fromMs }) => fromMs), null]);
    const rotations = await query(`select 1 from linehaul.audit_log where action = 'proof-key.rotate'`);
    expect(keys).toHaveLength(rotations.length + 1);
    expect(rotations.length).toBeGreaterThanOrEqual(ofEvent('rotated').length);
    expect(ofEvent('rotated').length).toBeGreaterThan(0);

    // A mail that was answered was sent once, none twice, and each was written down before.
    const received = mailServer.received.map(({ to }) => to[0]!);
    expect(new Set(received).size).toBe(received.length);
    expect(ofEvent('mailed').filter((address) => !received.includes(address))).toEqual([]);
    expect(ofEvent('mailed').length).toBeGreaterThan(0);
    const written = await query<{ address: string }>(
      `select details ->> 'to' as address from linehaul.audit_log where action = 'proof.mail'`,
    );
    expect(received.filter((address) => !written.some((each) => each.address === address))).toEqual([]);
    expect(received.filter((address) => !ofEvent('mailing').includes(address))).toEqual([]);
    const read = new Function(
      `${READ_ATTACHMENTS}; return async (bytes) => toGiven(await readAttachments(bytes));`,
    )() as (bytes: Uint8Array) => Promise<string | null>;
    for (const { text } of mailServer.received) {
      const [, base64] = /application\/pdf[\s\S]*?\r\n\r\n([\w+/=\r\n]+)/.exec(text)!;
      const { jws } = JSON.parse((await read(Buffer.from(base64!, 'base64')))!) as { jws: string };
      expect(rows.some((row) => row.jws === jws)).toBe(true);
    }

    // What was typed is in the history of its load, once.
    const checks = await query<{ typed: string; loadId: string; atMs: string }>(
      `select details ->> 'typed' as typed, load_id as "loadId", at_ms as "atMs"
       from linehaul.load_events where kind = 'checked' order by at_ms`,
    );
    const typed = checks.map((each) => each.typed);
    expect(new Set(typed).size).toBe(typed.length);
    expect(ofEvent('checked').filter((each) => !typed.includes(each))).toEqual([]);
    expect(typed.filter((each) => !ofEvent('checking').includes(each))).toEqual([]);
    expect(typed.length).toBeGreaterThan(KILLS);
    const wrong = await query<{ loadId: string; wrongMs: string }>(
      'select load_id as "loadId", wrong_ms as "wrongMs" from linehaul.pickup_codes where wrong_ms is not null',
    );
    for (const { loadId, wrongMs } of wrong)
      expect(checks.findLast((each) => each.loadId === loadId)!.atMs).toBe(wrongMs);
  },
  WITHIN_MS,
);
