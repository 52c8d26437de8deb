import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Viewer } from '@/lib/base/viewer';
import { createBasemap } from '@/testing/map/create-basemap';
import type { Mail, SendMail } from '@/lib/jobs/mailer';
import { toClient } from '@/testing/auth/sign-in';
import { ANN, PROOF_SECRET, PROOF_USDOT, setUpProof } from '@/testing/proof/proof';
import { listPublicKeys, revokeKey, rotateKey } from '../keys';
import { readDocument, type StoredDocument } from '../documents';
import { mailDocument } from '../mail-document';
import { toPdf } from '../pdf/pdf';
import { answerDocument, type PageContext } from './answer';
import { READ_ATTACHMENTS } from './script';
import { answerVerify, answerVerifyForm } from './verify-answer';

const held = setUpProof();
const errors: unknown[] = [];
let addresses = 0;

/** A request of an address of its own, by a user or a stranger. */
const by = (viewer: Viewer | null = null): PageContext => ({
  auth: { authenticate: async () => viewer && { viewer, sessionId: 's', needsSecondFactor: false } },
  database: held.app.database,
  clock: {
    nowMs: () => held.nowMs,
    monotonicMs: () => 0,
    setTimer: (run) => {
      queueMicrotask(run);
      return () => undefined;
    },
  },
  log: { error: (...given: unknown[]) => void errors.push(given) },
  env: { publicUrl: 'https://fleet.example' },
  client: { address: `203.0.113.${(addresses += 1)}`, headers: new Headers(), isLocal: false, isTls: true },
});
const toRequest = (path: string): Request => new Request(`http://localhost${path}`);
const open = (number: string, viewer: Viewer | null = null, query = '') =>
  answerDocument(by(viewer), toRequest(`/d/${number}${query}`), number);
const lookUp = (number: string, context = by()) =>
  answerVerify(context, toRequest(`/verify?number=${encodeURIComponent(number)}`));
const send = (text: string, context = by()) =>
  answerVerifyForm(
    context,
    new Request('http://localhost/verify', { method: 'POST', body: new URLSearchParams({ text }) }),
  );
const verdictOf = async (text: string): Promise<string> =>
  /<h2>(.+?)<\/h2>/.exec(await (await send(text)).text())?.[1] ?? '';

const issueAndRead = async (...given: Parameters<typeof held.issue>): Promise<StoredDocument> => {
  const { number, revision } = await held.issue(...given);
  return (await held.run((tx) => readDocument(tx, number, revision)))!;
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'proof-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What the offline program says of a file, with the keys of now. */
const verifyOffline = async (
  name: string,
  data: string | Uint8Array,
): Promise<{ code: number; text: string }> => {
  const [file, keysFile] = [join(folder, name), join(folder, 'keys.json')];
  writeFileSync(file, data);
  writeFileSync(keysFile, JSON.stringify({ keys: await held.run(listPublicKeys) }));
  const child = spawn(process.execPath, ['scripts/verify-proof.mjs', file, '--keys', keysFile]);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, text };
};

