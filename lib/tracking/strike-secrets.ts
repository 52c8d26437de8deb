import 'server-only';

/** What stands where a secret stood. */
const HIDDEN = '[hidden]';
/** A shorter one may be a word that a fleet uses, and is no secret worth the name. */
const LEAST_CHARACTERS = 8;

/** Strikes secrets from a text that comes in pieces. */
export interface SecretStrike {
  /** What of the text is known to hold no part of a secret; the rest comes with the next piece. */
  push(text: string): string;
  end(): string;
}

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

/**
 * Keeps the server's own credentials out of what a provider says: one that repeats the headers that it was sent,
 * in the name of a truck or in the words of an error, would have them shown on a screen.
 */
export const createSecretStrike = (given: readonly string[]): SecretStrike => {
  const secrets = given.filter((secret) => secret.length >= LEAST_CHARACTERS);
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

/** The same of a short text, as a whole. */
export const strikeSecrets = (text: string, secrets: readonly string[]): string => {
  const { push, end } = createSecretStrike(secrets);
  return push(text) + end();
};
