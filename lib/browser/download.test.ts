import { expect, test } from 'vitest';
import { EXPECTED_BYTES_HEADER } from '@/lib/base/http/protocol';
import { fetchFile, type DownloadProgress } from './download';

/** A response of pieces, each sent when it is read; null: the connection breaks. */
const respond =
  (pieces: (string | null)[], headers: Record<string, string> = {}): typeof fetch =>
  async (_url, init) => {
    const left = [...pieces];
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        init?.signal?.throwIfAborted();
        const piece = left.shift();
        if (piece === undefined) controller.close();
        else if (piece === null) controller.error(new TypeError('network error'));
        else controller.enqueue(new TextEncoder().encode(piece));
      },
    });
    const disposition = { 'content-disposition': 'attachment; filename="trail.csv"' };
    return new Response(body, { headers: { ...disposition, ...headers } });
  };

const fetchPieces = async (send: typeof fetch, signal = new AbortController().signal) => {
  const reports: DownloadProgress[] = [];
  const file = await fetchFile('/file', { signal, onProgress: (each) => reports.push(each), fetch: send });
  return { reports, name: file.name, text: await file.blob.text() };
};

test('a file is whole and has the server’s name', async () => {
  expect(await fetchPieces(respond(['one,', 'two']))).toEqual({
    name: 'trail.csv',
    text: 'one,two',
    reports: [{ bytes: 4, share: null }],
  });
});

test('the share is that of the length or of the expected one, unless the length is that of a compressed body', async () => {
  const shareOf = async (headers: Record<string, string>) =>
    (await fetchPieces(respond(['half', 'half'], headers))).reports[0]!.share;
  expect(await shareOf({ 'content-length': '8' })).toBe(0.5);
  expect(await shareOf({ [EXPECTED_BYTES_HEADER]: '16' })).toBe(0.25);
  expect(await shareOf({ [EXPECTED_BYTES_HEADER]: '2' })).toBe(0.99);
  expect(await shareOf({ 'content-length': '3', 'content-encoding': 'gzip' })).toBe(null);
});

test('a download that breaks off says that nothing was saved', async () => {
  await expect(fetchPieces(respond(['one', null]))).rejects.toThrow(
    'The download broke off. Nothing was saved.',
  );
});

test('a canceled download ends with the signal’s reason', async () => {
  const controller = new AbortController();
  const canceled = fetchFile('/file', {
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('canceled')),
    fetch: respond(['one', 'two', 'three']),
  });
  await expect(canceled).rejects.toThrow('canceled');
});
