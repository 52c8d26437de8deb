'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Small } from '@/components/kit/table';
import { Dialog } from '@/components/kit/dialog';
import { ProblemNote } from '@/components/ui/problem-note';
import { useDeviceChanges } from '@/lib/devices/queries';
import { MAX_FILE_BYTES, MAX_FILE_MB, type ImportResult } from '@/lib/devices/schema';
import { formatCount } from '@/lib/view/format';
import { ImportPreview, toImportText } from './import-preview';

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

/** Reads a CSV file or an Excel workbook, previews what it would change and what is wrong with it, and imports it as a whole. */
export const ImportVehicles = ({ usdot, onClose }: { usdot: string; onClose: () => void }) => {
  const { mutate, isPending, error } = useDeviceChanges().importFile;
  const [file, setFile] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [result, setResult] = useState<ImportResult | null>(null);

  const send = (bytes: string, confirmed: string | null): void =>
    mutate({ usdot, file: bytes, confirmed }, { onSuccess: setResult, onError: () => setResult(null) });

  const choose = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined) return;
    setResult(null);
    setRefusal(null);
    if (chosen.size > MAX_FILE_BYTES) return setRefusal(`The file is larger than ${MAX_FILE_MB} MB.`);
    try {
      const bytes = await readBase64(chosen);
      setFile(bytes);
      send(bytes, null);
    } catch {
      setRefusal('Your browser could not read the file. Choose it again.');
    }
  };

  const problem = refusal ?? error?.message ?? (result?.isOutdated ? OUTDATED : null);
  const changes = result === null ? 0 : result.added.count + result.changed.count;
  const hasFaults = result !== null && result.faults.count + result.duplicates.count > 0;
  const isReady = result !== null && !result.isImported && !hasFaults && changes > 0;
  return (
    <Dialog onClose={onClose} title="Import vehicles">
      <Stack gap={16}>
        <Stack component="label" gap={6} fw={500}>
          Excel workbook or CSV file
          <input
            type="file"
            accept=".csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            onChange={(event) => void choose(event.currentTarget.files?.[0])}
          />
        </Stack>
        {result === null ? <Columns /> : null}
        <Outcome problem={problem} result={result} />
        {result === null ? null : <ImportPreview result={result} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {result?.isImported ? 'Done' : 'Cancel'}
          </Button>
          {result?.isImported ? null : (
            <Button disabled={!isReady} loading={isPending} onClick={() => send(file, result?.id ?? null)}>
              {isReady ? `Import ${formatCount(changes, 'vehicle')}` : 'Import'}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
};

/** Announced by screen readers. */
const Outcome = ({ problem, result }: { problem: string | null; result: ImportResult | null }) => (
  <div>
    <div role="alert">{problem === null ? null : <ProblemNote>{problem}</ProblemNote>}</div>
    <Text component="div" role="status" fw={600} mt={problem !== null && result !== null ? 12 : 0} inherit>
      {result === null ? null : toImportText(result)}
    </Text>
  </div>
);

const Columns = () => (
  <Small>
    The first line names the columns: vin, and any of truck_number, device_id, plate_state, plate_number,
    asset_type, make, model, year, fuel_type, registered_usdot, registered_mc. A VIN fills in an empty make
    and year. Vehicles that you already have are updated, and nothing is imported before you confirm.
  </Small>
);
