/** Documents verified by others than this code, after all that happens to a server. It takes several seconds. */
import { execFileSync } from 'node:child_process';
import { createPublicKey, verify as verifySignature } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { createVerifier } from 'fast-jwt';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '@/lib/base/time';
import { toReader } from '@/lib/catalog/reader';
import { restoreBackupFile, writeBackupFile } from '@/service/store/backup/file';
import { createEmptyDatabase } from '@/testing/database';
import { createBasemap } from '@/testing/map/create-basemap';
import { PROOF_SECRET, certificateOf } from '@/testing/proof/proof';
import { STAY_MS, USUAL_FIXES, setUpStays } from '@/testing/proof/stays';
import { toBlocks, type ProofDocument } from '../document';
import { readDocument } from './documents';
import { listPublicKeys, rotateKey } from './keys';
import { renderDocumentPage, toHeadFacts } from './page/document-page';
import { toPdf } from './pdf/pdf';
import { verify } from './verify';

const ENGLISH = toReader('en-US', { language: null, zone: null });

const DOCUMENTS = 1000;

describe.skipIf(process.env.LINEHAUL_TEST_LONG !== '1')('documents', () => {
  const held = setUpStays();
  const { proof } = held;
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'verified-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('1,000 of several keys are verified by another library and by node:crypto, and by no other key', async () => {
    const jwss: string[] = [];
    for (let i = 0; i < DOCUMENTS; i += 1) {
      if (i % 250 === 249) {
        proof.nowMs += 1000;
        await proof.run((tx) => rotateKey(tx, PROOF_SECRET, proof.nowMs));
      }
      const { number } = await proof.issue({ subject: certificateOf(`№ ${i} “Ñandú” 😀`) });
      jwss.push((await proof.run((tx) => readDocument(tx, number)))!.jws);
    }
    const keys = await proof.run(listPublicKeys);
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
    const { number } = await proof.issue();
    const file = join(folder, 'backup.sql.gz');
    const { signal } = new AbortController();
    await writeBackupFile(proof.database.databaseUrl, file, { history: null, signal });
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

  it('are verified by the commands of docs/proof-verify.md, whichever key they are signed by', async () => {
    const numbers = [(await proof.issue()).number];
    proof.nowMs += 1000;
    await proof.run((tx) => rotateKey(tx, PROOF_SECRET, proof.nowMs));
    numbers.push((await proof.issue()).number);
    writeFileSync(join(folder, 'keys.json'), JSON.stringify({ keys: await proof.run(listPublicKeys) }));
    copyFileSync('scripts/verify-proof.mjs', join(folder, 'verify-proof.mjs'));
    const examples = [...readFileSync('docs/proof-verify.md', 'utf8').matchAll(/```bash\n([\s\S]*?)```/g)]
      .map(([, text]) => text!)
      .filter((text) => !text.startsWith('npx '));
    expect(examples).toHaveLength(2);
    const run = (command: string) =>
      execFileSync('bash', ['-euo', 'pipefail', '-c', command], { cwd: folder, encoding: 'utf8' });
    for (const number of numbers) {
      const document = (await proof.run((tx) => readDocument(tx, number)))!;
      const pdf = await toPdf(createBasemap([], []), document, {
        paper: 'a4',
        verifyUrl: 'https://a.example',
      });
      writeFileSync(join(folder, 'statement.pdf'), pdf);
      const [own, openssl] = examples.map((text) => run(text.replace(/^curl .*\n/, '')));
      expect(own).toContain(number);
      expect(openssl).toContain('Signature Verified Successfully');
    }
  }, 60_000);

  /** Each text of a document in its order, without spaces: lines may end anywhere. */
  const toTexts = (content: ProofDocument): string[] =>
    [{ type: 'facts' as const, facts: toHeadFacts(content, ENGLISH) }, ...toBlocks(content)]
      .flatMap((block) => {
        switch (block.type) {
          case 'heading':
          case 'text':
            return [block.text];
          case 'facts':
            return block.facts.flatMap(({ label, value, note = '' }) => [label, value, note]);
          case 'table':
            return [block.caption, ...block.columns, ...block.rows.flat()];
          case 'map':
            return [block.caption];
        }
      })
      .map((text) => text.replaceAll(/\s/g, ''));
  const squeeze = (text: string): string => text.replaceAll(/\s/g, '');
  const expectInOrder = (text: string, parts: readonly string[]): void => {
    let from = 0;
    for (const part of parts) {
      const at = text.indexOf(part, from);
      expect(at, `${part} after ${text.slice(Math.max(0, from - 60), from)}`).toBeGreaterThanOrEqual(from);
      from = at + part.length;
    }
  };

  it('are PDFs with text, language and tags, on Letter and A4, which say what was signed, as their pages do', async () => {
    await held.drive(USUAL_FIXES);
    await held.visit([25, 30, 270, 275]);
    await held.agree();
    proof.nowMs = STAY_MS + DAY_MS;
    const numbers = [
      (await proof.issue({ subject: certificateOf('4107 Łódź') })).number,
      (await held.issue(13_125)).number,
    ];
    const map = createBasemap([], []);
    const run = (program: string, ...argv: string[]) => execFileSync(program, argv, { encoding: 'utf8' });
    for (const number of numbers) {
      const document = (await proof.run((tx) => readDocument(tx, number)))!;
      const { content, kid } = document;
      const parts = toTexts(content);
      const isStatement = content.kind === 'detention-statement';
      const title = isStatement ? 'Detention statement' : 'Position certificate';
      for (const [paper, size] of [
        ['letter', '612 x 792 pts (letter)'],
        ['a4', '595.28 x 841.89 pts (A4)'],
      ] as const) {
        const file = join(folder, `${paper}.pdf`);
        const pdf = await toPdf(map, document, { paper, verifyUrl: 'https://fleet.example/verify' });
        writeFileSync(file, pdf);
        expect(pdf.toString('latin1')).toContain('/Lang (en-US)');
        const info = run('pdfinfo', file);
        expect(info).toMatch(new RegExp(`Title: +${title} ${number}, revision 1`));
        expect(info).toMatch(/Tagged: +yes/);
        // Of every page.
        const pages = Number(/Pages: +(\d+)/.exec(info)![1]);
        expect(run('pdfinfo', '-f', '1', '-l', String(pages), file).split(size)).toHaveLength(pages + 1);
        expect(run('pdffonts', file)).toMatch(/DejaVuSansCondensed.+ yes yes yes /);
        const text = run('pdftotext', file, '-');
        for (const part of [number, 'Prairie Star Freight', 'https://fleet.example/verify'])
          expect(text).toContain(part);
        if (!isStatement) expect(text).toContain('4107 Łódź');
        expectInOrder(squeeze(run('pdftotext', '-raw', file, '-')), parts);
        const tags = run('pdfinfo', '-struct-text', file);
        expect(tags).toMatch(new RegExp(`Document\\n[\\s\\S]*H1 \\(block\\)\\n +"${title}"[\\s\\S]*TH`));
        // Who does not see the page hears the same, and of a map what it shows.
        expectInOrder(squeeze([...tags.matchAll(/"(.*)"$/gm)].map(([, part]) => part).join('')), parts);
        if (isStatement) {
          expect(run('pdfinfo', '-struct', file)).toContain('Figure:');
          expect(pdf.toString('latin1')).toContain('/Alt (Acme Rolla and the fixes of the truck');
        }
        run('pdfdetach', '-saveall', '-o', folder, file);
        expect(run('cat', join(folder, 'document.jws'))).toBe(document.jws);
        expect(run('cat', join(folder, 'document.json'))).toBe(document.json);
      }
      const page = renderDocumentPage(map, { content, newest: 1, kid }, ENGLISH);
      const shown = page.replaceAll(/<style>[\s\S]*?<\/style>|<svg[\s\S]*?<\/svg>|<[^>]+>/g, '');
      const plain = shown.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
      expectInOrder(squeeze(plain), parts);
    }
  });
});
