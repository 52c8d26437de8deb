import { unzipSync } from 'fflate';
import { decodeText, toPrintable } from '../../identity/text';
import {
  UnreadableFileError,
  ZIP_SIGNATURE,
  findArchiveRefusal,
  findRefusal,
  startsWith,
} from '../../table-files/table';
import { formatWhole } from '@/lib/view/format';
import { planImport, type PlannedSite } from './plan';
import { MAX_SITES, importedSiteSchema, type ImportedSite } from '../schema';
import type { Site } from '@/lib/rules/site';
import type { Candidate, FileDefaults } from './candidate';
import { isSiteHeader, readCsv, readTable, type ReadSites } from './csv';
import { RECORD_SEPARATOR, readGeoJson } from './geojson';
import { readKml } from './kml';

/** A fault of a file, and where it is; '' for the file as a whole. */
interface SiteFileFault {
  where: string;
  name: string;
  message: string;
}

/** A file of sites: what an import of it would do, or why it cannot be imported. */
export interface FilePlan {
  faults: SiteFileFault[];
  /** Possible mistakes; the file can be imported. */
  warnings: SiteFileFault[];
  /** Changes in the order of the file; empty if there are faults. */
  planned: PlannedSite[];
  sites: ImportedSite[];
  /** The place of each of them in the file. */
  where: string[];
}

/** The most that the documents of a KMZ file may unpack to. */
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;

/** A document of KML; macOS adds a file of its own for each, which is none. */
const isKml = (name: string): boolean => /\.kml$/i.test(name) && !/(?:^|\/)(?:\._|__MACOSX\/)/.test(name);

/** The sites of the documents of a KMZ file. */
const readDocuments = (
  documents: readonly (readonly [string, Uint8Array])[],
  defaults: FileDefaults,
): ReadSites | string => {
  const found: ReadSites = { candidates: [], warnings: [] };
  for (const [name, document] of documents) {
    const read = readKml(decodeText(document), defaults);
    if (typeof read === 'string') return documents.length === 1 ? read : `${name}: ${read}`;
    const where = documents.length === 1 ? '' : `${name}, `;
    found.candidates.push(...read.candidates.map((each) => ({ ...each, where: where + each.where })));
    found.warnings.push(...read.warnings.map((warning) => (where === '' ? warning : `${name}: ${warning}`)));
  }
  return found;
};

/** The sites of a packed file: the documents of a KMZ (OGC KML 2.3, annex C), or a sheet of a workbook. */
const readPacked = async (bytes: Uint8Array, defaults: FileDefaults): Promise<ReadSites | string> => {
  const names: string[] = [];
  let unpackedBytes = 0;
  let unpacked: Record<string, Uint8Array>;
  try {
    unpacked = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        names.push(name);
        if (!isKml(name)) return false;
        unpackedBytes += originalSize;
        return unpackedBytes <= MAX_UNPACKED_BYTES;
      },
    });
  } catch {
    return 'The file is a damaged archive. Export it again as KMZ, KML, GeoJSON or CSV.';
  }
  if (names.includes('xl/workbook.xml')) {
    const { readWorkbook } = await import('../../table-files/workbook');
    return readTable(await readWorkbook(bytes, isSiteHeader), defaults);
  }
  const documents = Object.entries(unpacked);
  if (documents.length > 0 && unpackedBytes <= MAX_UNPACKED_BYTES) return readDocuments(documents, defaults);
  const refusal = findArchiveRefusal(names);
  if (refusal !== null) return refusal;
  if (names.some(isKml)) return 'The file unpacks to more than 32 MB. Export fewer places at once.';
  return `The file is an archive without a KML document; it has ${names.slice(0, 3).join(', ') || 'nothing'}. Choose a KMZ, KML, GeoJSON, CSV or Excel file.`;
};

