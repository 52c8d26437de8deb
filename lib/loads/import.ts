import { useChange } from '@/lib/browser/change';
import { exchangeJson } from '@/lib/browser/fetch-json';
import { list, nullable, number, object, oneOf, optional, text, type ShapeOf } from '@/lib/base/shape';
import { decodeText } from '@/lib/identity/text';
import { parseCsv } from '@/lib/table-files/csv';
import {
  UnreadableFileError,
  ZIP_SIGNATURE,
  findRefusal,
  startsWith,
  type Table,
} from '@/lib/table-files/table';
import { isLoadHeader } from './load-table';
import type { ImportedLoad } from './schema';

const resultsShape = object({
  results: list(
    object({
      reference: text,
      kind: oneOf(['added', 'changed', 'unchanged', 'refused'] as const),
      message: nullable(text),
      stops: optional(
        list(
          object({
            name: text,
            timeZone: text,
            appointment: nullable(object({ fromMs: number, toMs: number })),
          }),
        ),
      ),
      ofTruck: optional(number),
    }),
  ),
});

/** What would become of a load, or did. */
export type LoadResult = ShapeOf<typeof resultsShape>['results'][number];

const send = (usdot: string, loads: readonly ImportedLoad[], isPreview: boolean) =>
  exchangeJson(
    'POST',
    `/api/fleets/${encodeURIComponent(usdot)}/loads/import`,
    { isPreview, loads },
    resultsShape,
  );

/** What an import would do to each load, as the server says it. @throws ServerUnreachableError, ServerProblemError */
export const previewLoads = (usdot: string, loads: readonly ImportedLoad[]) => send(usdot, loads, true);

/** Imports loads, all or none, and resolves once loads are read again. @throws as previewLoads does */
export const useImportLoads = (usdot: string) =>
  useChange(['fleets', usdot, 'loads'], (loads: readonly ImportedLoad[]) => send(usdot, loads, false));

/** The cells of a CSV file or an Excel workbook of loads, read in the browser. @throws UnreadableFileError */
export const readLoadFile = async (bytes: Uint8Array): Promise<Table> => {
  if (startsWith(bytes, ZIP_SIGNATURE)) {
    const { readWorkbook } = await import('@/lib/table-files/workbook');
    return readWorkbook(bytes, (columns) => isLoadHeader(columns), { hasDates: true });
  }
  const decoded = decodeText(bytes);
  const refusal = findRefusal(bytes, decoded);
  if (refusal !== null) throw new UnreadableFileError(refusal);
  return parseCsv(decoded);
};