it('a number alone shows a document only if its maker allows it, and else answers as for none', async () => {
  const hidden = await issueAndRead();
  const shown = await issueAndRead({ isShownByNumber: true });
  const answers = await Promise.all([
    open(hidden.number),
    open('0000-0000-0000'),
    open('x'),
    lookUp(hidden.number),
    lookUp('0000-0000-0000'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  const [a, b, c, d, e] = await Promise.all(answers.map((answer) => answer.text()));
  expect([b, c]).toEqual([a, a]);
  expect(d!.replaceAll(hidden.number, '#')).toBe(e!.replaceAll('0000-0000-0000', '#'));
  for (const answer of [
    await open(shown.number),
    await open(hidden.number, ANN),
    await lookUp(shown.number),
  ]) {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(await answer.text()).toContain('Prairie Star Freight');
  }
  for (const viewer of [
    { ...ANN, kind: 'screen' as const },
    { ...ANN, usdots: ['1'] },
    { ...ANN, tags: ['flatbed'] },
  ])
    expect((await open(hidden.number, viewer)).status).toBe(404);
  expect(errors).toEqual([]);
});

it('is in the language of the reader, and what a document says stays as it was signed', async () => {
  const { number, json } = await issueAndRead({ isShownByNumber: true });
  const inSpanish = await open(number, null, '?lang=es');
  expect(inSpanish.headers.get('content-language')).toBe('es-US');
  const page = await inSpanish.text();
  expect(page).toContain('<html lang="es-US">');
  expect(page).toContain('<h1>Certificado de posición</h1>');
  expect(page).toContain('<dt>Emitido por</dt>');
  expect(page).toMatch(/<dt>Momento<\/dt><dd lang="en-US">[A-Z][a-z]{2}, /);
  expect(page).toContain('href="?lang=fr"');
  const wanted = { headers: { 'accept-language': 'fr-CA, en;q=0.5' } };
  const inFrench = await answerVerify(by(), new Request(`http://localhost/verify?number=${number}`, wanted));
  expect(await inFrench.text()).toContain('<h2>Authentique et inchangé</h2>');
  const posted = await answerVerifyForm(
    by(),
    new Request('http://localhost/verify?lang=es', {
      ...{ method: 'POST', body: new URLSearchParams({ text: json.replace('4107', '4108') }) },
    }),
  );
  expect(await posted.text()).toContain('Este servidor no lo emitió así');
  const english = await (await open(number)).text();
  expect(english).not.toContain('lang="en-US">Tue');
  expect(english).toContain('<dt>Moment</dt><dd>');
});

it('says what became of a document that is pasted', async () => {
  const document = await issueAndRead();
  const { jws, json, number } = document;
  const value = JSON.parse(json) as Record<string, unknown>;
  const turned = JSON.stringify(Object.fromEntries(Object.entries(value).reverse()), null, 2);
  for (const text of [jws, json, turned, JSON.stringify({ document: value, jws })])
    expect(await verdictOf(text)).toBe('Genuine and unchanged');
  expect(await verdictOf(json.replace('4107', '4108'))).toBe('Not issued by this server like this');
  expect(await verdictOf(JSON.stringify({ document: { ...value, issuedMs: 1 }, jws }))).toBe(
    'The JSON is not what was signed',
  );
  expect(await verdictOf(`${jws.slice(0, -4)}AAAA`)).toBe('Changed, or not genuine');
  for (const text of ['', 'hello', '<script>', '\u0000']) expect((await send(text)).status).toBe(400);
  await held.issue({ revises: number });
  expect(await (await send(jws)).text()).toContain('Revision 2 has taken its place');
  held.nowMs += 1000;
  await held.run((tx) => rotateKey(tx, PROOF_SECRET, held.nowMs));
  expect(await (await send(jws)).text()).toContain('another has signed since');
  await held.run((tx) => revokeKey(tx, document.kid, held.nowMs));
  expect(await (await send(jws)).text()).toContain('has the same document on record');
  expect((await verifyOffline('revoked.jws', jws)).text).toMatch(/NOT PROVED\n {2}Its key was revoked/);
});

it('a text that is made to break it is judged like any other, and is no fault of the server', async () => {
  const { jws, json } = await issueAndRead();
  const before = errors.length;
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const nested = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
    expect((await send(`{"a":${nested}}`)).status).toBe(400);
    expect((await send(`{"document":${nested},"jws":"${jws}"}`)).status).toBe(400);
  }
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    const document = `{"${name}":1,${json.slice(1)}`;
    const html = await (await send(`{"document":${document},"jws":"${jws}"}`)).text();
    expect(html).toContain('The JSON is not what was signed');
    expect(html).toContain(`Changed: ${name}.`);
  }
  const [head, payload, signature] = jws.split('.') as [string, string, string];
  for (const text of [
    `${head}.${payload}.`,
    `..`,
    `${head}..${signature}`,
    `${jws}.${payload}`,
    `${'A'.repeat(9)}.A.A`,
  ])
    expect([200, 400]).toContain((await send(text)).status);
  for (const header of [
    'null',
    '1',
    '[]',
    '"a"',
    '{"alg":"EdDSA"}',
    '{"alg":"EdDSA","typ":"linehaul-proof+jws","kid":"__proto__"}',
  ])
    expect(
      await verdictOf([Buffer.from(header).toString('base64url'), payload, signature].join('.')),
    ).toMatch(/This is no signed document|Not signed by this server/);
  expect(errors).toHaveLength(before);
});

it('a document is genuine where the server has moved to, and the page names the address of then', async () => {
  const { jws, number } = await issueAndRead({ isShownByNumber: true });
  const moved = (): PageContext => ({ ...by(), env: { publicUrl: 'https://new.example' } });
  for (const answer of [await send(jws, moved()), await lookUp(number, moved())])
    expect(await answer.text()).toContain('Genuine and unchanged');
  const page = await answerDocument(moved(), toRequest(`/d/${number}`), number);
  expect(await page.text()).toContain('https://fleet.example');
});
it('refuses another spelling of a signature, a name that is there twice, and what is nested too deep', async () => {
  const { jws, json } = await issueAndRead();
  // The last of 86 characters has four bits that no byte has.
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const at = last.indexOf(jws.at(-1)!);
  const same = jws.slice(0, -1) + last[at + 1]!;
  expect(Buffer.from(same.split('.')[2]!, 'base64url')).toEqual(Buffer.from(jws.split('.')[2]!, 'base64url'));
  expect(await verdictOf(same)).toBe('Changed, or not genuine');
  expect(await verifyOffline('same.jws', same)).toMatchObject({ code: 1 });
  const twice = json.replace('"kind":', '"number":"0000-0000-0000","kind":');
  expect(JSON.parse(twice)).toEqual(JSON.parse(json));
  for (const text of [
    twice,
    `{"document":${twice},"jws":"${jws}"}`,
    `{"document":1,"document":${json},"jws":"${jws}"}`,
  ]) {
    expect((await send(text)).status, text).toBe(400);
    expect(await verdictOf(text)).toBe('This is no signed document');
  }
  expect(await verifyOffline('twice.json', `{"document":${twice},"jws":"${jws}"}`)).toMatchObject({
    code: 2,
  });
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`a${i}`, i])));
  expect((await send(`{"document":${many},"jws":"${jws}"}`)).status).toBe(400);
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  for (const text of [deep, `{"document":${deep},"jws":"${jws}"}`])
    expect((await send(text)).status).toBe(400);
  expect(errors).toEqual([]);
});

