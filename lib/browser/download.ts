import { EXPECTED_BYTES_HEADER } from '@/lib/base/http/protocol';
import { ServerUnreachableError, request } from './fetch-json';

/** A server that makes a file is not waited for longer than this. */
const TIMEOUT_MS = 60 * 60_000;
/** Progress is reported this often at most. */
const REPORT_MS = 100;
/** What is only estimated is never reported as complete. */
const MOST_SHARE = 0.99;

export interface DownloadProgress {
  bytes: number;
  /** From 0 to 1; null where the length is not known. */
  share: number | null;
}

interface DownloadOptions {
  /** Cancels it, and with it the server's query. */
  signal: AbortSignal;
  onProgress: (progress: DownloadProgress) => void;
  fetch?: typeof fetch;
}

/** About how many bytes a response has; null where it does not say. */
const toExpectedBytes = ({ headers }: Response): number | null => {
  // The length of a compressed response is not that of its file.
  const length = headers.has('content-encoding') ? null : headers.get('content-length');
  const bytes = Number(length ?? headers.get(EXPECTED_BYTES_HEADER) ?? 0);
  return bytes > 0 ? bytes : null;
};

const toFileName = ({ headers }: Response): string =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'linehaul';

/**
 * A file of our own server with the name that the server gave it.
 *
 * @throws ServerUnreachableError, ServerProblemError; an AbortError when `signal` aborts
 */
export const fetchFile = async (
  url: string,
  { signal, onProgress, fetch: send }: DownloadOptions,
): Promise<{ name: string; blob: Blob }> => {
  const response = await request(url, { signal, timeoutMs: TIMEOUT_MS, ...(send && { fetch: send }) });
  const expected = toExpectedBytes(response);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let [bytes, reportedAtMs] = [0, -Infinity];
  const reader = response.body!.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      pieces.push(read.value);
      bytes += read.value.length;
      if (performance.now() - reportedAtMs < REPORT_MS) continue;
      reportedAtMs = performance.now();
      onProgress({ bytes, share: expected === null ? null : Math.min(MOST_SHARE, bytes / expected) });
    }
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new ServerUnreachableError('The download broke off. Nothing was saved.', { cause });
  }
  const type = response.headers.get('content-type') ?? '';
  return { name: toFileName(response), blob: new Blob(pieces, { type }) };
};

/** Downloads a file of our own server and saves it. @throws as `fetchFile` does */
export const download = async (url: string, options: DownloadOptions): Promise<void> => {
  const { name, blob } = await fetchFile(url, options);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // A browser may read the object some time after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
