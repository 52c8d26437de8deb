'use client';

import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Small } from '@/components/kit/table';
import { Dialog } from '@/components/kit/dialog';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { ProblemNote } from '@/components/ui/problem-note';
import type { FilePlan } from '@/lib/sites/files/read-file';
import { useSiteChanges } from '@/lib/sites/page-queries';
import type { Site } from '@/lib/rules/site';
import { formatCount } from '@/lib/view/format';
import { METERS, type FileDefaults } from '@/lib/sites/files/candidate';
import { ImportPreview } from './import-preview';

const MOST_BYTES = 5 * 1024 * 1024;
const UNITS: FileDefaults['unit'][] = ['ft', 'mi', 'm'];

/** The radius of points without one, as it is typed. */
interface TypedRadius {
  text: string;
  unit: FileDefaults['unit'];
}

const toDefaults = ({ text, unit }: TypedRadius): FileDefaults => ({
  radiusM: text.trim() === '' ? null : Math.round(Number(text) * METERS[unit] * 10) / 10,
  unit,
});

/** The file that is chosen, and what importing it would do; `onChoose` forgets the import of the file before. */
const useFilePlan = (sites: readonly Site[], onChoose: () => void) => {
  const [bytes, setBytes] = useState<Uint8Array | null>(null);
  const [radius, setRadius] = useState<TypedRadius>({ text: '', unit: 'ft' });
  const [plan, setPlan] = useState<FilePlan | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);

  const read = async (contents: Uint8Array, typed: TypedRadius): Promise<void> => {
    const { planFile } = await import('@/lib/sites/files/read-file');
    setPlan(await planFile(contents, sites, toDefaults(typed)));
  };
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    onChoose();
    setBytes(null);
    setPlan(null);
    setRefusal(null);
    if (file.size > MOST_BYTES) return setRefusal('The file is larger than 5 MB.');
    try {
      const contents = new Uint8Array(await file.arrayBuffer());
      setBytes(contents);
      await read(contents, radius);
    } catch {
      setRefusal('Your browser could not read the file. Choose it again.');
    }
  };
  const changeRadius = (typed: TypedRadius): void => {
    setRadius(typed);
    if (bytes !== null) void read(bytes, typed);
  };
  return { plan, refusal, radius, changeRadius, choose };
};

/** Reads a file of sites, previews what it would change and what is wrong with it, and imports it as a whole. */
export const ImportSites = ({ sites, onClose }: { sites: readonly Site[]; onClose: () => void }) => {
  const { mutate, reset, isPending, error, data: imported } = useSiteChanges(useUsdot()).importAll;
  const { plan, refusal, radius, changeRadius, choose } = useFilePlan(sites, reset);
  const changes = plan?.planned.filter(({ kind }) => kind !== 'unchanged').length ?? 0;
  const isReady = imported === undefined && changes > 0;
  return (
    <Dialog onClose={onClose} title="Import sites">
      <Stack gap={16}>
        <Stack component="label" gap={6} fw={500}>
          GeoJSON, KML, KMZ, CSV or Excel file
          <input
            type="file"
            disabled={isPending}
            accept=".csv,.txt,.xlsx,.kml,.kmz,.geojson,.json,text/csv,application/vnd.google-earth.kml+xml,application/vnd.google-earth.kmz,application/geo+json"
            onChange={(event) => void choose(event.currentTarget.files?.[0])}
          />
        </Stack>
        <RadiusField radius={radius} onChange={changeRadius} />
        {plan === null ? <Columns /> : null}
        <div>
          <div role="alert">
            {(refusal ?? error?.message) ? <ProblemNote>{refusal ?? error?.message}</ProblemNote> : null}
          </div>
          <Text component="div" role="status" fw={600} inherit>
            {toOutcome(plan, imported)}
          </Text>
        </div>
        {plan === null || imported !== undefined ? null : <ImportPreview plan={plan} sites={sites} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {imported === undefined ? 'Cancel' : 'Done'}
          </Button>
          {imported !== undefined ? null : (
            <Button disabled={!isReady} loading={isPending} onClick={() => mutate(plan?.sites ?? [])}>
              {isReady ? `Import ${formatCount(changes, 'site')}` : 'Import'}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
};

/** What the preview or the import comes to, in a sentence. */
const toOutcome = (
  plan: FilePlan | null,
  imported: { added: number; changed: number; unchanged: number } | undefined,
): string | null => {
  if (imported !== undefined)
    return `Imported: ${imported.added} added, ${imported.changed} changed, ${imported.unchanged} unchanged.`;
  if (plan === null) return null;
  if (plan.faults.length > 0)
    return `${formatCount(plan.faults.length, 'error')}. Correct the file and choose it again. Nothing is imported until then.`;
  const count = (kind: string): number => plan.planned.filter((each) => each.kind === kind).length;
  const [added, changed, unchanged] = ['added', 'changed', 'unchanged'].map(count);
  if (added! + changed! === 0) return `Nothing to import: ${unchanged} unchanged.`;
  return `Ready to import: ${added} to add, ${changed} to change, ${unchanged} unchanged.`;
};

const RadiusField = ({
  radius,
  onChange,
}: {
  radius: TypedRadius;
  onChange: (radius: TypedRadius) => void;
}) => (
  <Group gap={8} align="end">
    <TextInput
      label="Radius of points without one"
      inputMode="decimal"
      placeholder="None: they are errors"
      value={radius.text}
      onChange={({ currentTarget }) => onChange({ ...radius, text: currentTarget.value })}
    />
    <NativeSelect
      aria-label="Unit of that radius, and of a column “radius”"
      data={UNITS}
      value={radius.unit}
      onChange={({ currentTarget }) =>
        onChange({ ...radius, unit: currentTarget.value as TypedRadius['unit'] })
      }
    />
  </Group>
);

const Columns = () => (
  <Small>
    CSV and Excel: the first line names the columns: name, latitude, longitude, and radius_m, radius_ft or
    radius_mi; also any of kind, color, margin_m, opening_hours, notes. GeoJSON and KML: points with the
    property radius_m, and polygons. A radius without a unit has the one chosen above. A site whose name you
    already have is changed, and nothing is imported before you confirm.
  </Small>
);
