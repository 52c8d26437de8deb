import { formatWhole } from '@/lib/view/format';
import { planImport } from './plan';
import type { PlannedSite } from './plan';
import { MAX_SITES, importedSiteSchema } from '../schema';
import type { ImportedSite, Site } from '../schema';
import type { Candidate } from './candidate';
import { readCsv } from './csv';
import { readGeoJson } from './geojson';
import { readKml } from './kml';

/** What is wrong with a file, and where; '' for the file as a whole. */
export interface FileFault {
  where: string;
  name: string;
  message: string;
}

/** A file of sites: what an import of it would do, or why it cannot be imported. */
export interface FilePlan {
  faults: FileFault[];
  /** In the order of the file; empty if there are faults. */
  planned: PlannedSite[];
  /** What to send. */
  sites: ImportedSite[];
  /** Where each of them is in the file. */
  where: string[];
}

const read = (text: string, defaultRadiusM: number | null): Candidate[] | string => {
  const begin = text.trimStart();
  if (begin.startsWith('PK'))
    return 'The file is packed. Unpack a .kmz, or save a workbook as CSV, and choose that file.';
  if (begin.startsWith('{') || begin.startsWith('[')) return readGeoJson(text, defaultRadiusM);
  return begin.startsWith('<') ? readKml(text, defaultRadiusM) : readCsv(text, defaultRadiusM);
};

const toFaults = ({ site, faults }: Candidate): string[] => {
  if (faults.length > 0) return faults;
  const issues = importedSiteSchema.safeParse(site).error?.issues ?? [];
  return [...new Set(issues.map(({ message }) => message))];
};

const findRepeated = (candidates: readonly Candidate[]): Map<Candidate, string> => {
  const firstOf = new Map<unknown, Candidate>();
  const repeated = new Map<Candidate, string>();
  for (const candidate of candidates) {
    const { name } = candidate.site;
    const first = firstOf.get(name);
    if (first === undefined) firstOf.set(name, candidate);
    else if (name !== '') repeated.set(candidate, `${first.where} has this name too.`);
  }
  return repeated;
};

/**
 * What a text of GeoJSON, KML or CSV would do to the sites of a fleet.
 *
 * @param defaultRadiusM radius of points without one; null: they are a fault
 */
export const planFile = (
  text: string,
  existing: readonly Site[],
  defaultRadiusM: number | null,
): FilePlan => {
  const none = { planned: [], sites: [], where: [] };
  const candidates = read(text, defaultRadiusM);
  const whole = (message: string): FilePlan => ({ faults: [{ where: '', name: '', message }], ...none });
  if (typeof candidates === 'string') return whole(candidates);
  if (candidates.length === 0) return whole('There is no site in the file.');
  const repeated = findRepeated(candidates);
  const faults = candidates.flatMap((candidate) =>
    [...toFaults(candidate), repeated.get(candidate) ?? []]
      .flat()
      .map((message) => ({ where: candidate.where, name: String(candidate.site.name), message })),
  );
  if (faults.length > 0) return { faults, ...none };
  const sites = candidates.map(({ site }) => importedSiteSchema.parse(site));
  const planned = planImport(sites, existing);
  const count = existing.length + planned.filter(({ kind }) => kind === 'added').length;
  if (count > MAX_SITES)
    return whole(
      `The fleet would have ${formatWhole(count)} sites, and at most ${formatWhole(MAX_SITES)} are possible.`,
    );
  return { faults, planned, sites, where: candidates.map(({ where }) => where) };
};
