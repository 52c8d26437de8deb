/** Stands for a secret in a text. */
export const HIDDEN = '[hidden]';
/** A shorter one may be an ordinary word of a fleet, and is too weak to be a secret. */
export const LEAST_CHARACTERS = 8;

/** The base64 characters that depend on a secret alone, where `before` bytes of its first group precede it. */
const toBase64 = (secret: string, before: 0 | 1 | 2): string => {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
  return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
};

/** A secret in base64 and base64url at any offset; none for a short one, whose few characters would match by chance. */
const toBase64Forms = (secret: string): string[] => {
  if (secret.length < LEAST_CHARACTERS) return [];
  const forms = ([0, 1, 2] as const).map((before) => toBase64(secret, before));
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
};

/** A secret as it may stand in a text: as it is, in JSON, percent-encoded and in base64. */
export const toSecretForms = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  ...toBase64Forms(secret),
];

/** A credential of the service by its prefix, complete or truncated; in a URL the underscores may be percent-encoded. */
const SECRET = /lh(?:_|%5f)[a-z]+(?:_|%5f)[\w%-]+/gi;
/** A credential in base64 or base64url, where the encoded text begins with it: `bGhf` is `lh_`. */
const ENCODED_SECRET = /bGhf[\w+/-]{16,}={0,2}/g;

/** A log line without the service's credentials. */
export const redactSecrets = (line: string): string =>
  line.replace(SECRET, HIDDEN).replace(ENCODED_SECRET, HIDDEN);
