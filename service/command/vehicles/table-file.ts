import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { decodeText } from '@/lib/identity/text';
import { toThreadCode } from '@/lib/process/thread';
import { TOO_LARGE_WORKBOOK, UnreadableFileError, parseCsv } from './csv';
import type { Table } from './csv';

const EXPORT_AS = 'Save it as Excel Workbook (.xlsx) or as CSV.';
/** The name of the stream that holds an encrypted workbook (MS-OFFCRYPTO 2.3.4.4). */
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le');

const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte);

/** Why a file that is no workbook is no CSV either; null for one that may be. */
const findRefusal = (bytes: Uint8Array, text: string): string | null => {
  if (bytes.length === 0) return 'The file is empty.';
  // The container of the Office formats before 2007, and of encrypted ones since.
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]))
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(ENCRYPTED_PACKAGE)
      ? 'The workbook is protected by a password. Open it in Excel and save it without one.'
      : `The file is in a format of Excel before 2007 (.xls). ${EXPORT_AS}`;
  if (text.startsWith('%PDF-')) return `The file is a PDF. ${EXPORT_AS}`;
  if (/^\s*<(?:!doctype|html|table|\?xml)\b/i.test(text))
    return `The file is a web page or XML, whatever its name. Open it in Excel and save it as Excel Workbook (.xlsx).`;
  if (text.includes('\0')) return `The file is neither an Excel workbook (.xlsx) nor CSV. ${EXPORT_AS}`;
  return null;
};

const THREAD = toThreadCode(`
  import { parentPort, workerData } from 'node:worker_threads';
  import { readWorkbook } from './service/command/vehicles/workbook.ts';
  void readWorkbook(workerData).then((table) => parentPort.postMessage(table));`);
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
  if (startsWith(bytes, [0x50, 0x4b])) return readWorkbookAlone(bytes);
  const text = decodeText(bytes);
  const refusal = findRefusal(bytes, text);
  if (refusal !== null) throw new UnreadableFileError(refusal);
  return parseCsv(text);
};
