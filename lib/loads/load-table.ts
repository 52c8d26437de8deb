import { z } from '@/lib/base/zod';
import type { StopKind } from '@/lib/arrivals/load';
import { addTo } from '@/lib/base/maps';
import { fold } from '@/lib/base/text/text';
import { parseVin } from '@/lib/identity/vin';
import {
  findHeader,
  findRepeatedColumns,
  findSpoiled,
  findWrongLength,
  type Table,
} from '@/lib/table-files/table';
import { isDay } from '@/lib/trips/days';
import type { NamedUnit, TableFault } from '@/lib/table-files/fleet-table';
import {
  MAX_IMPORTED,
  MAX_STOPS,
  importedStopSchema,
  loadInputSchema,
  type ImportedLoad,
  type ImportedStop,
  type StopInput,
} from './schema';
import { parseMoment, toIsoTime } from './times';

const LOAD_FIELDS = ['reference', 'po', 'bol', 'customer', 'truck'] as const;
type LoadField = (typeof LOAD_FIELDS)[number];
const STOP_FIELDS = ['place', 'address', 'lat', 'lng', 'from', 'to', 'freeMin', 'contact', 'phone'] as const;
type StopField = (typeof STOP_FIELDS)[number];

/** The names that columns of a load have. */
const LOAD_COLUMNS: Record<LoadField, readonly string[]> = {
  reference: ['reference', 'load', 'load_number', 'load_no', 'load_id', 'load_reference', 'ref'],
  po: ['po', 'po_number', 'purchase_order'],
  bol: ['bol', 'bol_number', 'bill_of_lading'],
  customer: ['customer', 'customer_name', 'shipper', 'broker'],
  truck: ['truck', 'truck_number', 'truck_no', 'unit', 'unit_number', 'vin', 'tractor'],
};
/** The names that columns of a stop have, behind "pickup_" or "delivery_" where a row is a load. */
const STOP_COLUMNS: Record<StopField, readonly string[]> = {
  place: ['place', 'site', 'name', 'location', 'stop'],
  address: ['address'],
  lat: ['lat', 'latitude'],
  lng: ['lng', 'lon', 'long', 'longitude'],
  from: ['from', 'appointment', 'appointment_from', 'at', 'time', 'start'],
  to: ['to', 'appointment_to', 'until', 'by', 'end'],
  freeMin: ['free_minutes', 'free_min', 'free_time'],
  contact: ['contact', 'contact_name'],
  phone: ['phone', 'contact_phone'],
};
const KIND_COLUMNS = ['kind', 'stop_kind', 'stop_type', 'type'];
const KINDS: Record<string, StopKind> = {
  ...{ pickup: 'pickup', pick_up: 'pickup', pu: 'pickup', p: 'pickup', load: 'pickup' },
  ...{ delivery: 'delivery', deliver: 'delivery', drop: 'delivery', del: 'delivery', d: 'delivery' },
  ...{ other: 'other', stop: 'other', fuel: 'other' },
};
const SIDES = [
  ['pickup', ['pickup', 'pick_up', 'pu', 'origin', 'shipper']],
  ['delivery', ['delivery', 'drop', 'destination', 'consignee']],
] as const;

type Meaning = `load ${LoadField}` | `${StopKind | 'stop'} ${StopField}` | 'kind';

const MEANINGS = new Map<string, Meaning>([
  ...STOP_FIELDS.flatMap((field) =>
    STOP_COLUMNS[field].flatMap((name): [string, Meaning][] => [
      [name, `stop ${field}`],
      ...SIDES.flatMap(([kind, names]) =>
        names.map((side): [string, Meaning] => [`${side}_${name}`, `${kind} ${field}`]),
      ),
    ]),
  ),
  ...SIDES.flatMap(([kind, names]) => names.map((name): [string, Meaning] => [name, `${kind} place`])),
  ...LOAD_FIELDS.flatMap((field) =>
    LOAD_COLUMNS[field].map((name): [string, Meaning] => [name, `load ${field}`]),
  ),
  ...KIND_COLUMNS.map((name): [string, Meaning] => [name, 'kind']),
]);

