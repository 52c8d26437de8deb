import 'server-only';
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from '../ops/once';

const readStorage = () => once('request-id', () => new AsyncLocalStorage<string>());

/** Does the work of a request; whatever it asks of others on the way bears the request's id. */
export const withRequestId = <T>(requestId: string, work: () => T): T => readStorage().run(requestId, work);

/** The id of the request that is being worked for; null where there is none. */
export const readRequestId = (): string | null => readStorage().getStore() ?? null;
