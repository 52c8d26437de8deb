import 'server-only';

/** Recorded fixes by unit, oldest first: 16 bytes each in hexadecimal, as PostgreSQL sends time, latitude and longitude. */
export type RecordedFixes = Map<string, string>;

const FIX_BYTES = 16;

/** The fixes of one unit, oldest first; times are Unix ms, coordinates degrees. */
export const readFixes = (recorded: string): { fixAtMs: number; lat: number; lng: number }[] => {
  const bytes = Buffer.from(recorded, 'hex');
  return Array.from({ length: bytes.length / FIX_BYTES }, (_, index) => {
    const at = index * FIX_BYTES;
    return {
      fixAtMs: Number(bytes.readBigInt64BE(at)),
      lat: bytes.readInt32BE(at + 8) / 1e5,
      lng: bytes.readInt32BE(at + 12) / 1e5,
    };
  });
};