const meaningOf = (column: string): Meaning | null => MEANINGS.get(column) ?? null;

/** Whether columns are those of a file of loads: references, and something of each load or its stops. */
export const isLoadHeader = (columns: readonly string[]): boolean => {
  const meanings = new Set(columns.map(meaningOf));
  const isOfLoads = (meaning: Meaning | null): boolean =>
    meaning !== null && meaning !== 'load reference' && !meaning.startsWith('stop ');
  return meanings.has('load reference') && [...meanings].some(isOfLoads);
};

/** What the names in a file mean. */
export interface LoadNames {
  units: readonly NamedUnit[];
  sites: readonly { id: number; name: string }[];
  /** A town by its name with its state, or by its ZIP code; null: it is none. */
  findTown: (text: string) => NonNullable<StopInput['place']> | null;
}

/** A load of a file, with the lines of its stops. */
export interface ReadLoad {
  /** Its first line. */
  line: number;
  load: ImportedLoad;
  /** Its truck as it is written; null: the file names none. */
  truck: string | null;
}

type Cells = Partial<Record<Meaning, string>>;
interface Row {
  line: number;
  cells: Cells;
}
type AddFault = (line: number, meaning: Meaning | null, message: string) => void;

const toNumberKey = (number: string): string => fold(number.trim().replace(/^(\d+)\.0+$/, '$1'));

/** Finds the key of a truck by its VIN or number; a text says why there is none. */
const createFindTruck = (units: readonly NamedUnit[]) => {
  const byVin = new Map(units.flatMap((unit) => (unit.vin === null ? [] : [[unit.vin, unit]])));
  return (text: string): { key: string } | string => {
    const ofVin = byVin.get(parseVin(text) ?? '');
    if (ofVin) return { key: ofVin.key };
    const found = units.filter(
      ({ truckNumber }) => truckNumber !== null && toNumberKey(truckNumber) === toNumberKey(text),
    );
    if (found.length === 1) return { key: found[0]!.key };
    return found.length === 0
      ? `no truck of this fleet is ${text}`
      : `more than one truck has the number ${text}; give its VIN`;
  };
};

/** A number of degrees, or of minutes. */
const toNumber = (text: string): number | null => {
  const number = Number(text.replace(',', '.'));
  return text === '' || !Number.isFinite(number) ? null : number;
};

const TIME_OF_DAY = /^\d{1,2}:\d{2}(?::\d{2})?(?:\s*[AP]\.?(?:M\.?)?)?$/i;
/** The zones that are farthest behind and ahead. */
const OUTER_ZONES = ['Etc/GMT+12', 'Etc/GMT-14'];

type TypedAppointment = NonNullable<ImportedStop['appointment']>;

/** The appointment of two cells that are not both empty; else the cell that is no time, or ends before the other begins. */
const readAppointment = (from: string, to: string): TypedAppointment | 'from' | 'to' => {
  const begin = toIsoTime(from || to);
  if (begin === null) return from === '' ? 'to' : 'from';
  // "08:00" behind a day and a time is of the same day, by the same clock.
  const [, day = begin, clock = ''] = /^([\d-]+)T[\d:.]+(.*)$/.exec(begin) ?? [];
  const end = to === '' ? begin : toIsoTime(TIME_OF_DAY.test(to) ? `${day} ${to}${clock}` : to);
  if (end === null) return 'to';
  const times = { from: isDay(begin) ? `${begin}T00:00` : begin, to: isDay(end) ? `${end}T23:59` : end };
  return OUTER_ZONES.some((zone) => parseMoment(times.from, zone)! <= parseMoment(times.to, zone)!)
    ? times
    : 'to';
};

const A_TIME = 'write a time as 2026-03-02 08:00 or 3/2/2026 8:00 AM, the end not before the begin';

