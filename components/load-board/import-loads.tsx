import { useReading, useServerNowMs, useUsdot } from '@/components/fleet-state/fleet-context';
import {
  FilePreview,
  ImportDialog,
  LINE_COLUMN,
  TABLE_FILE,
  importText,
  useFilePlan,
} from '@/components/kit/import-dialog';
import { Small, type Column } from '@/components/kit/table';
import { usePlaceSearch } from '@/components/ui/use-place-search';
import { previewLoads, readLoadFile, useImportLoads, type LoadResult } from '@/lib/loads/import';
import { readLoadTable, type ReadLoad } from '@/lib/loads/load-table';
import { choosePlace, type PlaceSources } from '@/lib/loads/typed-place';
import { appointmentText } from '@/lib/loads/text';
import { formatCount } from '@/lib/view/format';
import { useRoster } from '@/lib/roster/queries';
import { useFleetSites } from '@/lib/sites/queries';
import { listUnits, type TableFault } from '@/lib/table-files/fleet-table';
import { UnreadableFileError } from '@/lib/table-files/table';

const MAX_MB = 8;

const HELP =
  'The first line names the columns, of which a file may have any: reference, po, bol, customer and truck (its number or VIN), and for the stops pickup, pickup_from, pickup_to, delivery, delivery_from and delivery_to, with more behind them as pickup_address, pickup_lat, pickup_lng, pickup_free_minutes, pickup_contact and pickup_phone. For loads with more stops use one line for each stop, with the columns kind, place, from and to. A place is the name of a site, a town with its state, or a ZIP code, or has latitude and longitude. Times are by the clock of the stop. A column that the file does not have leaves what is there. Nothing is imported before you confirm.';

type Planned = ReadLoad & Pick<LoadResult, 'stops' | 'ofTruck'> & { kind: 'added' | 'changed' | 'unchanged' };

interface Plan {
  faults: TableFault[];
  warnings: TableFault[];
  planned: Planned[];
}

/** The preview of the loads of a file: what the server would do to each. */
const previewPlan = async (
  usdot: string,
  loads: readonly ReadLoad[],
  warnings: TableFault[],
): Promise<Plan> => {
  const { results } = await previewLoads(
    usdot,
    loads.map(({ load }) => load),
  );
  const plan: Plan = { faults: [], warnings, planned: [] };
  results.forEach(({ kind, message, ...found }, at) => {
    const read = loads[at]!;
    if (kind === 'refused')
      plan.faults.push({ line: read.line, column: null, message: message ?? 'it cannot be imported' });
    else plan.planned.push({ ...read, ...found, kind });
  });
  return plan;
};

/** A town whose whole name or ZIP code a text is. */
const findTown = (text: string, findPlaces: NonNullable<PlaceSources['findPlaces']>) => {
  const isWhole = /,|^\d{5}$/.test(text.trim()) && findPlaces(text, 1)[0]?.isWhole;
  const found = isWhole ? choosePlace(text, { sites: [], findPlaces }) : null;
  if (found === null) return null;
  const { name, lat, lng, radiusM } = found;
  return { name, lat, lng, ...(radiusM !== undefined && { radiusM }) };
};

/** Reads a file of loads with the names of the fleet, and asks the server what an import would do. @throws UnreadableFileError, ServerUnreachableError, ServerProblemError */
const useReadPlan = (usdot: string) => {
  const identities = useReading().fleet?.identities ?? [];
  const vins = useRoster(usdot).data?.vins ?? [];
  const sites = useFleetSites(usdot, true).data;
  // A text with digits has the ZIP codes loaded, too.
  const findPlaces = usePlaceSearch(true, '00000');
  return async (bytes: Uint8Array): Promise<Plan> => {
    if (sites === undefined || findPlaces === null)
      throw new UnreadableFileError(
        'The sites of the fleet and the towns are still loading. Choose the file again.',
      );
    const { loads, faults, warnings } = readLoadTable(await readLoadFile(bytes), {
      units: listUnits(identities, vins),
      sites,
      findTown: (text) => findTown(text, findPlaces),
    });
    return faults.length > 0 ? { faults, warnings, planned: [] } : previewPlan(usdot, loads, warnings);
  };
};

/** A file that was read, and its import. */
const useLoadFile = (usdot: string) => {
  const readPlan = useReadPlan(usdot);
  const { mutate, isPending, isSuccess, data, error, reset } = useImportLoads(usdot);
  const { plan, refusal, forget, read } = useFilePlan(readPlan);
  const of = (kind: Planned['kind']) => plan?.planned.filter((each) => each.kind === kind) ?? [];
  const parts = { added: of('added'), changed: of('changed'), unchanged: of('unchanged') };
  const changes = [...parts.added, ...parts.changed];
  // What others changed since the preview may refuse an import, of which nothing is stored then.
  const late = (data?.results ?? []).flatMap(({ message }, at): TableFault[] =>
    message === null ? [] : [{ line: changes[at]!.line, column: null, message }],
  );
  return {
    parts: plan && { ...parts, faults: [...plan.faults, ...late], warnings: plan.warnings },
    changes,
    isPending,
    isSent: isSuccess,
    isImported: isSuccess && late.length === 0,
    problem: refusal ?? error?.message ?? null,
    read,
    clear: () => {
      forget();
      reset();
    },
    importAll: () => mutate(changes.map(({ load }) => load)),
  };
};

/** Imports loads from a file: the page that shows it opens and closes it. */
export const ImportLoads = ({ onClose }: { onClose: () => void }) => {
  const { parts, changes, ...file } = useLoadFile(useUsdot());
  const columns = toColumns(useServerNowMs());
  const counts = parts && {
    ...{ errors: parts.faults.length, added: parts.added.length },
    ...{ changed: parts.changed.length, unchanged: parts.unchanged.length },
  };
  return (
    <ImportDialog
      title="Import loads"
      {...TABLE_FILE}
      maxMb={MAX_MB}
      onChoose={file.clear}
      read={file.read}
      help={HELP}
      problem={file.problem}
      outcome={counts && importText(counts, file.isImported)}
      changes={changes.length}
      noun="load"
      isReady={!file.isSent && counts?.errors === 0 && changes.length > 0}
      isPending={file.isPending}
      isImported={file.isImported}
      onImport={file.importAll}
      onClose={onClose}
    >
      {parts === null ? null : <FilePreview parts={parts} columns={columns} />}
    </ImportDialog>
  );
};

const truckText = (ofTruck: number | undefined): string | null =>
  ofTruck === undefined || ofTruck < 2 ? null : `has ${formatCount(ofTruck, 'load')} under way`;

/** Loads as they are after an import: the places and times that were understood. */
const toColumns = (nowMs: number): Column<Planned>[] => [
  { label: 'Load', name: ({ load }) => load.reference, small: ({ load }) => load.customer ?? null },
  { label: 'Truck', cell: ({ truck }) => truck, small: ({ ofTruck }) => truckText(ofTruck) },
  {
    label: 'Stops',
    cell: ({ stops = [] }) =>
      stops.map((stop, at) => (
        <div key={at}>
          {stop.name}
          <Small>{stop.appointment === null ? null : appointmentText(stop, nowMs)}</Small>
        </div>
      )),
  },
  LINE_COLUMN,
];
