import 'server-only';
import { compactVerify, errors, importJWK } from 'jose';
import { toCanonical } from '../canonical';
import { parseDocument, type ProofDocument } from '../document';
import { JWS_TYPE, type PublicKey } from '../keys';

/** Longer texts are no documents: a day of fixes has some 300 KB. */
export const MOST_CHARACTERS = 2_000_000;
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** What a text holds: the signed form of a document, its JSON, or both. */
export interface Given {
  jws: string | null;
  /** Canonical. */
  json: string | null;
}

const toCanonicalOrNull = (value: unknown): string | null => {
  try {
    return toCanonical(value);
  } catch (error) {
    // Thrown for what is no JSON of a document, such as fractions.
    if (error instanceof TypeError) return null;
    throw error;
  }
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // JSON.parse has no other error than that it is none.
    return null;
  }
};

const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]/gs;

/** No object of a document has nearly as many. */
const MOST_NAMES = 200;

/**
 * Whether a JSON text is none of a document: an object has a name twice, of which programs read different fields, or more names
 * than are worth the time.
 */
const hasOddNames = (text: string): boolean => {
  const open: Set<string>[] = [];
  for (const [token, name, colon] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (colon !== undefined) {
      const names = open.at(-1)!;
      const known = names.size;
      if (names.add(JSON.parse(name!) as string).size === known || known > MOST_NAMES) return true;
    }
  }
  return false;
};

/** Reads a document as it is downloaded or pasted: compact JWS, its JSON, or `{ "document": …, "jws": … }`; null: none of them. */
export const readGiven = (text: string): Given | null => {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MOST_CHARACTERS) return null;
  const joined = trimmed.replace(/\s+/g, '');
  if (COMPACT.test(joined)) return { jws: joined, json: null };
  const value = parseJson(trimmed);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || hasOddNames(trimmed))
    return null;
  if ('jws' in value && typeof value.jws === 'string' && COMPACT.test(value.jws)) {
    if (!('document' in value)) return { jws: value.jws, json: null };
    const json = toCanonicalOrNull(value.document);
    return json === null ? null : { jws: value.jws, json };
  }
  const json = toCanonicalOrNull(value);
  return json === null ? null : { jws: null, json };
};

/** Why a document is not proved. */
export type Refusal =
  /** No signed document. */
  | 'unreadable'
  /** Signed by a key that is none of this installation. */
  | 'unknown-key'
  /** Not what was signed: at least one byte of document, header or signature is another. */
  | 'changed'
  /** The JSON beside the signature says something else than what was signed. */
  | 'differs'
  /** It says to be issued when its key did not sign. */
  | 'out-of-time'
  /** Its key was marked as no longer to be trusted. */
  | 'revoked';

export type Verdict =
  | { isProved: true; content: ProofDocument; json: string; key: PublicKey }
  | {
      isProved: false;
      refusal: Refusal;
      content: ProofDocument | null;
      json: string | null;
      key: PublicKey | null;
      fields: string[];
    };

const refuse = (
  refusal: Refusal,
  known: {
    content?: ProofDocument | null;
    json?: string | null;
    key?: PublicKey | null;
    fields?: string[];
  } = {},
): Verdict => ({ isProved: false, refusal, content: null, json: null, key: null, fields: [], ...known });

/** The fields in which two values differ, as paths such as "subject.truck"; at most so many. */
export const listDifferences = (a: unknown, b: unknown, most = 10, path = ''): string[] => {
  if (toCanonical(a) === toCanonical(b)) return [];
  const isBranch = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null;
  if (!isBranch(a) || !isBranch(b) || Array.isArray(a) !== Array.isArray(b)) return [path];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return names
    .flatMap((name) => {
      const at = path === '' ? name : `${path}.${name}`;
      return Object.hasOwn(a, name) && Object.hasOwn(b, name)
        ? listDifferences(a[name], b[name], most, at)
        : [at];
    })
    .slice(0, most);
};

const HEADER_FIELDS = ['alg', 'kid', 'typ'];

const readHeader = (jws: string): Record<string, unknown> | null => {
  const value = parseJson(Buffer.from(jws.split('.')[0]!, 'base64url').toString());
  return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
};

/** Whether each part is written as RFC 4648 does: other last characters stand for the same bytes. */
const isAsWritten = (jws: string): boolean =>
  jws.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

/** The signed bytes as text; null: the signature is not of this key. */
const open = async (jws: string, { x }: PublicKey): Promise<string | null> => {
  if (!isAsWritten(jws)) return null;
  try {
    const { payload } = await compactVerify(
      jws,
      await importJWK({ kty: 'OKP', crv: 'Ed25519', x }, 'EdDSA'),
      {
        algorithms: ['EdDSA'],
      },
    );
    return new TextDecoder('utf-8', { fatal: true }).decode(payload);
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
    throw error;
  }
};

/** Whether a signed document is one that the owner of these keys issued, unchanged, at a time when its key signed. */
export const verify = async (
  { jws, json }: Given & { jws: string },
  keys: readonly PublicKey[],
): Promise<Verdict> => {
  const header = readHeader(jws);
  if (header === null || header.alg !== 'EdDSA' || header.typ !== JWS_TYPE || typeof header.kid !== 'string')
    return refuse('unreadable');
  if (Object.keys(header).some((name) => !HEADER_FIELDS.includes(name))) return refuse('unreadable');
  const key = keys.find(({ kid }) => kid === header.kid);
  if (!key) return refuse('unknown-key');
  const signed = await open(jws, key);
  if (signed === null) return refuse('changed', { key });
  const content = parseDocument(signed);
  if (content === null) return refuse('unreadable', { key });
  const known = { content, json: signed, key };
  if (json !== null && json !== signed)
    return refuse('differs', { ...known, fields: listDifferences(JSON.parse(signed), JSON.parse(json)) });
  if (content.issuedMs < key.fromMs || content.issuedMs > (key.untilMs ?? Infinity))
    return refuse('out-of-time', known);
  if (key.revokedMs !== null) return refuse('revoked', known);
  return { isProved: true, ...known };
};
