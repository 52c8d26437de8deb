import type { Site } from '@/lib/rules/site';
import { START_MS } from '@/testing/motion/fixes';
import type { UnitFields } from '@/testing/view/fleet';

const DEGREES_PER_M = 1 / 111_195.08;

/** A site with the radius 200 m and the margin 75 m, so many meters north of 35° N, 101° W. */
export const siteOf = (id: number, northM: number, changes: Partial<Site> = {}): Site => ({
  id,
  name: `Site ${id}`,
  kind: 'yard',
  color: '#336699',
  notes: '',
  openingHours: null,
  marginM: 75,
  shape: { type: 'circle', lat: 35 + northM * DEGREES_PER_M, lng: -101, radiusM: 200 },
  ...changes,
});

/** A fix so many minutes after START_MS and meters north of 35° N. */
export interface FixFields extends UnitFields {
  min: number;
  northM: number;
}

/** A unit that was there then. */
export const fixedAt = (key: string, { min, northM, ...rest }: FixFields): UnitFields => ({
  key,
  lat: 35 + northM * DEGREES_PER_M,
  lng: -101,
  fixAtS: START_MS / 1000 + Math.round(min * 60),
  ...rest,
});
