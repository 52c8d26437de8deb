import { useState, type ReactNode } from 'react';
import {
  FAULT_COLUMNS,
  ImportDialog,
  ImportParts,
  LINE_COLUMN,
  TABLE_FILE,
  importText,
} from '@/components/kit/import-dialog';
import { Table, type Column } from '@/components/kit/table';
import { CONTACT_COLUMNS } from '@/lib/table-files/contact-columns';
import { useDeviceChanges } from '@/lib/devices/queries';
import {
  MAX_FILE_MB,
  MAX_RETURNED_ROWS,
  type ImportResult,
  type ImportedVehicle,
} from '@/lib/devices/schema';

/** The bytes of a file in base64. @throws DOMException for a file that was moved, or changed since it was chosen */
const readBase64 = async (file: File): Promise<string> => {
  const reader = new FileReader();
  await new Promise((resolve, reject) => {
    reader.onload = resolve;
    reader.onerror = () => reject(reader.error!);
    reader.readAsDataURL(file);
  });
  return (reader.result as string).replace(/^[^,]*,/, '');
};

const OUTDATED =
  'Your vehicles changed after this preview, so nothing was imported. Check the preview again; it is up to date now.';

const HELP = `The first line names the columns: vin, and any of truck_number, device_id, plate_state, plate_number, asset_type, make, model, year, fuel_type, registered_usdot, registered_mc, and contacts: ${Object.values(CONTACT_COLUMNS).join(', ')}. A VIN fills in an empty make and year. Vehicles that you already have are updated, and nothing is imported before you confirm.`;

export const ImportVehicles = ({ usdot, onClose }: { usdot: string; onClose: () => void }) => {
  const { mutate, isPending, error } = useDeviceChanges().importFile;
  const [file, setFile] = useState('');
  const [result, setResult] = useState<ImportResult | null>(null);
  const send = (bytes: string, confirmed: string | null): void =>
    mutate({ usdot, file: bytes, confirmed }, { onSuccess: setResult, onError: () => setResult(null) });
  const changes = result === null ? 0 : result.added.count + result.changed.count;
  const errors = result === null ? 0 : result.faults.count + result.duplicates.count;
  const isImported = result?.isImported ?? false;
  return (
    <ImportDialog
      title="Import vehicles"
      {...TABLE_FILE}
      maxMb={MAX_FILE_MB}
      onChoose={() => setResult(null)}
      read={async (chosen) => {
        const bytes = await readBase64(chosen);
        setFile(bytes);
        send(bytes, null);
      }}
      help={HELP}
      problem={error?.message ?? (result?.isOutdated ? OUTDATED : null)}
      outcome={result === null ? null : toOutcome(result, errors)}
      changes={changes}
      noun="vehicle"
      isReady={!isImported && errors === 0 && changes > 0}
      isPending={isPending}
      isImported={isImported}
      onImport={() => send(file, result?.id ?? null)}
      onClose={onClose}
    >
      {result === null ? null : <ImportPreview result={result} />}
    </ImportDialog>
  );
};

const toOutcome = ({ isImported, added, changed, unchanged }: ImportResult, errors: number): string =>
  errors + added.count + changed.count + unchanged.count === 0
    ? 'The file has no vehicles.'
    : importText(
        { errors, added: added.count, changed: changed.count, unchanged: unchanged.count },
        isImported,
      );

const PARTS = {
  faults: 'Errors',
  duplicates: 'Duplicates',
  warnings: 'Warnings',
  added: 'Added',
  changed: 'Changed',
  unchanged: 'Unchanged',
} as const;
type Part = keyof typeof PARTS;

const ImportPreview = ({ result }: { result: ImportResult }) => (
  <ImportParts labels={PARTS} countOf={(part) => result[part].count} mostRows={MAX_RETURNED_ROWS}>
    {(part) => <Rows result={result} part={part} />}
  </ImportParts>
);

/** The truck by its number, with its VIN below. */
const TRUCK_COLUMN: Column<ImportedVehicle> = {
  label: 'Truck',
  name: ({ truckNumber, vin }) => truckNumber ?? vin,
  small: ({ truckNumber, vin }) => (truckNumber === null ? null : <span className="lh-code">{vin}</span>),
};

const VEHICLE_COLUMNS: Column<ImportedVehicle>[] = [
  TRUCK_COLUMN,
  {
    label: 'Vehicle',
    cell: ({ about }) => about ?? 'Unknown',
    small: ({ filledFrom }) => (filledFrom === null ? null : `VIN: ${filledFrom}`),
  },
  { label: 'Device', cell: ({ deviceId }) => deviceId ?? 'None' },
  { label: 'Contacts', cell: ({ contact }) => contact },
  LINE_COLUMN,
];

const WORDS: Readonly<Record<string, string>> = { id: 'ID', usdot: 'USDOT', mc: 'MC' };
/** "registered_usdot" as "registered USDOT". */
const toFieldName = (column: string): string =>
  column
    .split('_')
    .map((word) => WORDS[word] ?? word)
    .join(' ');

const CHANGE_COLUMNS: Column<ImportedVehicle>[] = [
  TRUCK_COLUMN,
  {
    label: 'Change',
    cell: ({ changes }) =>
      changes.map(({ column, before, after }) => (
        <div key={column}>
          <span className="lh-dim">{toFieldName(column)}:</span> {before ?? 'empty'} →{' '}
          <b>{after ?? 'empty'}</b>
        </div>
      )),
  },
  LINE_COLUMN,
];

const Rows = ({ result, part }: { result: ImportResult; part: Part }): ReactNode =>
  part === 'faults' || part === 'duplicates' || part === 'warnings' ? (
    <Table
      label={PARTS[part]}
      columns={FAULT_COLUMNS}
      rows={result[part].rows}
      keyOf={({ line, column, message }) => `${line} ${column} ${message}`}
    />
  ) : (
    <Table
      label={PARTS[part]}
      columns={part === 'changed' ? CHANGE_COLUMNS : VEHICLE_COLUMNS}
      rows={result[part].rows}
      keyOf={({ line }) => line}
    />
  );
