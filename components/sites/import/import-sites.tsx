import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { ImportDialog, ImportParts, importText } from '@/components/kit/import-dialog';
import { Table, type Column } from '@/components/kit/table';
import type { Site } from '@/lib/rules/site';
import { METERS, type FileDefaults } from '@/lib/sites/files/candidate';
import type { PlannedSite } from '@/lib/sites/files/plan';
import type { FilePlan } from '@/lib/sites/files/read-file';
import { SITE_KIND_LABELS } from '@/lib/sites/kinds';
import { useSiteChanges } from '@/lib/sites/page-queries';
import { shapeText, siteChanges } from '@/lib/sites/text';

const UNITS: FileDefaults['unit'][] = ['ft', 'mi', 'm'];

const HELP =
  'CSV and Excel: the first line names the columns: name, latitude, longitude, and radius_m, radius_ft or radius_mi; also any of kind, color, margin_m, opening_hours, notes. GeoJSON and KML: points with the property radius_m, and polygons. A radius without a unit has the one chosen above. A site whose name you already have is changed, and nothing is imported before you confirm.';

/** The radius of points without one, as it is typed. */
interface TypedRadius {
  text: string;
  unit: FileDefaults['unit'];
}

const toDefaults = ({ text, unit }: TypedRadius): FileDefaults => ({
  radiusM: text.trim() === '' ? null : Math.round(Number(text) * METERS[unit] * 10) / 10,
  unit,
});

/** The contents of the file that is chosen, and what importing it would do. */
const useFilePlan = (sites: readonly Site[]) => {
  const [bytes, setBytes] = useState<Uint8Array | null>(null);
  const [radius, setRadius] = useState<TypedRadius>({ text: '', unit: 'ft' });
  const [plan, setPlan] = useState<FilePlan | null>(null);
  const toPlan = async (contents: Uint8Array, typed: TypedRadius): Promise<void> => {
    const { planFile } = await import('@/lib/sites/files/read-file');
    setPlan(await planFile(contents, sites, toDefaults(typed)));
  };
  return {
    plan,
    radius,
    forget: (): void => {
      setBytes(null);
      setPlan(null);
    },
    read: async (file: File): Promise<void> => {
      const contents = new Uint8Array(await file.arrayBuffer());
      setBytes(contents);
      await toPlan(contents, radius);
    },
    changeRadius: (typed: TypedRadius): void => {
      setRadius(typed);
      if (bytes !== null) void toPlan(bytes, typed);
    },
  };
};

export const ImportSites = ({ sites, onClose }: { sites: readonly Site[]; onClose: () => void }) => {
  const { mutate, reset, isPending, error, data: imported } = useSiteChanges(useUsdot()).importAll;
  const { plan, radius, forget, read, changeRadius } = useFilePlan(sites);
  const changes = plan?.planned.filter(({ kind }) => kind !== 'unchanged').length ?? 0;
  return (
    <ImportDialog
      title="Import sites"
      label="GeoJSON, KML, KMZ, CSV or Excel file"
      accept=".csv,.txt,.xlsx,.kml,.kmz,.geojson,.json,text/csv,application/vnd.google-earth.kml+xml,application/vnd.google-earth.kmz,application/geo+json"
      maxMb={5}
      onChoose={() => {
        reset();
        forget();
      }}
      read={read}
      fields={<RadiusField radius={radius} onChange={changeRadius} />}
      help={HELP}
      problem={error?.message ?? null}
      outcome={toOutcome(plan, imported)}
      changes={changes}
      noun="site"
      isReady={imported === undefined && changes > 0}
      isPending={isPending}
      isImported={imported !== undefined}
      onImport={() => mutate(plan?.sites ?? [])}
      onClose={onClose}
    >
      {plan === null || imported !== undefined ? null : <ImportPreview plan={plan} sites={sites} />}
    </ImportDialog>
  );
};

const toOutcome = (
  plan: FilePlan | null,
  imported: { added: number; changed: number; unchanged: number } | undefined,
): string | null => {
  if (imported !== undefined) return importText({ errors: 0, ...imported }, true);
  if (plan === null) return null;
  const count = (kind: PlannedSite['kind']): number =>
    plan.planned.filter((each) => each.kind === kind).length;
  return importText(
    {
      errors: plan.faults.length,
      added: count('added'),
      changed: count('changed'),
      unchanged: count('unchanged'),
    },
    false,
  );
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

const PARTS = {
  faults: 'Errors',
  warnings: 'Warnings',
  added: 'Added',
  changed: 'Changed',
  unchanged: 'Unchanged',
} as const;

/** More rows than anyone reads. */
const MOST_ROWS = 200;

const ImportPreview = ({ plan, sites }: { plan: FilePlan; sites: readonly Site[] }) => {
  const ofKind = (kind: PlannedSite['kind']) => plan.planned.filter((each) => each.kind === kind);
  return (
    <ImportParts
      labels={PARTS}
      countOf={(part) => (part === 'faults' || part === 'warnings' ? plan[part].length : ofKind(part).length)}
      mostRows={MOST_ROWS}
    >
      {(part) =>
        part === 'faults' || part === 'warnings' ? (
          <Table
            label={PARTS[part]}
            columns={FAULT_COLUMNS}
            rows={plan[part].slice(0, MOST_ROWS)}
            keyOf={({ where, message }) => `${where} ${message}`}
          />
        ) : (
          <Table
            label={PARTS[part]}
            columns={toSiteColumns(plan, part === 'changed' ? sites : null)}
            rows={ofKind(part).slice(0, MOST_ROWS)}
            keyOf={({ index }) => index}
          />
        )
      }
    </ImportParts>
  );
};

const FAULT_COLUMNS: Column<FilePlan['faults'][number]>[] = [
  { label: 'In the file', cell: ({ where }) => where },
  { label: 'Site', cell: ({ name }) => name },
  { label: 'What to correct', isBare: true, cell: ({ message }) => message },
];

const LABELS: Partial<Record<string, string>> = {
  marginM: 'margin',
  openingHours: 'opening hours',
  shape: 'place',
};

/** @param known the sites that are changed; null: new and unchanged ones are listed, with their place */
const toSiteColumns = (plan: FilePlan, known: readonly Site[] | null): Column<PlannedSite>[] => [
  { label: 'Site', name: ({ site }) => site.name, small: ({ site }) => SITE_KIND_LABELS[site.kind] },
  known === null
    ? { label: 'Place', cell: ({ site }) => shapeText(site.shape) }
    : {
        label: 'Change',
        cell: ({ site }) =>
          Object.entries(
            siteChanges(
              known.find(({ name }) => name === site.name)!,
              site,
            ),
          ).map(([property, { before, after }]) => (
            <div key={property}>
              {LABELS[property] ?? property}: {before || 'none'} → <b>{after || 'none'}</b>
            </div>
          )),
      },
  { label: 'In the file', cell: ({ index }) => plan.where[index]! },
];
