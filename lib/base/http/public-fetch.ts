import { lookup as lookUp, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Blocks of addresses, each an address and the length of its prefix: "203.0.113.0/24". */
export const toBlockList = (nets: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const net of nets) {
    const [address, prefix] = net.split('/');
    list.addSubnet(address!, Number(prefix), isIP(address!) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
};

/** Addresses that are not of one host on the internet: IANA's IPv4 Special-Purpose Address Registry, and multicast. */
const SPECIAL_IPV4 = toBlockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
/** The one block of IPv6 that is given to hosts on the internet, and what in it is special or holds an IPv4 address. */
const GLOBAL_IPV6 = toBlockList(['2000::/3']);
const SPECIAL_IPV6 = toBlockList(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** Whether an IP address is one of the internet, and not of this machine or its networks. */
export const isPublicAddress = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !SPECIAL_IPV4.check(address, 'ipv4');
    case 6:
      return GLOBAL_IPV6.check(address, 'ipv6') && !SPECIAL_IPV6.check(address, 'ipv6');
    default:
      return false;
  }
};

/** The host of a URL, an IPv6 address without its brackets. */
export const toHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Whether a URL has the name of a host or an address of the internet; what a name stands for is checked when it is used. */
export const isPublicHost = (url: URL): boolean => {
  const host = toHost(url);
  return isIP(host) === 0 ? !/^(.+\.)?localhost\.?$/i.test(host) : isPublicAddress(host);
};

/** A host of this machine or its networks, which addresses that people enter may not reach. */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError';
  constructor(host: string) {
    super(`${host} is an address of a private network, where nothing is sent to.`);
  }
}

/** The addresses of a name, for `dns.lookup` with `all`. */
export type LookupAll = (
  hostname: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Resolves a name for a connection, which goes to the very addresses that were checked: no second answer counts. */
export const createPublicLookup =
  (lookup: LookupAll = lookUp): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined)
        return callback(error ?? new Error(`${hostname} has no address.`), '', 0);
      if (!addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new PrivateAddressError(hostname), '', 0);
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });

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
