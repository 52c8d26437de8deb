import type { Interstate } from './interstate';
import { SOUTH_NORTH_APPALACHIANS } from './south-north-appalachians';
import { SOUTH_NORTH_ATLANTIC } from './south-north-atlantic';
import { SOUTH_NORTH_DIXIE } from './south-north-dixie';
import { SOUTH_NORTH_MISSISSIPPI } from './south-north-mississippi';
import { SOUTH_NORTH_NEW_ENGLAND } from './south-north-new-england';
import { SOUTH_NORTH_PACIFIC } from './south-north-pacific';
import { SOUTH_NORTH_PIEDMONT } from './south-north-piedmont';
import { SOUTH_NORTH_PLAINS } from './south-north-plains';
import { SOUTH_NORTH_ROCKIES } from './south-north-rockies';
import { WEST_EAST_CASCADES } from './west-east-cascades';
import { WEST_EAST_DIXIE } from './west-east-dixie';
import { WEST_EAST_GREAT_LAKES } from './west-east-great-lakes';
import { WEST_EAST_GULF } from './west-east-gulf';
import { WEST_EAST_LINCOLN } from './west-east-lincoln';
import { WEST_EAST_MIDLAND } from './west-east-midland';
import { WEST_EAST_NORTHERN } from './west-east-northern';
import { WEST_EAST_OHIO } from './west-east-ohio';
import { WEST_EAST_ROUTE_66 } from './west-east-route-66';
import { WEST_EAST_SOUTH_ATLANTIC } from './west-east-south-atlantic';

/**
 * The main interstates of the contiguous United States, drawn by hand and within a few kilometres of the
 * pavement: close enough for a map of the whole country and for a simulated truck, too coarse to drive by.
 */
export const INTERSTATES: readonly Interstate[] = [
  ...WEST_EAST_GULF,
  ...WEST_EAST_DIXIE,
  ...WEST_EAST_SOUTH_ATLANTIC,
  ...WEST_EAST_ROUTE_66,
  ...WEST_EAST_OHIO,
  ...WEST_EAST_MIDLAND,
  ...WEST_EAST_LINCOLN,
  ...WEST_EAST_CASCADES,
  ...WEST_EAST_NORTHERN,
  ...WEST_EAST_GREAT_LAKES,
  ...SOUTH_NORTH_PACIFIC,
  ...SOUTH_NORTH_ROCKIES,
  ...SOUTH_NORTH_PLAINS,
  ...SOUTH_NORTH_MISSISSIPPI,
  ...SOUTH_NORTH_APPALACHIANS,
  ...SOUTH_NORTH_DIXIE,
  ...SOUTH_NORTH_PIEDMONT,
  ...SOUTH_NORTH_ATLANTIC,
  ...SOUTH_NORTH_NEW_ENGLAND,
];
