/** Arrays that are kept and given to other threads. */
type Packable = Float64Array | Float32Array | Uint32Array | Uint16Array | Uint8Array;

const KINDS = { Float64Array, Float32Array, Uint32Array, Uint16Array, Uint8Array };
type Kind = keyof typeof KINDS;

interface Head {
  about: unknown;
  arrays: [name: string, kind: Kind, length: number][];
}

/** Each array begins at a multiple of so many bytes, so that it is read where it stands. */
const ALIGNED = 8;
const align = (bytes: number): number => Math.ceil(bytes / ALIGNED) * ALIGNED;

/** One buffer with a value that JSON can hold and some arrays by their names, in the byte order of the machine. */
export const packArrays = (about: unknown, arrays: Record<string, Packable>): ArrayBuffer => {
  const entries = Object.entries(arrays);
  const head: Head = {
    about,
    arrays: entries.map(([name, array]) => [name, array.constructor.name as Kind, array.length]),
  };
  const text = new TextEncoder().encode(JSON.stringify(head));
  const from = align(4 + text.length);
  const size = entries.reduce((sum, [, array]) => sum + align(array.byteLength), from);
  const bytes = new Uint8Array(size);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  let at = from;
  for (const [, array] of entries) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += align(array.byteLength);
  }
  return bytes.buffer;
};

/** The content of a packed buffer, without a copy. @throws if it is not one, or a part of it is missing */
export const unpackArrays = (buffer: ArrayBuffer) => {
  const length = new DataView(buffer).getUint32(0, true);
  const { about, arrays } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as Head;
  const found = new Map<string, Packable>();
  let at = align(4 + length);
  for (const [name, kind, count] of arrays) {
    const array = new KINDS[kind](buffer, at, count);
    found.set(name, array);
    at += align(array.byteLength);
  }
  return {
    about,
    /** @throws if there is no array of this name, kind and length */
    read: <K extends Kind>(name: string, kind: K, count?: number): InstanceType<(typeof KINDS)[K]> => {
      const array = found.get(name);
      if (!(array instanceof KINDS[kind]) || (count !== undefined && array.length !== count))
        throw new Error(`There is no ${kind} ${name} of the right length.`);
      return array as InstanceType<(typeof KINDS)[K]>;
    },
  };
};

export type Unpacked = ReturnType<typeof unpackArrays>;