type Side = 'pickup' | 'delivery' | 'stop';

/** Reads the stops of rows, and adds to the faults what is wrong with them. */
const createReadStop = ({ sites, findTown }: LoadNames, addFault: AddFault) => {
  const exact = new Map(sites.map((site) => [site.name, site]));
  const folded = new Map<string, (typeof sites)[number][]>();
  for (const site of sites) addTo(folded, fold(site.name), site);
  const findSite = (name: string) => {
    const same = folded.get(fold(name)) ?? [];
    return exact.get(name) ?? (same.length === 1 ? same[0]! : null);
  };
  type Place = Pick<ImportedStop, 'siteId' | 'place'>;

  /** The place of a stop; null: it has a fault. */
  const readPlace = ({ line, cells }: Row, side: Side): Place | null => {
    const cell = (field: StopField): string => cells[`${side} ${field}`]?.trim() ?? '';
    const refuse = (field: StopField, message: string): null => {
      addFault(line, `${side} ${field}`, message);
      return null;
    };
    const name = cell('place');
    if (cell('lat') !== '' || cell('lng') !== '') {
      const [lat, lng] = [toNumber(cell('lat')), toNumber(cell('lng'))];
      if (lat === null || lng === null) return refuse('lat', 'give latitude and longitude in degrees');
      const hasNames = cells[`${side} place`] !== undefined;
      const place = { lat, lng, ...(hasNames && { name: name || cell('address') || `${lat}, ${lng}` }) };
      return { siteId: null, place };
    }
    if (name === '') return refuse('place', 'the stop has no place');
    const site = findSite(name);
    if (site !== null) return { siteId: site.id, place: null };
    const town = findTown(name);
    if (town !== null) return { siteId: null, place: town };
    const hint = 'write its state behind a town, or give latitude and longitude';
    return refuse('place', `no site of the fleet and no town is ${name}; ${hint}`);
  };

  /** A stop by its columns. Undefined: the file has none of it, or it has a fault; null: its cells are empty. */
  return (row: Row, side: Side): ImportedStop | null | undefined => {
    const { line, cells } = row;
    const cellOf = (field: StopField): string | undefined => cells[`${side} ${field}`]?.trim();
    const has = (...fields: StopField[]): boolean => fields.some((field) => cellOf(field) !== undefined);
    if (!has(...STOP_FIELDS)) return undefined;
    const isPlaced = has('place', 'lat', 'lng');
    if (isPlaced && STOP_FIELDS.every((field) => !cellOf(field))) return null;
    const place = isPlaced ? readPlace(row, side) : {};
    const [from, to, free] = [cellOf('from') ?? '', cellOf('to') ?? '', cellOf('freeMin')];
    const appointment = from === '' && to === '' ? null : readAppointment(from, to);
    if (typeof appointment === 'string') addFault(line, `${side} ${appointment}`, A_TIME);
    const freeMin = toNumber(free ?? '');
    if (free && freeMin === null) addFault(line, `${side} freeMin`, 'free time is a number of minutes');
    const parsed = z.safeParse(importedStopSchema, {
      ...{ ...place, address: cellOf('address') },
      ...(has('freeMin') && { freeMin }),
      ...(has('from', 'to') && { appointment: typeof appointment === 'string' ? null : appointment }),
      ...{ contactName: cellOf('contact'), contactPhone: cellOf('phone') },
    });
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0]!;
      addFault(line, `${side} ${FIELD_OF[String(path[0])] ?? 'place'}`, message);
    }
    return place === null ? undefined : parsed.data;
  };
};

const FIELD_OF: Record<string, StopField> = {
  ...{ address: 'address', freeMin: 'freeMin', appointment: 'from', place: 'lat' },
  ...{ contactName: 'contact', contactPhone: 'phone' },
};

