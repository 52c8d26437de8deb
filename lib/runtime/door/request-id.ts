import 'server-only';
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { once } from '../once';

export const REQUEST_ID_HEADER = 'x-request-id';
/** What proxies and tracing tools give: nothing that could break a line of the log or a header. */
const SANE = /^[\w.:-]{8,64}$/;

/** The id that a request came with, if it is one to repeat; else a new one. */
export const toRequestId = (given: string | null | undefined): string =>
  given != null && SANE.test(given) ? given : randomUUID();

const readStorage = () => once('request-id', () => new AsyncLocalStorage<string>());

/** Does the work of a request; whatever it asks of others on the way bears the request's id. */
export const withRequestId = <T>(requestId: string, work: () => T): T => readStorage().run(requestId, work);

/** The id of the request that is being worked for; null where there is none. */
export const readRequestId = (): string | null => readStorage().getStore() ?? null;
