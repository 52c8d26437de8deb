import 'server-only';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import {
  PrivateAddressError,
  createPublicLookup,
  isPublicHost,
  toHost,
  type LookupAll,
} from '@/lib/base/http/public-fetch';
import { UndeliverableError } from './delivery';

const TIMEOUT_MS = 10_000;

export interface GuardedRequest {
  url: string;
  headers: Record<string, string | number>;
  body: string | Buffer;
  signal: AbortSignal;
}

/** POSTs to an address that a user gave; resolves to the status. Redirects are not followed. */
export type SendGuarded = (request: GuardedRequest) => Promise<number>;

interface GuardOptions {
  /** Also to this machine and its networks. */
  isPrivateAllowed: boolean;
  lookup?: LookupAll;
}

const toUndeliverable = (error: Error): Error =>
  error instanceof PrivateAddressError ? new UndeliverableError(error.message) : error;

/** @throws UndeliverableError for an address that is not public; errors of the connection; after 10 s an Error */
export const createGuardedRequest = ({ isPrivateAllowed, lookup }: GuardOptions): SendGuarded => {
  const publicLookup = createPublicLookup(lookup);
  return ({ url, headers, body, signal }) => {
    const target = new URL(url);
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const send = target.protocol === 'https:' ? requestTls : requestPlain;
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void =>
        reject(
          timeout.aborted
            ? new Error(`No answer within ${TIMEOUT_MS / 1000} seconds.`)
            : toUndeliverable(error),
        );
      if (!isPrivateAllowed && !isPublicHost(target)) return fail(new PrivateAddressError(toHost(target)));
      const request = send(target, {
        method: 'POST',
        headers: { 'content-length': Buffer.byteLength(body), 'user-agent': 'Linehaul', ...headers },
        // A connection that is kept could have been made to an address of an earlier look-up.
        agent: false,
        ...(isPrivateAllowed ? {} : { lookup: publicLookup }),
        signal: AbortSignal.any([signal, timeout]),
      });
      request.on('error', fail);
      request.on('response', (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      });
      request.end(body);
    });
  };
};
