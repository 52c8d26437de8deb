#!/usr/bin/env node
/**
 * Checks a document of Linehaul without Linehaul: its signature (JWS, RFC 7515, with EdDSA by RFC 8037), its canonical form
 * (RFC 8785) and the times of its key. It depends on nothing but Node 20. docs/proof-verify.md says what it proves.
 *
 *   node verify-proof.mjs FILE [--keys FILE_OR_URL]
 *
 * FILE is the PDF, the signed JSON or the JWS. It ends with 0 if the document is proved, 1 if not, 2 if it could not be checked.
 */
import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';

const KEYS_PATH = '/.well-known/linehaul-proof-keys.json';
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const USAGE = 'Usage: node verify-proof.mjs FILE [--keys FILE_OR_URL]';

/** The document could not be checked: a reason for the person who runs this. */
class CheckError extends Error {}

/** RFC 8785 for values without fractions. */
const toCanonical = (value) => {
  if (value === null || typeof value !== 'object') {
    if (typeof value === 'number' && !Number.isSafeInteger(value))
      throw new CheckError('It has a number that is not whole.');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(toCanonical).join(',')}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${toCanonical(value[name])}`).join(',')}}`;
};

/** A hostile PDF may carry any number of files that unpack to any size. */
const [MOST_FILES, MOST_BYTES, MOST_DICTIONARY] = [50, 4_000_000, 4000];

/** The files that a PDF carries, as texts. */
const readAttachments = (bytes) => {
  const latin = bytes.toString('latin1');
  const texts = [];
  let files = 0;
  for (const { index } of latin.matchAll(/\/Type\s*\/EmbeddedFile\b/g)) {
    if (++files > MOST_FILES) break;
    const before = latin.slice(Math.max(0, index - MOST_DICTIONARY), index);
    const after = latin.slice(index, index + MOST_DICTIONARY);
    if (!before.includes(' obj') || !after.includes('stream')) continue;
    const at = index + after.indexOf('stream');
    const dictionary = latin.slice(index - before.length + before.lastIndexOf(' obj'), at);
    const start = at + (latin[at + 6] === '\r' ? 8 : 7);
    const end = latin.indexOf('endstream', start);
    if (end < 0) continue;
    const length = /\/Length\s+(\d+)(?!\s+\d+\s+R)/.exec(dictionary);
    const data = bytes.subarray(start, length ? start + Number(length[1]) : end);
    try {
      const isPacked = dictionary.includes('/FlateDecode');
      texts.push((isPacked ? inflateSync(data, { maxOutputLength: MOST_BYTES }) : data).toString().trim());
    } catch {
      // Another program's attachment, or a broken one: it is no document.
    }
  }
  return [...new Set(texts)];
};

const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]/gs;

/** Reads JSON, of which no object has a name twice: programs differ in which of both fields they read. */
const parse = (text) => {
  const value = JSON.parse(text);
  const open = [];
  for (const [token, name, colon] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (colon !== undefined) {
      const names = open.at(-1);
      if (names.has(JSON.parse(name))) throw new CheckError(`It has the name ${name} twice.`);
      names.add(JSON.parse(name));
    }
  }
  return value;
};

/** The signed document of a file, and the JSON beside it if there is any. */
const readDocument = (bytes) => {
  if (bytes.subarray(0, 1024).includes('%PDF-')) {
    const texts = readAttachments(bytes);
    const [jws, ...others] = texts.filter((text) => COMPACT.test(text));
    const [json, ...more] = texts.filter((text) => text.includes('"linehaul-proof/'));
    if (jws === undefined) throw new CheckError('This PDF carries no signed document.');
    if (others.length + more.length > 0)
      throw new CheckError('This PDF carries more than one document, so it is not as it was issued.');
    return { jws, document: json === undefined ? null : parse(json) };
  }
  const text = bytes.toString().trim();
  if (COMPACT.test(text)) return { jws: text, document: null };
  let value;
  try {
    value = parse(text);
  } catch (error) {
    if (error instanceof CheckError) throw error;
    throw new CheckError('This is no PDF, no JSON and no JWS.');
  }
  if (typeof value?.jws !== 'string' || !COMPACT.test(value.jws))
    throw new CheckError('This JSON has no signature: ask for the signed JSON.');
  return { jws: value.jws, document: value.document ?? null };
};