/** The rows of a table by what their columns mean; those with a fault are left out. */
const readRows = (table: Table, addFault: AddFault): { rows: Row[] } => {
  const { columns, headerLine, rows } = findHeader(table, isLoadHeader);
  for (const { line, message } of table.broken) addFault(line, null, message);
  for (const [first, other] of findRepeatedColumns(columns, meaningOf))
    addFault(
      headerLine,
      meaningOf(columns[other!]!),
      `the columns ${columns[first!]} and ${columns[other!]} mean the same; delete one`,
    );
  if (!isLoadHeader(columns))
    addFault(
      headerLine,
      null,
      'there is no column reference, or none of what a load has: pickup, delivery, kind, truck, customer, po or bol',
    );
  const read = rows.flatMap(({ line, cells, faults = {} }): Row[] => {
    if (cells.every((cell, at) => cell.trim() === '' && faults[at] === undefined)) return [];
    const length = findWrongLength({ cells }, { columns });
    if (length !== null) {
      addFault(line, null, length);
      return [];
    }
    const row: Row = { line, cells: {} };
    let isGood = true;
    columns.forEach((column, at) => {
      const meaning = meaningOf(column);
      if (meaning === null) return;
      const spoiled = faults[at] ?? findSpoiled(cells[at]!);
      if (spoiled !== null) addFault(line, meaning, spoiled);
      isGood &&= spoiled === null;
      row.cells[meaning] = cells[at]!;
    });
    return isGood ? [row] : [];
  });
  return { rows: read };
};

/** The rows of each load: one, or those of its stops, which follow each other. */
const groupRows = (rows: readonly Row[], isByStop: boolean, addFault: AddFault): Row[][] => {
  const groups = new Map<string, Row[]>();
  let last: string | null = null;
  for (const row of rows) {
    const reference: string = row.cells['load reference']?.trim() || (isByStop ? (last ?? '') : '');
    if (reference === '') addFault(row.line, 'load reference', 'give the load a reference');
    else if (!groups.has(reference)) groups.set(reference, [row]);
    else if (isByStop && reference === last) groups.get(reference)!.push(row);
    else
      addFault(
        row.line,
        'load reference',
        `${reference} is on line ${groups.get(reference)![0]!.line} already`,
      );
    last = reference === '' ? last : reference;
  }
  return [...groups.values()];
};

/** A field of a load from its rows, of which the first one or all have it; undefined: the file has no such column. */
const readField = (rows: readonly Row[], field: LoadField, addFault: AddFault): string | undefined => {
  const meaning = `load ${field}` as const;
  if (rows[0]!.cells[meaning] === undefined) return undefined;
  const value = rows.map(({ cells }) => cells[meaning]!.trim()).find((cell) => cell !== '') ?? '';
  for (const { line, cells } of rows)
    if (!['', value].includes(cells[meaning]!.trim()))
      addFault(line, meaning, `line ${rows[0]!.line} of this load says ${value}`);
  if (field === 'truck') return value;
  const parsed = z.safeParse(loadInputSchema.shape[field], value);
  if (parsed.success) return parsed.data;
  addFault(rows[0]!.line, meaning, parsed.error.issues[0]!.message);
  return '';
};

interface Reading {
  isByStop: boolean;
  readStop: ReturnType<typeof createReadStop>;
  findTruck: ReturnType<typeof createFindTruck>;
  addFault: AddFault;
}

type ListedStop = NonNullable<ImportedLoad['stops']>[number];

const readStopRow = (row: Row, { readStop, addFault }: Reading): ListedStop[] => {
  const said = row.cells.kind?.trim() ?? '';
  const kind = KINDS[said.toLowerCase().replace(/[^a-z]+/g, '_')];
  if (kind === undefined) addFault(row.line, 'kind', `write pickup, delivery or other, not “${said}”`);
  const stop = readStop(row, 'stop');
  if (stop === null) addFault(row.line, 'stop place', 'the stop has no place');
  return kind === undefined ? [] : [{ kind, ...stop }];
};

