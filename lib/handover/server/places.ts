import 'server-only';
import { readFile } from 'node:fs/promises';
import { UNNAMED, createPlaces, type PlaceTable } from '@/lib/gazetteer/place';
import type { LatLng } from '@/lib/geo/units';

/** Names a position as the browser does. */
export type NamePlace = (at: LatLng) => string;

/** Written by the build, for browsers. */
const TABLE_PATH = 'public/places/places.json';

let loaded: Promise<NamePlace> | null = null;

const load = async (): Promise<NamePlace> => {
  const places = createPlaces(JSON.parse(await readFile(TABLE_PATH, 'utf8')) as PlaceTable);
  return (at) => places.describe(at) ?? UNNAMED;
};

/** The table of places, which is read when it is first wanted, and again after a failure. */
export const loadPlaces = (): Promise<NamePlace> =>
  (loaded ??= load().catch((error: unknown) => {
    loaded = null;
    throw error;
  }));