const readKeys = async (source) => {
  const isUrl = /^https?:\/\//.test(source);
  const text = isUrl ? await (await fetch(source)).text() : await readFile(source, 'utf8');
  const keys = JSON.parse(text)?.keys;
  if (!Array.isArray(keys)) throw new CheckError(`${source} is no set of keys.`);
  return keys;
};

const toIso = (ms) => new Date(ms).toISOString();

/** Reasons why a document is not proved; none: it is. */
const listFaults = ({ jws, document }, keys) => {
  const [head, payload, signature] = jws.split('.');
  // Another last character may stand for the same bytes.
  if (jws.split('.').some((part) => Buffer.from(part, 'base64url').toString('base64url') !== part))
    return ['It is not written as it was signed: at least one character was changed.'];
  const header = JSON.parse(Buffer.from(head, 'base64url').toString());
  if (header.alg !== 'EdDSA' || header.typ !== 'linehaul-proof+jws')
    return ['It is not signed as a document of Linehaul.'];
  const key = keys.find(({ kid }) => kid === header.kid);
  if (!key) return [`It is signed by key ${header.kid}, which is none of these keys.`];
  const { kty, crv, x } = key;
  // The name of a key is its thumbprint (RFC 7638), so a list cannot give another key this name.
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
  if (thumbprint !== key.kid) return [`Key ${key.kid} is not the one of this name.`];
  const publicKey = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
  const signed = Buffer.from(signature, 'base64url');
  // Another last letter may mean the same bytes, and is a change all the same.
  const isExact = signed.toString('base64url') === signature;
  if (!isExact || !verifySignature(null, Buffer.from(`${head}.${payload}`), publicKey, signed))
    return ['The signature does not fit: at least one byte was changed.'];
  const text = Buffer.from(payload, 'base64url').toString();
  const content = JSON.parse(text);
  const faults = [];
  if (toCanonical(content) !== text) faults.push('What was signed is not in its canonical form.');
  if (document !== null && toCanonical(document) !== text)
    faults.push('The JSON beside the signature is not what was signed.');
  if (content.issuedMs < key.fromMs || content.issuedMs > (key.untilMs ?? Infinity))
    faults.push(`It says to be issued ${toIso(content.issuedMs)}, when its key did not sign.`);
  if (key.revokedMs !== null && key.revokedMs !== undefined)
    faults.push(
      `Its key was revoked ${toIso(key.revokedMs)}: ask the carrier whether it has the document on record.`,
    );
  return faults;
};

const readContent = ({ jws }) => {
  try {
    return JSON.parse(Buffer.from(jws.split('.')[1], 'base64url').toString());
  } catch {
    throw new CheckError('It is signed, but is no document of Linehaul.');
  }
};

const main = async (argv) => {
  const at = argv.indexOf('--keys');
  const [source] = at < 0 ? [] : argv.slice(at + 1);
  const [file, ...others] = at < 0 ? argv : argv.toSpliced(at, 2);
  if (file === undefined || others.length > 0 || (at >= 0 && source === undefined))
    throw new CheckError(USAGE);
  const given = readDocument(await readFile(file));
  const content = readContent(given);
  const installation = content.issuer?.installation;
  if (source === undefined && !/^https?:\/\//.test(installation ?? ''))
    throw new CheckError('The document names no server: give its keys with --keys.');
  const keysAt = source ?? new URL(KEYS_PATH, installation).href;
  const faults = listFaults(given, await readKeys(keysAt));
  if (faults.length > 0) {
    process.stdout.write(`NOT PROVED\n${faults.map((fault) => `  ${fault}\n`).join('')}`);
    return 1;
  }
  const { issuer, kind, number, revision, issuedMs } = content;
  process.stdout.write(`PROVED: unchanged since it was issued
  ${kind} ${number}, revision ${revision}
  issued by ${issuer.carrier} (USDOT ${issuer.usdot}) on ${toIso(issuedMs)}
  keys from ${keysAt}${source === undefined ? ', which the document itself names: make sure that it is the server of the carrier' : ''}
NOT PROVED: that the tracker was in the truck, and that the clocks of its device and provider were right.
${JSON.stringify(content.subject, null, 2)}
`);
  return 0;
};

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(
    `${error instanceof CheckError ? error.message : `It could not be checked: ${error.message}`}\n`,
  );
  process.exitCode = 2;
}
