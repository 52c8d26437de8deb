import 'server-only';
import { readFile } from 'node:fs/promises';
import { createPlaces, type PlaceTable } from '@/lib/gazetteer/place';

/** Written by the build, for browsers. */
const TABLE_PATH = 'public/places/places.json';

let loaded: Promise<ReturnType<typeof createPlaces>> | null = null;

/** The table of places, which is read when it is first wanted, and again after a failure. */
export const loadPlaceTable = (): Promise<ReturnType<typeof createPlaces>> =>
  (loaded ??= readFile(TABLE_PATH, 'utf8').then(
    (text) => createPlaces(JSON.parse(text) as PlaceTable),
    (error: unknown) => {
      loaded = null;
      throw error;
    },
  ));
