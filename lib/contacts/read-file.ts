import { decodeText } from '@/lib/identity/text';
import { parseCsv } from '@/lib/table-files/csv';
import {
  UnreadableFileError,
  ZIP_SIGNATURE,
  findRefusal,
  startsWith,
  type Table,
} from '@/lib/table-files/table';
import { isContactHeader } from './contact-table';

/** The cells of a CSV file or an Excel workbook of contacts, read in the browser. @throws UnreadableFileError */
export const readContactFile = async (bytes: Uint8Array): Promise<Table> => {
  if (startsWith(bytes, ZIP_SIGNATURE)) {
    const { readWorkbook } = await import('@/lib/table-files/workbook');
    return readWorkbook(bytes, (columns) => isContactHeader(columns));
  }
  const text = decodeText(bytes);
  const refusal = findRefusal(bytes, text);
  if (refusal !== null) throw new UnreadableFileError(refusal);
  return parseCsv(text);
};