/** A PDF with files that it carries, and nothing else. */
const pdfOf = (...files: (string | Buffer)[]): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...files.flatMap((file, i) => {
      const filter = typeof file === 'string' ? '' : '/Filter /FlateDecode ';
      return [
        Buffer.from(`${i + 1} 0 obj\n<< /Type /EmbeddedFile ${filter}/Length ${file.length} >>\nstream\n`),
        Buffer.from(file),
        Buffer.from('\nendstream\nendobj\n'),
      ];
    }),
  ]);
const readPdf = (bytes: Uint8Array): Promise<string | null> =>
  (
    new Function(`${READ_ATTACHMENTS}; return async (bytes) => toGiven(await readAttachments(bytes));`)() as (
      of: Uint8Array,
    ) => Promise<string | null>
  )(bytes);

// Two processes and 50 MB take a second.
it.skipIf(process.env.LINEHAUL_TEST_LONG !== '1')(
  'a PDF that carries more than one document is refused, and one that is far too large is not read',
  async () => {
    const [one, other] = [await issueAndRead(), await issueAndRead()];
    const given = `{"document":${one.json},"jws":"${one.jws}"}`;
    expect(await readPdf(pdfOf(one.jws, one.json))).toBe(given);
    // Other files are no documents, and the same one twice is one.
    expect(await readPdf(pdfOf('hello', one.jws, one.json, one.jws))).toBe(given);
    for (const [name, pdf] of [
      ['two', pdfOf(one.jws, one.json, other.jws)],
      ['json', pdfOf(one.jws, one.json, other.json)],
    ] as const) {
      expect(await readPdf(pdf), name).toBeNull();
      expect(await verifyOffline(`${name}.pdf`, pdf)).toMatchObject({ code: 2 });
    }
    const bomb = deflateSync(Buffer.alloc(50_000_000));
    expect(await readPdf(pdfOf(bomb, one.jws, one.json))).toBe(given);
    const many = Buffer.from(`%PDF-1.7\n${'/Type /EmbeddedFile '.repeat(200_000)}`);
    expect(await readPdf(Buffer.concat([many, pdfOf(one.jws)]))).toBeNull();
  },
);

it('refuses a client that tries too many numbers, or checks too much', async () => {
  const context = by();
  const statuses: number[] = [];
  for (let i = 0; i < 21; i += 1) statuses.push((await lookUp('0000-0000-0000', context)).status);
  expect([statuses.at(0), statuses.at(-1)]).toEqual([404, 429]);
  const other = by();
  for (let i = 0; i < 60; i += 1) await send('x', other);
  expect((await send('x', other)).headers.get('retry-after')).toMatch(/^\d+$/);
});

