'use client';

import { Table, NameCell, Small } from '@/components/kit/table';
import { ImportParts } from '@/components/kit/import-dialog';
import type { FilePlan } from '@/lib/sites/files/read-file';
import type { PlannedSite } from '@/lib/sites/files/plan';
import type { Site } from '@/lib/rules/site';
import { SITE_KIND_LABELS } from '@/lib/sites/kinds';
import { shapeText, siteChanges } from '@/lib/sites/text';

const PARTS = {
  faults: 'Errors',
  warnings: 'Warnings',
  added: 'Added',
  changed: 'Changed',
  unchanged: 'Unchanged',
} as const;

/** More rows than anyone reads. */
const MOST_ROWS = 200;

/** The labels of properties in a list of changes. */
const LABELS: Partial<Record<string, string>> = {
  marginM: 'margin',
  openingHours: 'opening hours',
  shape: 'place',
};

interface ImportPreviewProps {
  plan: FilePlan;
  sites: readonly Site[];
}

/** What an import would change, and what is wrong with its file. */
export const ImportPreview = ({ plan, sites }: ImportPreviewProps) => (
  <ImportParts
    labels={PARTS}
    countOf={(part) =>
      part === 'faults' || part === 'warnings'
        ? plan[part].length
        : plan.planned.filter(({ kind }) => kind === part).length
    }
    mostRows={MOST_ROWS}
  >
    {(part) =>
      part === 'faults' || part === 'warnings' ? (
        <Faults label={PARTS[part]} faults={plan[part].slice(0, MOST_ROWS)} />
      ) : (
        <Table
          label={PARTS[part]}
          columns={['Site', part === 'changed' ? 'Change' : 'Place', 'In the file']}
          hasActions={false}
        >
          {plan.planned
            .filter(({ kind }) => kind === part)
            .slice(0, MOST_ROWS)
            .map((planned) => (
              <PlannedRow
                key={planned.index}
                planned={planned}
                where={plan.where[planned.index]!}
                sites={sites}
              />
            ))}
        </Table>
      )
    }
  </ImportParts>
);

const Faults = ({ label, faults }: Pick<FilePlan, 'faults'> & { label: string }) => (
  <Table label={label} columns={['In the file', 'Site', 'What to correct']} hasActions={false}>
    {faults.map(({ where, name, message }) => (
      <tr key={`${where} ${message}`}>
        <td data-head="In the file">{where}</td>
        <td data-head="Site">{name}</td>
        <td>{message}</td>
      </tr>
    ))}
  </Table>
);

interface PlannedRowProps {
  planned: PlannedSite;
  where: string;
  sites: readonly Site[];
}

const PlannedRow = ({ planned: { kind, site }, where, sites }: PlannedRowProps) => {
  const known = kind === 'changed' ? sites.find(({ name }) => name === site.name) : undefined;
  return (
    <tr>
      <NameCell name={site.name}>
        <Small>{SITE_KIND_LABELS[site.kind]}</Small>
      </NameCell>
      {known === undefined ? (
        <td data-head="Place">{shapeText(site.shape)}</td>
      ) : (
        <td data-head="Change">
          {Object.entries(siteChanges(known, site)).map(([property, { before, after }]) => (
            <div key={property}>
              {LABELS[property] ?? property}: {before || 'none'} → <b>{after || 'none'}</b>
            </div>
          ))}
        </td>
      )}
      <td data-head="In the file">{where}</td>
    </tr>
  );
};
