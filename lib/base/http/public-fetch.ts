import 'server-only';
import {
  PrivateAddressError,
  createPublicLookup,
  isPublicHost,
  toHost,
  type LookupAll,
} from './public-address';

export type Fetch = (request: Request) => Promise<Response>;

const openUndici = async (lookup: LookupAll | undefined) => {
  const { Agent, fetch } = await import('undici');
  return { fetch, dispatcher: new Agent({ connect: { lookup: createPublicLookup(lookup) } }) };
};

/**
 * A fetch for an address that a person entered: it connects to hosts of the internet only, at the very addresses that
 * were checked. Rejects with a PrivateAddressError, or a TypeError that has it as its cause, for any other.
 */
export const createPublicFetch = (lookup?: LookupAll): Fetch => {
  let opening: ReturnType<typeof openUndici> | null = null;
  return async ({ url, headers, redirect, signal }) => {
    const target = new URL(url);
    if (!isPublicHost(target)) throw new PrivateAddressError(toHost(target));
    opening ??= openUndici(lookup);
    const { fetch, dispatcher } = await opening;
    // The global fetch of another version of Node.js takes no agent of this undici.
    const response = await fetch(url, { headers: [...headers], redirect, signal, dispatcher });
    return response as unknown as Response;
  };
};