// A PDF with its fonts takes half a second.
it.skipIf(process.env.LINEHAUL_TEST_LONG !== '1')(
  'is mailed as PDF, to be checked by its reader',
  async () => {
    const { number } = await held.issue();
    const sent: Mail[] = [];
    const by = (sendMail: SendMail | null, viewer = ANN) => ({
      ...{ viewer, client: toClient(), database: held.app.database, audit: held.app.audit },
      ...{
        clock: { nowMs: () => held.nowMs },
        proof: { sendMail },
        env: { publicUrl: 'https://fleet.example' },
      },
    });
    const send: SendMail = async (mail) => void sent.push(mail);
    const address = { address: 'kim@peachtree.test' };
    await mailDocument(by(send), PROOF_USDOT, number, address);
    expect(sent).toMatchObject([
      {
        ...{ to: 'kim@peachtree.test', subject: `Position certificate ${number} of Prairie Star Freight` },
        text: expect.stringContaining('drop the PDF on this page: https://fleet.example/verify') as string,
        pdf: { fileName: `position-certificate-${number}-r1.pdf` },
      },
    ]);
    expect(sent[0]!.text).not.toContain('/d/');
    await expect(mailDocument(by(null), PROOF_USDOT, number, address)).rejects.toThrow(/no mail/i);
    const others: [string, Viewer][] = [
      ['1', ANN],
      [PROOF_USDOT, { ...ANN, tags: ['flatbed'] }],
    ];
    for (const [usdot, viewer] of others)
      await expect(mailDocument(by(send, viewer), usdot, number, address)).rejects.toThrow(/document/);
    const away: SendMail = () => Promise.reject(new Error('away'));
    await expect(mailDocument(by(away), PROOF_USDOT, number, address)).rejects.toThrow('cannot be reached');
    const audit = await held.database.query(
      `select details from linehaul.audit_log where action = 'proof.mail' and subject = '${number}'`,
    );
    expect(audit.map(({ details }) => (details as { to: string }).to)).toEqual(
      Array(2).fill('kim@peachtree.test'),
    );
  },
);

// A PDF with its fonts and three processes take a second or two.
it.skipIf(process.env.LINEHAUL_TEST_LONG !== '1')(
  'a PDF carries what was signed, whatever else of it is changed, for the page and the offline program',
  async () => {
    const document = await issueAndRead({
      issuer: { ...(await issueAndRead()).content.issuer, carrier: 'Café Łódź' },
    });
    const pdf = await toPdf(createBasemap([], []), document, { paper: 'letter', verifyUrl: null });
    const latin = pdf.toString('latin1');
    expect(latin).toMatch(/^%PDF-1\.7/);
    expect(latin).toMatch(/\/Lang \(en-US\)/);
    const given = await readPdf(pdf);
    expect(given).toBe(`{"document":${document.json},"jws":"${document.jws}"}`);
    expect(await verdictOf(given!)).toBe('Genuine and unchanged');
    expect(await verifyOffline('a.pdf', pdf)).toMatchObject({
      code: 0,
      text: expect.stringContaining('Café Łódź') as string,
    });
    // Another picture or text: the content of the first page.
    const [, contents] = /\/Contents (\d+) 0 R/.exec(latin)!;
    const at = latin.indexOf('stream', latin.indexOf(`\n${contents} 0 obj`)) + 20;
    const forged = Buffer.from(pdf);
    forged[at]! ^= 0xff;
    expect(await readPdf(forged)).toBe(given);
    expect(await (await send(given!)).text()).toContain('compare it with what is below');
    expect(await readPdf(Buffer.from('%PDF-1.7\nprinted again'))).toBeNull();
    const answered = await open(document.number, ANN, '?as=pdf&paper=a4');
    expect(answered.headers.get('content-type')).toBe('application/pdf');
    expect(Buffer.from(await answered.arrayBuffer()).toString('latin1')).toContain(
      '/MediaBox [0 0 595.28 841.89]',
    );
    const signedJson = await (await open(document.number, ANN, '?as=json')).text();
    expect(await verifyOffline('a.json', signedJson)).toMatchObject({ code: 0 });
    expect(await verifyOffline('b.json', signedJson.replace('4107', '4108'))).toMatchObject({ code: 1 });
    expect(await verifyOffline('c.txt', 'hello')).toMatchObject({ code: 2 });
    const other = document.jws.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1));
    expect(await verifyOffline('d.jws', other)).toMatchObject({ code: 1 });
  },
);
