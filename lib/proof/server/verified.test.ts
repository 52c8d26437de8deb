/** Documents verified by others than this code, after all that happens to a server. It takes several seconds. */
import { execFileSync } from 'node:child_process';
import { createPublicKey, verify as verifySignature } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { createVerifier } from 'fast-jwt';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restoreBackupFile, writeBackupFile } from '@/service/store/backup/file';
import { createEmptyDatabase } from '@/testing/database';
import { createBasemap } from '@/testing/map/create-basemap';
import { PROOF_SECRET, certificateOf, setUpProof } from '@/testing/proof/proof';
import { readDocument } from './documents';
import { listPublicKeys, rotateKey } from './keys';
import { toPdf } from './pdf/pdf';
import { verify } from './verify';

const DOCUMENTS = 1000;

describe.skipIf(process.env.LINEHAUL_TEST_LONG !== '1')('documents', () => {
  const held = setUpProof();
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'verified-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('1,000 of several keys are verified by another library and by node:crypto, and by no other key', async () => {
    const jwss: string[] = [];
    for (let i = 0; i < DOCUMENTS; i += 1) {
      if (i % 250 === 249) {
        held.nowMs += 1000;
        await held.run((tx) => rotateKey(tx, PROOF_SECRET, held.nowMs));
      }
      const { number } = await held.issue({ subject: certificateOf(`№ ${i} “Ñandú” 😀`) });
      jwss.push((await held.run((tx) => readDocument(tx, number)))!.jws);
    }
    const keys = await held.run(listPublicKeys);
    expect(keys).toHaveLength(5);
    const publicKeys = new Map(
      keys.map(({ kid, x }) => [
        kid,
        createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
      ]),
    );
    const verifiers = new Map(
      [...publicKeys].map(([kid, key]) => {
        const pem = key.export({ type: 'spki', format: 'pem' }).toString();
        return [kid, createVerifier({ key: pem, algorithms: ['EdDSA'] })];
      }),
    );
    for (const jws of jwss) {
      const [head, payload, signature] = jws.split('.') as [string, string, string];
      const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string };
      const signed = Buffer.from(`${head}.${payload}`);
      expect(verifySignature(null, signed, publicKeys.get(kid)!, Buffer.from(signature, 'base64url'))).toBe(
        true,
      );
      for (const [other, verifyBy] of verifiers)
        if (other === kid) expect(verifyBy(jws)).toMatchObject({ format: 'linehaul-proof/1' });
        else expect(() => verifyBy(jws) as unknown).toThrow();
      expect(await verify({ jws, json: null }, keys)).toMatchObject({ isProved: true });
    }
  }, 120_000);

  it('are verified after a restore into another database', async () => {
    const { number } = await held.issue();
    const file = join(folder, 'backup.sql.gz');
    const { signal } = new AbortController();
    await writeBackupFile(held.database.databaseUrl, file, { history: null, signal });
    const other = await createEmptyDatabase();
    await restoreBackupFile(other.databaseUrl, file, { history: null, signal });
    const client = new pg.Client({ connectionString: other.databaseUrl });
    await client.connect();
    const orm = drizzle({ client });
    const restored = (await readDocument(orm, number))!;
    expect(await verify(restored, await listPublicKeys(orm))).toMatchObject({ isProved: true });
    await client.end();
    await other.drop();
  });

  it('are PDFs with text, language and tags, on Letter and A4', async () => {
    const { number } = await held.issue({ subject: certificateOf('4107 Łódź') });
    const document = (await held.run((tx) => readDocument(tx, number)))!;
    for (const [paper, size] of [
      ['letter', '612 x 792 pts (letter)'],
      ['a4', '595.28 x 841.89 pts (A4)'],
    ] as const) {
      const file = join(folder, `${paper}.pdf`);
      writeFileSync(
        file,
        await toPdf(createBasemap([], []), document, { paper, verifyUrl: 'https://fleet.example/verify' }),
      );
      const run = (program: string, ...argv: string[]) => execFileSync(program, argv, { encoding: 'utf8' });
      const info = run('pdfinfo', file);
      expect(info).toMatch(/Title: +Position certificate/);
      expect(info).toMatch(/Tagged: +yes/);
      expect(info).toContain(size);
      const text = run('pdftotext', file, '-');
      for (const part of [number, '4107 Łódź', 'Prairie Star Freight', 'https://fleet.example/verify'])
        expect(text).toContain(part);
      expect(run('pdfinfo', '-struct-text', file)).toMatch(
        /Document\n[\s\S]*H1 \(block\)\n +"Position certificate"[\s\S]*TH/,
      );
      run('pdfdetach', '-saveall', '-o', folder, file);
      expect(run('cat', join(folder, 'document.jws'))).toBe(document.jws);
      expect(run('cat', join(folder, 'document.json'))).toBe(document.json);
    }
  });
});
