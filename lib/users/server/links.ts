import 'server-only';
import { createHash, randomBytes } from 'node:crypto';
import type { Executor } from '@/lib/database/database';
import type { LinkMailState, MadeLink } from '@/lib/users/schema';
import type { LinkMails, NewLinkMail } from './link-mails';

const TOKEN_BYTES = 32;

/** The random token of a link, which cannot be derived from its stored hash. */
export const createLinkToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** The stored hash of a link token: SHA-256. Only passwords need a slow hash. */
export const toTokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** No mail server is configured. */
export const NO_MAIL: LinkMailState = { mail: 'none', mailProblem: null };

/** The pages that links open. */
const PAGES = { invitation: '/join', reset: '/reset' };

/** A link that is stored; its mail is not sent yet. */
interface StoredLink extends Omit<NewLinkMail, 'kind'> {
  email: string;
  expiresAtMs: number;
}

/** Creates links with tokens, and sends them by e-mail. */
export const createLinkMaker = (options: {
  /** Scheme, host and port of this server in browsers; null: a link is a path. */
  publicUrl: string | null;
  /** Null if no mail server is configured. */
  mails: Pick<LinkMails, 'add' | 'send'> | null;
}) => {
  const { publicUrl, mails } = options;
  return {
    canMail: mails !== null,
    /**
     * The link of a page, whose mail is stored in the transaction that makes the link. The token is in the fragment, which
     * browsers do not send, so no server or proxy log and no Referer contains it.
     */
    store: async (
      tx: Executor,
      kind: NewLinkMail['kind'],
      { id, token }: { id: string; token: string },
    ): Promise<string> => {
      const link = `${publicUrl ?? ''}${PAGES[kind]}#${token}`;
      await mails?.add(tx, { id, kind, link });
      return link;
    },
    /** Mails a stored link, if a mail server is configured. */
    send: async ({ id, ...made }: StoredLink): Promise<MadeLink> => ({
      ...made,
      ...((await mails?.send(id)) ?? NO_MAIL),
    }),
  };
};

export type LinkMaker = ReturnType<typeof createLinkMaker>;
