import { randomUUID } from 'node:crypto';

export const REQUEST_ID_HEADER = 'x-request-id';
/** Visible ASCII: no character that could end a header or a line of the log. */
const CLIENT_ID = /^[\x21-\x7e]{1,128}$/;

/** The id that a client gave its request, if it is 1 to 128 visible ASCII characters; else a new UUID. */
export const toRequestId = (given: string | null | undefined): string =>
  given != null && CLIENT_ID.test(given) ? given : randomUUID();
