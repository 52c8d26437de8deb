import 'server-only';
import { HIDDEN, LEAST_CHARACTERS, toSecretForms } from '@/lib/base/credential-text';

/** Fields nested deeper than this are never read. */
const MAX_DEPTH = 64;

/** Redacts secrets from a text that arrives in pieces. */
interface SecretRedactor {
  /** The part of the text that is known to hold no part of a secret; the rest comes with the next piece. */
  push(text: string): string;
  end(): string;
}

/** The secrets to search for, in each form. */
const toForms = (secrets: readonly string[]): string[] => [
  ...new Set(secrets.filter((secret) => secret.length >= LEAST_CHARACTERS).flatMap(toSecretForms)),
];

/** How many of the last characters of a text may be the beginning of a secret. */
const toHeldBack = (text: string, secrets: readonly string[]): number => {
  let held = 0;
  for (const secret of secrets) {
    for (let length = Math.min(secret.length - 1, text.length); length > held; length--) {
      if (text.endsWith(secret.slice(0, length))) held = length;
    }
  }
  return held;
};

/** Redacts the server's credentials from a provider's texts, which may repeat the headers of a request. */
export const createSecretRedactor = (given: readonly string[]): SecretRedactor => {
  const secrets = toForms(given);
  let rest = '';
  return {
    push: (text) => {
      let all = rest + text;
      for (const secret of secrets) all = all.replaceAll(secret, HIDDEN);
      const held = toHeldBack(all, secrets);
      rest = all.slice(all.length - held);
      return held === 0 ? all : all.slice(0, -held);
    },
    end: () => rest,
  };
};

/** A short text with the secrets redacted. */
export const redactSecrets = (text: string, secrets: readonly string[]): string =>
  toForms(secrets).reduce((redacted, secret) => redacted.replaceAll(secret, HIDDEN), text);

/**
 * Returns a function that redacts secrets in parsed JSON, in place: in strings and in names of fields, at any depth.
 * Parsed text is checked because JSON can write any character of a secret as an escape (`\/`, `\u0041`).
 */
export const createJsonRedactor = (given: readonly string[]): ((json: unknown) => unknown) => {
  const secrets = toForms(given);
  const leastCharacters = Math.min(...secrets.map(({ length }) => length));
  const redactText = (text: string): string =>
    text.length < leastCharacters
      ? text
      : secrets.reduce((redacted, secret) => redacted.replaceAll(secret, HIDDEN), text);

  const redact = (json: unknown, depth: number): unknown => {
    if (typeof json === 'string') return redactText(json);
    if (typeof json !== 'object' || json === null) return json;
    if (depth > MAX_DEPTH) return null;
    const fields = json as Record<string, unknown>;
    for (const name of Object.keys(fields)) {
      const value = redact(fields[name], depth + 1);
      const redactedName = redactText(name);
      if (redactedName !== name) delete fields[name];
      if (redactedName !== name || value !== fields[name]) fields[redactedName] = value;
    }
    return json;
  };
  return (json) => redact(json, 0);
};
