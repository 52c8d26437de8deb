'use client';

import type { ReactNode } from 'react';
import { Table, NameCell, Small } from '@/components/kit/table';
import { ImportParts } from '@/components/kit/import-parts';
import {
  MAX_RETURNED_ROWS,
  type ImportLine,
  type ImportResult,
  type ImportedVehicle,
} from '@/lib/devices/schema';
import { formatCount, formatWhole } from '@/lib/view/format';
import styles from './devices.module.css';

const PARTS = {
  faults: 'Errors',
  duplicates: 'Duplicates',
  warnings: 'Warnings',
  added: 'Added',
  changed: 'Changed',
  unchanged: 'Unchanged',
} as const;
type Part = keyof typeof PARTS;

/** What the preview or the import comes to, in a sentence. */
export const toImportText = ({
  isImported,
  added,
  changed,
  unchanged,
  faults,
  duplicates,
}: ImportResult): string => {
  const wrong = faults.count + duplicates.count;
  if (wrong > 0)
    return `${formatCount(wrong, 'error')}. Correct the file and choose it again. Nothing is imported until then.`;
  if (added.count + changed.count + unchanged.count === 0) return 'The file has no vehicles.';
  const [toAdd, toChange, same] = [added, changed, unchanged].map(({ count }) => formatWhole(count));
  if (isImported) return `Imported: ${toAdd} added, ${toChange} changed, ${same} unchanged.`;
  if (added.count + changed.count === 0) return `Nothing to import: ${same} unchanged.`;
  return `Ready to import: ${toAdd} to add, ${toChange} to change, ${same} unchanged.`;
};

/** What an import changes or has changed, and what is wrong with its file. */
export const ImportPreview = ({ result }: { result: ImportResult }) => (
  <ImportParts labels={PARTS} countOf={(part) => result[part].count} mostRows={MAX_RETURNED_ROWS}>
    {(part) => <Rows result={result} part={part} />}
  </ImportParts>
);

const Rows = ({ result, part }: { result: ImportResult; part: Part }): ReactNode => {
  const label = PARTS[part];
  if (part === 'faults' || part === 'duplicates' || part === 'warnings')
    return (
      <Table label={label} columns={['Line', 'Column', 'What to check']} hasActions={false}>
        {result[part].rows.map((line) => (
          <LineRow key={`${line.line} ${line.column} ${line.message}`} {...line} />
        ))}
      </Table>
    );
  const columns = part === 'changed' ? ['Truck', 'Change', 'Line'] : ['Truck', 'Vehicle', 'Device', 'Line'];
  return (
    <Table label={label} columns={columns} hasActions={false}>
      {result[part].rows.map((vehicle) =>
        part === 'changed' ? (
          <ChangedRow key={vehicle.line} {...vehicle} />
        ) : (
          <VehicleRow key={vehicle.line} {...vehicle} />
        ),
      )}
    </Table>
  );
};

const LineRow = ({ line, column, message }: ImportLine) => (
  <tr>
    <td data-head="Line">{line}</td>
    <td data-head="Column" className="lh-code">
      {column}
    </td>
    <td>{message.charAt(0).toUpperCase() + message.slice(1)}</td>
  </tr>
);

/** The truck by its number, with its VIN below. */
const TruckCell = ({ truckNumber, vin }: Pick<ImportedVehicle, 'truckNumber' | 'vin'>) => (
  <NameCell name={truckNumber ?? vin}>
    {truckNumber === null ? null : (
      <Small>
        <span className="lh-code">{vin}</span>
      </Small>
    )}
  </NameCell>
);

const VehicleRow = ({ line, truckNumber, vin, about, filledFrom, deviceId }: ImportedVehicle) => (
  <tr>
    <TruckCell truckNumber={truckNumber} vin={vin} />
    <td data-head="Vehicle">
      {about ?? 'Unknown'}
      {filledFrom === null ? null : <Small>VIN: {filledFrom}</Small>}
    </td>
    <td data-head="Device">{deviceId ?? 'None'}</td>
    <td data-head="Line">{line}</td>
  </tr>
);

const WORDS: Readonly<Record<string, string>> = { id: 'ID', usdot: 'USDOT', mc: 'MC' };
/** "registered_usdot" as "registered USDOT". */
const toFieldName = (column: string): string =>
  column
    .split('_')
    .map((word) => WORDS[word] ?? word)
    .join(' ');

const ChangedRow = ({ line, truckNumber, vin, changes }: ImportedVehicle) => (
  <tr>
    <TruckCell truckNumber={truckNumber} vin={vin} />
    <td data-head="Change">
      {changes.map(({ column, before, after }) => (
        <div key={column}>
          <span className={styles.field}>{toFieldName(column)}:</span> {before ?? 'empty'} →{' '}
          <b>{after ?? 'empty'}</b>
        </div>
      ))}
    </td>
    <td data-head="Line">{line}</td>
  </tr>
);
