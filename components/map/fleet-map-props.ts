import type { Ref } from 'react';
import type { Fleet } from '@/lib/wire/fleet';
import type { Status } from '@/lib/wire/status';
import type { TrackPoint } from '@/lib/wire/unit';
import type { Theme } from './palette';

/** A unit in a few words, as the map's hover and lists say it; null where it is not known. */
export interface UnitSummary {
  number: string;
  /** The same with what kind of name it is: "Truck 412", "Plate TX 4107". */
  title: string;
  status: Status;
  headingDeg: number | null;
  flagged: boolean;
  statusWords: string;
  speedWords: string | null;
  placeWords: string | null;
  /** How old its fix is, in a few letters, and as goes after "fix". */
  ageWords: string | null;
  oldWords: string | null;
}

/** Raster tiles over the embedded base map. */
export interface MapTiles {
  url: string;
  attribution: string;
}

/** Where the map looks, in degrees; `bounds` is all that it shows, under a panel too. */
export interface MapView {
  lat: number;
  lng: number;
  zoom: number;
  bounds: { south: number; west: number; north: number; east: number };
}

/** How much of the map's sides a panel or a sheet covers, CSS pixels. */
export interface MapPadding {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export interface FleetMapHandle {
  /** Shows every unit that passes the filter. */
  fitFleet(): void;
  /** Goes to a unit, near enough to see the roads about it. */
  flyToRow(row: number): void;
}

export interface FleetMapProps {
  ref?: Ref<FleetMapHandle>;
  fleet: Fleet | null;
  /** Rows that pass filter and search; null for all. The selected one is shown in any case. */
  visibleRows: ArrayLike<number> | null;
  selectedRow: number | null;
  /** The selected unit's recent fixes, oldest first, and a place that it may have jumped to. */
  track: readonly TrackPoint[] | null;
  doubtful: TrackPoint | null;
  /** Keeps the selected unit in the middle of what is not covered. */
  followed: boolean;
  onSelectRow(row: number | null): void;
  /** The user moved the map away from the followed unit. */
  onFollowEnd(): void;
  onViewChange(view: MapView): void;
  /** Where to begin; null: at the whole fleet, once it is there. */
  initialView: Pick<MapView, 'lat' | 'lng' | 'zoom'> | null;
  /** Raster tiles over the embedded base map; null for none. */
  tilesUrl: string | null;
  /** What their makers ask to be named by: text, with links as HTML. */
  tilesAttribution: string;
  theme: Theme;
  /** The fleet is an old copy, and drawn so: paler, and without its colors once the connection is lost. */
  old: 'delayed' | 'lost' | null;
  padding: MapPadding;
  describe(row: number): UnitSummary;
}
