import { expect, it, vi } from 'vitest';
import { number } from '@/lib/base/shape';
import { fetchLines } from './fetch-json';

/** The lines of an answer that comes in these pieces; null breaks it off. */
const read = async (pieces: (string | null)[]): Promise<number[]> => {
  const lines: number[] = [];
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else if (piece === null) controller.error(new TypeError('network error'));
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
  const send = async () => new Response(body);
  await fetchLines('/lines', number, (line) => lines.push(line), { fetch: send as typeof fetch });
  return lines;
};

it('passes on lines of JSON, however they are cut', async () => {
  expect(await read(['1\n2', '3\n', '4', '5\n'])).toEqual([1, 23, 45]);
});

it('ends an answer that it cannot read', async () => {
  const cancel = vi.fn();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('"one"\n')),
    cancel,
  });
  const send = async () => new Response(body);
  const reading = fetchLines('/lines', number, () => undefined, { fetch: send as typeof fetch });
  await expect(reading).rejects.toThrow('Reload the page');
  expect(cancel).toHaveBeenCalledOnce();
});

it('says that an answer broke off, or is of another build', async () => {
  await expect(read(['1\n', null])).rejects.toThrow('broke off');
  await expect(read(['"one"\n'])).rejects.toThrow('Reload the page');
});
