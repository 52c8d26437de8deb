import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { decodeText } from '@/lib/identity/text';
import { toThreadCode } from '@/lib/base/process/thread';
import { parseCsv } from './csv';
import { UnreadableFileError, ZIP_SIGNATURE, findRefusal, startsWith, type Table } from './table';
import { TOO_LARGE_WORKBOOK } from './workbook';

const THREAD = toThreadCode(`
  import { parentPort, workerData } from 'node:worker_threads';
  import { readWorkbook } from './lib/table-files/workbook.ts';
  void readWorkbook(workerData, (columns) => columns.includes('vin')).then((table) => parentPort.postMessage(table));`);
/** A workbook of 100,000 vehicles needs 3 s and 300 MB. */
const MAX_READ_MS = 30_000;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 384 };

/** The library builds a tree of some parts, so that a few kilobytes may need gigabytes: only the thread fails then. */
const readInThread = async (bytes: Uint8Array): Promise<Table> => {
  const thread = new Worker(THREAD, { eval: true, workerData: bytes, resourceLimits: RESOURCE_LIMITS });
  try {
    const [table] = (await once(thread, 'message', { signal: AbortSignal.timeout(MAX_READ_MS) })) as [Table];
    return table;
  } catch (error) {
    const { name, code, detail } = error as Error & { code?: string; detail?: string };
    if (code === 'unreadable_file' && detail !== undefined) throw new UnreadableFileError(detail);
    if (name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new UnreadableFileError(TOO_LARGE_WORKBOOK, { cause: error });
    throw error;
  } finally {
    await thread.terminate();
  }
};

let reading: Promise<unknown> = Promise.resolve();

/** One workbook at a time, because each may need so much memory. */
const readWorkbookAlone = (bytes: Uint8Array): Promise<Table> => {
  const table = reading.then(() => readInThread(bytes));
  reading = table.catch(() => undefined);
  return table;
};

/**
 * The cells of a CSV file or an Excel workbook, as spreadsheets write them; the content decides which, not the name.
 *
 * @throws UnreadableFileError
 */
export const readTableFile = async (bytes: Uint8Array): Promise<Table> => {
  if (startsWith(bytes, ZIP_SIGNATURE)) return readWorkbookAlone(bytes);
  const text = decodeText(bytes);
  const refusal = findRefusal(bytes, text);
  if (refusal !== null) throw new UnreadableFileError(refusal);
  return parseCsv(text);
};
