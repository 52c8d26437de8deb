import { parseVin } from './vin';

export interface Maker {
  name: string;
  /** Whether the seventh character of the VIN tells the cycle of its model year: up to 10,000 lb. */
  isLight: boolean;
}

interface MakerEntry {
  names: readonly [string, ...string[]];
  /** World manufacturer identifiers: the first three characters of a VIN. */
  wmis: string;
  isLight?: true;
}

/**
 * Makers of the trucks, vans, buses and trailers in US fleets, from the identifiers that SAE assigned to
 * them. The first name is the one to show; the others are what people and registries (NCIC codes) also
 * write. An identifier under which several marques were sold stands at each of them.
 */
const MAKERS: readonly MakerEntry[] = [
  {
    names: ['Freightliner', 'FRHT', 'FRTL', 'Freight Liner'],
    wmis: '1FU 1FV 2FU 2FV 3AK 3AL 4UZ WDP WDR WDY W2Y',
  },
  { names: ['Kenworth', 'KW'], wmis: '1XK 1NK 2XK 2NK 3WK 3BK' },
  { names: ['Peterbilt', 'PTRB', 'PETE'], wmis: '1XP 1NP 2XP 2NP 3BP' },
  {
    names: ['International', 'INTL', 'Navistar', 'International Harvester'],
    wmis: '1HT 1HS 1HV 2HS 2HT 3HS 3HT 3HA 3HC',
  },
  { names: ['Volvo', 'VOLV', 'Volvo Trucks'], wmis: '4V1 4V2 4V4 4V5 4VA 4VG 4VM 4VZ YV2' },
  { names: ['Mack', 'Mack Trucks'], wmis: '1M1 1M2 1M3' },
  { names: ['Western Star', 'WSTR'], wmis: '5KJ 5KK 2WK 2WL 2WM' },
  { names: ['Sterling', 'STRG'], wmis: '2FW 2FZ' },
  { names: ['Autocar', 'AUTC'], wmis: '5VC' },
  { names: ['Hino'], wmis: '5PV 2AY JHB JHH' },
  { names: ['Isuzu', 'ISU'], wmis: 'JAL JAM 4NU 54D' },
  { names: ['Fuso', 'Mitsubishi Fuso', 'Mitsubishi', 'MIFU'], wmis: 'JL6 JLS' },
  { names: ['Ford', 'Ford Motor'], wmis: '1FB 1FC 1FD 1FT 2FD 2FT 3FD 3FE 3FR 3FT 1F6' },
  { names: ['Ford', 'Ford Motor'], wmis: '1FA 1FM 2FM 3FA 3FM NM0', isLight: true },
  { names: ['Ram', 'Dodge', 'DODG', 'Ram Truck'], wmis: '1C6 3C6 3C7 1D3 1D7 3D3 3D6 3D7 ZFB' },
  { names: ['Dodge', 'Chrysler', 'Ram', 'Jeep', 'DODG', 'CHRY'], wmis: '1C4 2C4 2C7', isLight: true },
  { names: ['GMC', 'GM', 'General Motors'], wmis: '1GT 2GT 3GT 1GD 54D JAL 4KD' },
  { names: ['GMC', 'GM', 'General Motors'], wmis: '1GK 2GK 3GK', isLight: true },
  {
    names: ['Chevrolet', 'Chevy', 'CHEV', 'GM', 'General Motors'],
    wmis: '1GA 1GB 1GC 2GC 3GC 1HA 54D JAL 4KB',
  },
  { names: ['Chevrolet', 'Chevy', 'CHEV', 'GM', 'General Motors'], wmis: '1G1 1GN 2GN 3GN', isLight: true },
  {
    names: ['Mercedes-Benz', 'Mercedes', 'MERZ', 'Sprinter', 'Daimler'],
    wmis: 'WD3 WD4 WDA WDB W1W W1X W1Y',
  },
  { names: ['Dodge', 'Sprinter', 'DODG'], wmis: 'WD0 WD2 WD5 WDP' },
  { names: ['Nissan', 'NISS'], wmis: '1N6 5BZ 3N6' },
  { names: ['Toyota', 'TOYT'], wmis: '3TM 5TB 5TD 5TF', isLight: true },
  { names: ['Tesla', 'TESL'], wmis: '7G2' },
  { names: ['Tesla', 'TESL'], wmis: '5YJ 7SA', isLight: true },
  { names: ['Blue Bird', 'BLUI', 'Bluebird'], wmis: '1BA 1BB 1BD' },
  { names: ['Gillig', 'GIL', 'GILL'], wmis: '15G' },
  { names: ['Thomas', 'Thomas Built', 'Thomas Built Buses', 'THMS'], wmis: '1T7 1T8 4UZ' },
  { names: ['IC Bus', 'IC', 'ICRP', 'International'], wmis: '4DR' },
  { names: ['New Flyer', 'NFLY', 'New Flyer Industries'], wmis: '2FY 5FY' },
  { names: ['MCI', 'Motor Coach Industries'], wmis: '1M8 2MG' },
  { names: ['Prevost', 'Prevost Car', 'PREV'], wmis: '2PC' },
  { names: ['Nova Bus', 'Nova', 'NOVB'], wmis: '4RK 2NV' },
  { names: ['Wabash', 'Wabash National', 'WANC'], wmis: '1JJ' },
  { names: ['Great Dane', 'GDAN', 'Great Dane Trailers'], wmis: '1GR' },
  { names: ['Utility', 'UTIL', 'Utility Trailer'], wmis: '1UY' },
  { names: ['Hyundai Translead', 'Hyundai', 'HYTR', 'Translead'], wmis: '3H3' },
  { names: ['Stoughton', 'STOU', 'Stoughton Trailers'], wmis: '1DW' },
  { names: ['Vanguard', 'Vanguard National', 'VANG'], wmis: '5V8' },
  { names: ['Strick', 'STRI', 'Strick Trailers'], wmis: '1S1' },
  { names: ['Fontaine', 'FONT', 'Fontaine Trailer'], wmis: '13N' },
  { names: ['Trail King', 'TRKG'], wmis: '1TK' },
  { names: ['Wilson', 'WILX', 'Wilson Trailer'], wmis: '1W1' },
  { names: ['Timpte', 'TIMP'], wmis: '1TD' },
  { names: ['MAC', 'MAC Trailer', 'MACT'], wmis: '5MA' },
];