/** A load whose row has the columns of its pickup or its delivery. */
const readSides = (row: Row, { readStop, addFault }: Reading): Pick<ImportedLoad, 'pickup' | 'delivery'> => {
  const [pickup, delivery] = [readStop(row, 'pickup'), readStop(row, 'delivery')];
  if (pickup === null && delivery === null) addFault(row.line, null, 'the load has no stop');
  return { ...(pickup !== undefined && { pickup }), ...(delivery !== undefined && { delivery }) };
};

/** The load of its rows; what is wrong with it is added to the faults. */
const readLoad = (group: readonly Row[], reading: Reading): ReadLoad => {
  const { isByStop, findTruck, addFault } = reading;
  const { line } = group[0]!;
  const read = (field: LoadField): string | undefined => readField(group, field, addFault);
  const [number, po, bol, customer, truck] = LOAD_FIELDS.map(read);
  const found = truck ? findTruck(truck) : null;
  if (typeof found === 'string') addFault(line, 'load truck', found);
  const stops = isByStop
    ? { stops: group.flatMap((row) => readStopRow(row, reading)) }
    : readSides(group[0]!, reading);
  if (group.length > MAX_STOPS) addFault(line, null, `a load has at most ${MAX_STOPS} stops`);
  const unit = typeof found === 'object' && found !== null ? found.key : null;
  const load: ImportedLoad = {
    ...{ reference: number ?? '', ...stops },
    ...(po !== undefined && { po }),
    ...(bol !== undefined && { bol }),
    ...(customer !== undefined && { customer }),
    ...(truck !== undefined && { unit }),
  };
  return { line, load, truck: truck || null };
};

/** The loads of a file: a row is a load with a pickup and a delivery, or with a column "kind" a stop. */
export const readLoadTable = (
  table: Table,
  names: LoadNames,
): { loads: ReadLoad[]; faults: TableFault[]; warnings: TableFault[] } => {
  const faults: TableFault[] = [];
  const columnOf = new Map<Meaning, string>();
  const addFault: AddFault = (line, meaning, message) => {
    faults.push({ line, column: (meaning && columnOf.get(meaning)) ?? null, message });
  };
  const { columns, names: written, headerLine } = findHeader(table, isLoadHeader);
  for (const column of columns.toReversed()) {
    const meaning = meaningOf(column);
    if (meaning !== null) columnOf.set(meaning, column);
  }
  const { rows } = readRows(table, addFault);
  if (faults.some(({ line }) => line <= headerLine)) return { loads: [], faults, warnings: [] };
  const isByStop = columnOf.has('kind');
  const clashing = [...columnOf].filter(([meaning]) => isByStop && /^(?:pickup|delivery) /.test(meaning));
  if (clashing.length > 0)
    addFault(
      headerLine,
      clashing[0]![0],
      `with the column ${columnOf.get('kind')} each line is a stop; delete ${clashing.map(([, name]) => name).join(', ')}`,
    );
  const left = written.filter((name, at) => {
    const meaning = meaningOf(columns[at]!);
    return name.trim() !== '' && (meaning === null || (!isByStop && meaning.startsWith('stop ')));
  });
  const warnings = left.map((name) => ({
    ...{ line: headerLine, column: name },
    message: 'the column is not read: it has no name of a column of loads',
  }));
  const reading: Reading = {
    ...{ isByStop, addFault },
    readStop: createReadStop(names, addFault),
    findTruck: createFindTruck(names.units),
  };
  const loads = groupRows(rows, isByStop, addFault).map((group) => readLoad(group, reading));
  if (loads.length > MAX_IMPORTED)
    addFault(loads[MAX_IMPORTED]!.line, null, `at most ${MAX_IMPORTED} loads can be imported at once`);
  if (loads.length === 0 && faults.length === 0) addFault(headerLine, null, 'the file has no load');
  faults.sort((a, b) => a.line - b.line);
  return { loads, faults, warnings };
};
