/** The form of every secret that Linehaul makes; the prefix alone, as in documentation, is none. */
const OUR_SECRETS = /lh_(?:key|provider|ingest)_[\w-]{8,}/g;

const toBase64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');

/** The ways in which a secret can be repeated: as it is, and in Basic authentication for a user. */
const toForms = (secret: string, user: string): string[] => [
  secret,
  toBase64(secret),
  toBase64(`${user}:${secret}`),
];

/** Finds secrets in texts: given ones in any of their forms, and every text in the form of ours. */
export interface SecretSearch {
  /** The secrets that a text holds, each identified by its first characters; empty if it holds none. */
  find(text: string): string[];
}

/** `user` is the user name of Basic authentication with these secrets. */
export const createSecretSearch = (secrets: readonly string[], user: string): SecretSearch => {
  const forms = secrets.flatMap((secret) => toForms(secret, user));
  return {
    find: (text) => [
      ...new Set([...forms.filter((form) => text.includes(form)), ...(text.match(OUR_SECRETS) ?? [])]),
    ],
  };
};
