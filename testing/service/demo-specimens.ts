import { SPECIMENS, specimenOf, type Specimen } from '@/service/simulator/specimens';
import { toTruckNumber } from '@/service/simulator/vehicles';

const UNITS = Array.from({ length: 400 }, (_, unit) => unit);
const KINDS = Object.keys(SPECIMENS) as Specimen[];

/** Truck numbers of the default demo fleet by what is wrong with them. */
export const DEMO_SPECIMENS = Object.fromEntries(
  KINDS.map((kind) => [kind, UNITS.filter((unit) => specimenOf(unit) === kind).map(toTruckNumber)]),
) as Record<Specimen, string[]>;
