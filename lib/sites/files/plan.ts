import { SITE_COLORS } from '../palette';
import { DEFAULT_MARGIN_M, type Site, type SiteInput } from '@/lib/rules/site';
import type { ImportedSite } from '../schema';
import { siteChanges } from '../text';

/** The change that an import makes of a site of a file. */
export interface PlannedSite {
  /** Index in the file. */
  index: number;
  kind: 'added' | 'changed' | 'unchanged';
  site: SiteInput;
}

const toSite = (imported: ImportedSite, known: SiteInput | undefined): SiteInput => {
  const kind = imported.kind ?? known?.kind ?? 'other';
  return {
    name: imported.name,
    kind,
    color: imported.color ?? known?.color ?? SITE_COLORS[kind],
    notes: imported.notes ?? known?.notes ?? '',
    openingHours: imported.openingHours === undefined ? (known?.openingHours ?? null) : imported.openingHours,
    marginM: imported.marginM ?? known?.marginM ?? DEFAULT_MARGIN_M,
    shape: imported.shape,
  };
};

/** The changes that an import would make, by the names of the sites that are there. */
export const planImport = (imported: readonly ImportedSite[], existing: readonly Site[]): PlannedSite[] => {
  const byName = new Map(existing.map((site) => [site.name, site]));
  return imported.map((each, index) => {
    const known = byName.get(each.name);
    const site = toSite(each, known);
    if (known === undefined) return { index, kind: 'added', site };
    const isChanged = Object.keys(siteChanges(known, site)).length > 0;
    return { index, kind: isChanged ? 'changed' : 'unchanged', site };
  });
};