const read = async (bytes: Uint8Array, defaults: FileDefaults): Promise<ReadSites | string> => {
  try {
    if (startsWith(bytes, ZIP_SIGNATURE)) return await readPacked(bytes, defaults);
  } catch (error) {
    if (error instanceof UnreadableFileError) return error.detail;
    throw error;
  }
  const text = decodeText(bytes);
  const begin = (text.startsWith(RECORD_SEPARATOR) ? text.slice(1) : text).trimStart();
  if (/^[{[]/.test(begin) && !begin.startsWith('{\\rtf')) {
    const candidates = readGeoJson(text, defaults);
    return typeof candidates === 'string' ? candidates : { candidates, warnings: [] };
  }
  const isPage = /^<(?:!doctype html|html|table)\b/i.test(begin);
  if (begin.startsWith('<') && !isPage) return readKml(text, defaults);
  return findRefusal(bytes, text) ?? readCsv(text, defaults);
};

const FOUND_CHARACTERS = 60;

const toFoundText = (text: string): string =>
  text.length > FOUND_CHARACTERS
    ? `It has ${formatWhole(text.length)}: “${text.slice(0, FOUND_CHARACTERS)}…”.`
    : `It is “${toPrintable(text)}”.`;

const toFaults = ({ site, faults }: Candidate): string[] => {
  if (faults.length > 0) return faults;
  const issues = importedSiteSchema.safeParse(site).error?.issues ?? [];
  return [
    ...new Set(
      issues.map(({ message, path: [property] }) => {
        const found = site[String(property)];
        return typeof found === 'string' ? `${message} ${toFoundText(found)}` : message;
      }),
    ),
  ];
};

/** A name as it is compared: it is the same however its accents and spaces are written. */
const toPlainName = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ');

/** Gives each site the name of the one that the fleet has already, however the file writes it. */
const matchNames = (candidates: readonly Candidate[], existing: readonly Site[]): void => {
  const known = new Set(existing.map(({ name }) => name));
  const byPlain = new Map(existing.map(({ name }) => [toPlainName(name), name]));
  for (const { site } of candidates) {
    const plain = toPlainName(String(site.name));
    if (!known.has(String(site.name))) site.name = byPlain.get(plain) ?? plain;
  }
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

/** The changes that a file (GeoJSON, KML, KMZ, CSV or an Excel workbook) would make to the sites of a fleet. */
export const planFile = async (
  bytes: Uint8Array,
  existing: readonly Site[],
  defaults: FileDefaults,
): Promise<FilePlan> => {
  const none = { warnings: [], planned: [], sites: [], where: [] };
  const found = await read(bytes, defaults);
  const whole = (message: string): FilePlan => ({ faults: [{ where: '', name: '', message }], ...none });
  if (typeof found === 'string') return whole(found);
  const { candidates } = found;
  if (candidates.length === 0) return whole('There is no site in the file.');
  matchNames(candidates, existing);
  const repeated = findRepeated(candidates);
  const toLines = (toMessages: (candidate: Candidate) => string[]): SiteFileFault[] =>
    candidates.flatMap((candidate) =>
      toMessages(candidate).map((message) => ({
        ...{ where: candidate.where, name: String(candidate.site.name), message },
      })),
    );
  const faults = toLines((candidate) => [...toFaults(candidate), repeated.get(candidate) ?? []].flat());
  if (faults.length > 0) return { faults, ...none };
  const sites = candidates.map(({ site }) => importedSiteSchema.parse(site));
  const planned = planImport(sites, existing);
  const count = existing.length + planned.filter(({ kind }) => kind === 'added').length;
  if (count > MAX_SITES)
    return whole(
      `The fleet would have ${formatWhole(count)} sites, and at most ${formatWhole(MAX_SITES)} are possible.`,
    );
  const warnings = [
    ...found.warnings.map((message) => ({ where: '', name: '', message })),
    ...toLines((candidate) => candidate.warnings),
  ];
  return { faults, warnings, planned, sites, where: candidates.map(({ where }) => where) };
};
