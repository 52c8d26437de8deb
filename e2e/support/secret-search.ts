/** What every secret that Linehaul makes looks like; the prefix alone, as documentation shows it, is none. */
const OUR_SECRETS = /lh_(?:key|provider|ingest)_[\w-]{8,}/g;

const toBase64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');

/** The ways in which a secret could be repeated: as it is, and as Basic authentication carries it for a user. */
const toForms = (secret: string, user: string): string[] => [
  secret,
  toBase64(secret),
  toBase64(`${user}:${secret}`),
];

/** Finds secrets in texts: given ones in any of their forms, and whatever looks like one of ours. */
export interface SecretSearch {
  /** The secrets that a text holds, each told by its first characters; empty where it holds none. */
  find(text: string): string[];
}

/** `user` is whom Basic authentication named with the secrets. */
export const createSecretSearch = (secrets: readonly string[], user: string): SecretSearch => {
  const forms = secrets.flatMap((secret) => toForms(secret, user));
  return {
    find: (text) => [
      ...new Set([...forms.filter((form) => text.includes(form)), ...(text.match(OUR_SECRETS) ?? [])]),
    ],
  };
};
