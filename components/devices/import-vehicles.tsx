'use client';

import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { ProblemNote } from '@/components/ui/problem-note';
import table from '@/components/admin/admin-table.module.css';
import { decodeText } from '@/lib/identity/decode-text';
import { useDeviceChanges } from '@/lib/devices/queries';
import type { ImportLine, ImportResult } from '@/lib/devices/schema';
import styles from './import-vehicles.module.css';

const vehicles = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'vehicle' : 'vehicles'}`;

/** Reads a CSV file, says what it would do and what is wrong with it, and imports it as a whole. */
export const ImportVehicles = ({ usdot, onClose }: { usdot: string; onClose: () => void }) => {
  const { importCsv } = useDeviceChanges();
  const [csv, setCsv] = useState('');
  const [result, setResult] = useState<ImportResult | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const send = async (text: string, isPreview: boolean): Promise<void> => {
    setProblem(null);
    try {
      setResult(await importCsv.mutateAsync({ usdot, csv: text, isPreview }));
    } catch (error) {
      setResult(null);
      setProblem((error as Error).message);
    }
  };

  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const text = decodeText(new Uint8Array(await file.arrayBuffer()));
    setCsv(text);
    await send(text, true);
  };

  const isReady =
    result !== null && !result.isImported && result.faultCount === 0 && result.added + result.changed > 0;
  return (
    <Dialog onClose={onClose} title="Import vehicles" isHeld={false}>
      <Stack gap={16}>
        <label className={styles.file}>
          CSV file
          <input
            type="file"
            accept=".csv,text/csv"
            onChange={(event) => void choose(event.currentTarget.files?.[0])}
          />
        </label>
        <p className={table.small}>
          The first line names the columns: vin, and any of truck_number, device_id, plate_state,
          plate_number, asset_type, make, model, year, fuel_type, registered_usdot, registered_mc. A vehicle
          that is known already is changed.
        </p>
        <div role="alert">{problem === null ? null : <ProblemNote>{problem}</ProblemNote>}</div>
        <div role="status">{result === null ? null : <Preview result={result} />}</div>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {result?.isImported ? 'Done' : 'Cancel'}
          </Button>
          {result?.isImported ? null : (
            <Button disabled={!isReady} loading={importCsv.isPending} onClick={() => void send(csv, false)}>
              {isReady ? `Import ${vehicles(result.added + result.changed)}` : 'Import'}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
};

const Preview = ({ result }: { result: ImportResult }) => {
  const { isImported, added, changed, unchanged, faults, faultCount, warnings, warningCount } = result;
  const counts = `${vehicles(added)} added, ${changed.toLocaleString('en-US')} changed, ${unchanged.toLocaleString('en-US')} unchanged`;
  return (
    <>
      <p className={styles.summary}>
        {faultCount > 0
          ? `${faultCount.toLocaleString('en-US')} ${faultCount === 1 ? 'thing is' : 'things are'} wrong. Nothing is imported until the file is in order.`
          : isImported
            ? `Imported: ${counts}.`
            : `The file is in order: ${counts}.`}
      </p>
      <Lines head="Wrong" lines={faults} count={faultCount} />
      <Lines head="Doubtful" lines={warnings} count={warningCount} />
    </>
  );
};

const Lines = ({ head, lines, count }: { head: string; lines: ImportLine[]; count: number }) =>
  lines.length === 0 ? null : (
    <section className={styles.lines} aria-label={head} tabIndex={0}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Column</th>
            <th scope="col">{head}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ line, column, message }) => (
            <tr key={`${line} ${column} ${message}`}>
              <td>{line}</td>
              <td>{column}</td>
              <td>{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {count > lines.length ? <p className={table.small}>And {count - lines.length} more.</p> : null}
    </section>
  );
