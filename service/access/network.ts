import { BlockList, isIP } from 'node:net';
import { LRUCache } from 'lru-cache';

const BITS = { 4: 32, 6: 128 } as const;
const FAMILIES = { 4: 'ipv4', 6: 'ipv6' } as const;

/** A block of addresses: the first one and the length of the common prefix. */
interface Network {
  address: string;
  version: 4 | 6;
  prefixBits: number;
}

const parse = (text: string): Network | null => {
  const [address = '', prefix, ...rest] = text.trim().toLowerCase().split('/');
  const version = isIP(address) as 0 | 4 | 6;
  // A zone names an interface of one machine (RFC 4007), and a mapped address should be written as IPv4.
  if (version === 0 || rest.length > 0 || address.includes('%') || address.startsWith('::ffff:')) return null;
  if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return null;
  const prefixBits = prefix === undefined ? BITS[version] : Number(prefix);
  return prefixBits <= BITS[version] ? { address, version, prefixBits } : null;
};

/** An address or a block of addresses (CIDR, RFC 4632) as "203.0.113.0/24" or "2001:db8::/32"; null for anything else. */
export const parseNetwork = (text: string): string | null => {
  const network = parse(text);
  return network === null ? null : `${network.address}/${network.prefixBits}`;
};

const toBlockList = (networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const text of networks) {
    const network = parse(text);
    if (network === null) throw new RangeError(`Got the network ${text} when expected one that was parsed.`);
    list.addSubnet(network.address, network.prefixBits, FAMILIES[network.version]);
  }
  return list;
};

const blockLists = new LRUCache<string, BlockList>({
  max: 1000,
  memoMethod: (networks) => toBlockList(networks.split(' ')),
});

/** Whether an address, IPv4 or IPv6, lies in one of the networks that `parseNetwork` gave. */
export const isInNetworks = (address: string, networks: readonly string[]): boolean => {
  const version = isIP(address) as 0 | 4 | 6;
  return version !== 0 && blockLists.memo(networks.join(' ')).check(address, FAMILIES[version]);
};