const toPlain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const BY_WMI = new Map<string, MakerEntry[]>();
for (const entry of MAKERS) {
  for (const wmi of entry.wmis.split(' ')) BY_WMI.set(wmi, [...(BY_WMI.get(wmi) ?? []), entry]);
}

/** The world manufacturer identifier of a VIN: its first three characters (49 CFR 565.15(a)). */
export const wmi = (vin: string): string => vin.slice(0, 3);

/** The makers that a VIN may come from: none where its identifier is not in the table. */
export const readMakers = (vin: string): Maker[] =>
  parseVin(vin) === vin
    ? (BY_WMI.get(wmi(vin)) ?? []).map(({ names, isLight = false }) => ({ name: names[0], isLight }))
    : [];

/** Whether a make as somebody wrote it is this maker: one of its names, alone or followed by more words. */
const isNamed = ({ names }: MakerEntry, make: string): boolean => {
  const plain = toPlain(make);
  return names.some(
    (name) => plain === toPlain(name) || (name.length > 4 && plain.startsWith(toPlain(name))),
  );
};

/** Whether a make as somebody wrote it fits a VIN; null where the table knows the VIN or the make not well enough. */
export const isMakeOf = (vin: string, make: string): boolean | null => {
  const entries = BY_WMI.get(wmi(vin));
  if (entries === undefined) return null;
  if (entries.some((entry) => isNamed(entry, make))) return true;
  return MAKERS.some((entry) => isNamed(entry, make)) ? false : null;
};
