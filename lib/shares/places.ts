/** Bits of the networks that a link was opened from, by which these are counted. */
export const PLACE_BITS = 1024;

/**
 * About how many networks set the bits of a bitmap, written as zeros and ones: linear counting, K.-Y. Whang, B. T. Vander-Zanden
 * and H. M. Taylor, "A linear-time probabilistic counting algorithm for database applications", 1990.
 */
export const estimatePlaces = (bits: string): number => {
  const zeros = bits.split('0').length - 1;
  return Math.round(-bits.length * Math.log(Math.max(1, zeros) / bits.length));
};

/** The network of an address that a place is counted by: of IPv4 the first 24 bits, of IPv6 the first 48. */
export const toPlace = (address: string): string => {
  if (!address.includes(':')) return address.split('.').slice(0, 3).join('.');
  const [head = '', tail] = address.split('/')[0]!.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  // What the two colons leave out is zeros.
  if (tail !== undefined) while (groups.length < 3) groups.push('0');
  return groups
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
};
