'use client';

import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { AdminHead, Small } from '@/components/admin/admin-table';
import table from '@/components/admin/admin-table.module.css';
import { Dialog } from '@/components/admin/dialog';
import { ProblemNote } from '@/components/ui/problem-note';
import { useDeviceChanges } from '@/lib/devices/queries';
import type { ImportLine, ImportResult } from '@/lib/devices/schema';
import { decodeText } from '@/lib/identity/text';
import { formatCount } from '@/lib/view/format';

/** Reads a CSV file, previews what it would change and what is wrong with it, and imports it as a whole. */
export const ImportVehicles = ({ usdot, onClose }: { usdot: string; onClose: () => void }) => {
  const { mutate, isPending, error } = useDeviceChanges().importCsv;
  const [csv, setCsv] = useState('');
  const [result, setResult] = useState<ImportResult | null>(null);

  const send = (text: string, isPreview: boolean): void =>
    mutate({ usdot, csv: text, isPreview }, { onSuccess: setResult, onError: () => setResult(null) });

  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const text = decodeText(new Uint8Array(await file.arrayBuffer()));
    setCsv(text);
    send(text, true);
  };

  const isReady =
    result !== null && !result.isImported && result.faultCount === 0 && result.added + result.changed > 0;
  return (
    <Dialog onClose={onClose} title="Import vehicles">
      <Stack gap={16}>
        <Stack component="label" gap={6} fw={500}>
          CSV file
          <input
            type="file"
            accept=".csv,text/csv"
            onChange={(event) => void choose(event.currentTarget.files?.[0])}
          />
        </Stack>
        <Small>
          The first line names the columns: vin, and any of truck_number, device_id, plate_state,
          plate_number, asset_type, make, model, year, fuel_type, registered_usdot, registered_mc. Vehicles
          that Linehaul already has are updated.
        </Small>
        <div role="alert">{error === null ? null : <ProblemNote>{error.message}</ProblemNote>}</div>
        <div role="status">{result === null ? null : <Preview result={result} />}</div>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {result?.isImported ? 'Done' : 'Cancel'}
          </Button>
          {result?.isImported ? null : (
            <Button disabled={!isReady} loading={isPending} onClick={() => send(csv, false)}>
              {isReady ? `Import ${formatCount(result.added + result.changed, 'vehicle')}` : 'Import'}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
};

const Preview = ({ result }: { result: ImportResult }) => {
  const { isImported, added, changed, unchanged, faults, faultCount, warnings, warningCount } = result;
  const counts = `${formatCount(added, 'vehicle')} added, ${changed.toLocaleString('en-US')} changed, ${unchanged.toLocaleString('en-US')} unchanged`;
  return (
    <>
      <Text fw={600} inherit>
        {faultCount > 0
          ? `${formatCount(faultCount, 'error')}. Correct the file and choose it again. Nothing is imported until then.`
          : `${isImported ? 'Imported' : 'Ready to import'}: ${counts}.`}
      </Text>
      <Lines head="Errors" lines={faults} count={faultCount} />
      <Lines head="Warnings" lines={warnings} count={warningCount} />
    </>
  );
};

const Lines = ({ head, lines, count }: { head: string; lines: ImportLine[]; count: number }) =>
  lines.length === 0 ? null : (
    <Box
      component="section"
      mah={260}
      mt={12}
      bd="1px solid var(--lh-line)"
      bdrs={8}
      style={{ overflow: 'auto' }}
      aria-label={head}
      tabIndex={0}
    >
      <table className={table.table}>
        <AdminHead columns={['Line', 'Column', head]} hasActions={false} />
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
      {count > lines.length ? <Small>And {count - lines.length} more.</Small> : null}
    </Box>
  );
