import { createPublicKey, verify as verifySignature } from 'node:crypto';
import { expect, it } from 'vitest';
import { PROOF_SECRET, PROOF_USDOT, certificateOf, documentOf, setUpProof, ANN } from '@/testing/proof/proof';
import { runCommand } from '@/service/command/main';
import { toCanonical } from '../canonical';
import { parseNumber } from '../number';
import { listDocuments, readDocument, type StoredDocument } from './documents';
import { listPublicKeys, revokeKey, rotateKey } from './keys';
import { readGiven, verify, type Verdict } from './verify';

const held = setUpProof();

const issueAndRead = async (...given: Parameters<typeof held.issue>): Promise<StoredDocument> => {
  const { number, revision } = await held.issue(...given);
  return (await held.run((tx) => readDocument(tx, number, revision)))!;
};
const keys = () => held.run(listPublicKeys);
const check = async (text: string): Promise<Verdict> => {
  const given = readGiven(text)!;
  return verify({ ...given, jws: given.jws! }, await keys());
};
const refusalOf = async (text: string) => {
  const verdict = await check(text);
  return verdict.isProved ? 'proved' : verdict.refusal;
};

it('a document is canonical JSON, signed, recorded, and verified by node:crypto as well', async () => {
  const { json, jws, content, number } = await issueAndRead();
  expect(parseNumber(number.toLowerCase().replaceAll('-', ' '))).toBe(number);
  expect(json).toBe(toCanonical(JSON.parse(json)));
  expect(content).toMatchObject({
    format: 'linehaul-proof/1',
    revision: 1,
    revises: null,
    issuedMs: held.nowMs,
  });
  expect(await refusalOf(jws)).toBe('proved');
  const [key] = await keys();
  const [head, payload, signature] = jws.split('.');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key!.x }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${payload}`);
  expect(verifySignature(null, signed, publicKey, Buffer.from(signature!, 'base64url'))).toBe(true);
  const audit = await held.database.query(
    `select actor, action, details from linehaul.audit_log where subject = '${number}'`,
  );
  expect(audit).toEqual([
    {
      ...{ actor: 'ann@carrier.test', action: 'proof.issue' },
      details: { usdot: PROOF_USDOT, kind: 'position-certificate', revision: 1, about: 'Truck 4107' },
    },
  ]);
  expect(JSON.stringify(await held.database.query('select * from linehaul.proof_keys'))).not.toContain('"d"');
});

it('a correction is a revision of its own, and lists have the newest', async () => {
  const first = await issueAndRead({ isShownByNumber: true });
  held.nowMs += 1000;
  const second = await issueAndRead({ revises: first.number, subject: certificateOf('4108') });
  expect(second).toMatchObject({ number: first.number, revision: 2, newest: 2, isShownByNumber: true });
  expect(second.content.revises).toBe(1);
  const again = await held.run((tx) => readDocument(tx, first.number, 1));
  expect(again).toMatchObject({ jws: first.jws, newest: 2 });
  const listed = await listDocuments({ database: held.app.database, viewer: ANN }, PROOF_USDOT);
  expect(listed.filter(({ number }) => number === first.number)).toMatchObject([{ revision: 2, newest: 2 }]);
  const scoped = { database: held.app.database, viewer: { ...ANN, tags: ['flatbed'] } };
  expect(await listDocuments(scoped, PROOF_USDOT)).toEqual([]);
  await expect(held.issue({ revises: '0000-0000-0000' })).rejects.toThrow(/document/);
  // Two at once become two revisions.
  const both = await Promise.all([1, 2].map(() => held.issue({ revises: first.number })));
  expect(both.map(({ revision }) => revision).sort()).toEqual([3, 4]);
});

it('has the MC number that the carrier had last, where the provider gives none now', async () => {
  const { issuer } = documentOf();
  const mcOf = async (mc: string | null) =>
    (await issueAndRead({ issuer: { ...issuer, mc } })).content.issuer.mc;
  held.nowMs += 1000;
  expect(await mcOf('MC-990001')).toBe('MC-990001');
  held.nowMs += 1000;
  expect(await mcOf(null)).toBe('MC-990001');
  held.nowMs += 1000;
  expect([await mcOf('MC-7'), await mcOf(null)]).toEqual(['MC-7', 'MC-7']);
});

it('refuses what was changed, by any byte of it, and takes fields in another order', async () => {
  const { json, jws } = await issueAndRead();
  const parts = jws.split('.');
  const flip = (part: number, at: number): string => {
    const bytes = Buffer.from(parts[part]!, 'base64url');
    bytes[at]! ^= 1;
    return parts.map((text, i) => (i === part ? bytes.toString('base64url') : text)).join('.');
  };
  for (let at = 0; at < json.length; at += 7) expect(await refusalOf(flip(1, at))).toBe('changed');
  for (let at = 0; at < 64; at += 5) expect(await refusalOf(flip(2, at))).toBe('changed');
  expect(['unreadable', 'unknown-key', 'changed']).toContain(await refusalOf(flip(0, 5)));
  const value = JSON.parse(json) as Record<string, unknown>;
  const turned = Object.fromEntries(Object.entries(value).reverse());
  expect(await refusalOf(JSON.stringify({ jws, document: turned }, null, 2))).toBe('proved');
  const other = await check(JSON.stringify({ document: { ...value, subject: certificateOf('4108') }, jws }));
  expect(other).toMatchObject({ isProved: false, refusal: 'differs', fields: ['subject.truck.number'] });
  // No other algorithm, and no header that nobody of us writes.
  const head = (fields: object): string => {
    const header = { ...(JSON.parse(Buffer.from(parts[0]!, 'base64url').toString()) as object), ...fields };
    return [Buffer.from(JSON.stringify(header)).toString('base64url'), parts[1], parts[2]].join('.');
  };
  for (const fields of [{ alg: 'none' }, { alg: 'HS256' }, { typ: 'JWT' }, { jwk: {} }])
    expect(await refusalOf(head(fields))).toBe('unreadable');
  expect(await refusalOf(head({ kid: 'x'.repeat(43) }))).toBe('unknown-key');
  for (const text of ['', '{}', 'a.b', '[]', 'null', '{"a":1.5}', 'x'.repeat(3_000_000)])
    expect(readGiven(text)?.jws ?? null).toBeNull();
});

it('takes a signed document only letter by letter as it was signed, also where another letter means the same bytes', async () => {
  const { jws } = await issueAndRead();
  for (let at = 0; at < jws.length; at += at < jws.length - 4 ? 3 : 1) {
    if (jws[at] === '.') continue;
    const other = jws.slice(0, at) + (jws[at] === 'A' ? 'B' : 'A') + jws.slice(at + 1);
    expect(await refusalOf(other), `${at}`).not.toBe('proved');
  }
  // The last letter of a signature has four bits that no byte is made of.
  const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = LETTERS.indexOf(jws.at(-1)!);
  for (let i = 1; i < 16; i += 1)
    expect(await refusalOf(jws.slice(0, -1) + LETTERS[last + i]!)).toBe('changed');
});

it('old keys verify what they signed, and nothing later; a revoked one nothing', async () => {
  const old = await issueAndRead();
  held.nowMs += 1000;
  const before = await keys();
  await held.run((tx) => rotateKey(tx, PROOF_SECRET, held.nowMs));
  held.nowMs += 1000;
  const next = await issueAndRead();
  expect(next.kid).not.toBe(old.kid);
  expect([await refusalOf(old.jws), await refusalOf(next.jws)]).toEqual(['proved', 'proved']);
  expect(await keys()).toHaveLength(before.length + 1);
  // The old key, used after its time.
  const late = (await keys()).map((key) => ({
    ...key,
    untilMs: key.kid === old.kid ? old.issuedMs - 1 : key.untilMs,
  }));
  expect(await verify({ jws: old.jws, json: null }, late)).toMatchObject({ refusal: 'out-of-time' });
  expect(await held.run((tx) => revokeKey(tx, next.kid, held.nowMs))).toBe(true);
  expect(await held.run((tx) => revokeKey(tx, next.kid, held.nowMs))).toBe(false);
  expect([await refusalOf(next.jws), await refusalOf(old.jws)]).toEqual(['revoked', 'proved']);
  // The next document has a key of its own again.
  expect((await issueAndRead()).kid).not.toBe(next.kid);
});

it('keys are rotated and revoked by the command line as well', async () => {
  const old = await issueAndRead();
  const run = async (...argv: string[]) => {
    const lines: string[] = [];
    const context = {
      ...{
        databaseUrl: held.database.databaseUrl,
        now: () => held.nowMs,
        signal: new AbortController().signal,
      },
      ...{ stdout: (line: string) => void lines.push(line), stderr: (line: string) => void lines.push(line) },
    };
    return { code: await runCommand(['signing-keys', ...argv], context), text: lines.join('\n') };
  };
  expect((await run('rotate')).code).toBe(0);
  expect((await run('list')).text).toMatch(new RegExp(`${old.kid} +verifies what it signed`));
  const next = await issueAndRead();
  expect([next.kid === old.kid, await refusalOf(old.jws)]).toEqual([false, 'proved']);
  expect((await run('revoke', next.kid)).code).toBe(0);
  expect((await run('revoke', next.kid)).code).toBe(1);
  expect([await refusalOf(next.jws), (await issueAndRead()).kid === next.kid]).toEqual(['revoked', false]);
  const { length } = await held.database.query(
    `select 1 from linehaul.audit_log where actor = 'command line'`,
  );
  expect(length).toBe(2);
});

it('servers that begin at once agree on one key, and one that has lost the secret makes another', async () => {
  const kid = (await issueAndRead()).kid;
  await held.database.query(`update linehaul.proof_keys set until_ms = ${held.nowMs} where until_ms is null`);
  await Promise.all(Array.from({ length: 6 }, () => held.issue()));
  const current = (await keys()).filter(({ untilMs }) => untilMs === null);
  expect(current).toHaveLength(1);
  expect(current[0]!.kid).not.toBe(kid);
  const moved = await issueAndRead({}, 'another secret, after a move without the first');
  expect(moved.kid).not.toBe(current[0]!.kid);
  expect(await refusalOf(moved.jws)).toBe('proved');
});
