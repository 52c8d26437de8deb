import type { Map as LeafletMap } from 'leaflet';
import type { ReactNode, Ref } from 'react';
import type { MapTiles } from '@/lib/map/schema';
import type { Site } from '@/lib/rules/site';
import type { Fleet } from '@/lib/wire/fleet';
import type { UnitDetail } from '@/lib/wire/unit';
import type { LatLng } from '@/lib/geo/units';
import type { TailMinutes } from '@/lib/view/view-state';
import type { Mark } from './names/shown-names';
import type { UnitSummary } from './unit-summary';
import type { Bounds } from '@/lib/geo/geodesy';

/** Where the map looks, in degrees; `bounds` is all that it shows, under a panel too. */
export interface MapView {
  lat: number;
  lng: number;
  zoom: number;
  bounds: Bounds;
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
  fit(bounds: Bounds): void;
  /** Goes to a view at once, unless it is there. */
  goTo(view: Pick<MapView, 'lat' | 'lng' | 'zoom'>): void;
}

export interface GroundItem {
  label: string;
  run(at: LatLng): void;
}

export interface MapSites {
  sites: readonly Site[];
  /** The site with a strong outline. */
  highlightedId?: number | null;
  /** A site that is drawn otherwise. */
  hiddenId?: number | null;
  /** A click on a site; absent: clicks are for units. */
  onPick?: (id: number) => void;
}

export interface FleetMapProps {
  ref?: Ref<FleetMapHandle>;
  fleet: Fleet | null;
  /** Rows that pass filter and search; null for all. The selected one is shown in any case. */
  visibleRows?: ArrayLike<number> | null;
  /** The rows that "fit" and the first view show; null or absent: all visible ones. */
  fittedRows?: readonly number[] | null;
  selectedRow?: number | null;
  /** The selected unit's recent fixes, oldest first, and a position that it may have jumped to. */
  detail?: Pick<UnitDetail, 'track' | 'unconfirmed'> | null;
  /** How far back the tails of all units in view reach, minutes; null: there are none. */
  tails?: TailMinutes | null;
  /** Null: no sites are shown. */
  sites?: MapSites | null;
  /** How many times faster than life units glide, by default 1; 0: they jump. */
  pace?: number;
  /** Keeps the selected unit in the center of the uncovered part. */
  followed?: boolean;
  onSelectRow?(row: number | null): void;
  /** The user moved the map away from the followed unit. */
  onFollowEnd?(): void;
  onViewChange?(view: MapView): void;
  /** Where to begin; null: at the whole fleet, once it is there. */
  initialView?: Pick<MapView, 'lat' | 'lng' | 'zoom'> | null;
  /** What is shown until then; left out: the contiguous states. */
  initialBounds?: Bounds | null;
  tiles: MapTiles | null;
  padding: MapPadding;
  describe(row: number): UnitSummary;
  buttons?: ReactNode;
  overlay?: MapOverlay;
  pin?: LatLng | null;
  /** The map is only looked at: it has no controls, and does not move by hand. */
  isDisplay?: boolean;
  /** Clicks on the map measure, until `onEnd`. */
  measuring?: { onEnd(): void } | null;
  /** The menu of a place, opened by the right button or a long press; left out: none. */
  groundItems?: readonly GroundItem[];
}

export interface MapOverlay {
  /** Names it for the map and its controls: "the whole day". */
  name: string;
  /** What "fit" shows instead of the fleet; null while there is nothing. */
  bounds: Bounds | null;
  /** How near "fit" goes; absent: as near as to a lone unit. */
  maxZoom?: number;
  /** Where it draws marks: no name of the map is drawn below one. The same list while they stay. */
  marks?: readonly Mark[];
  render(map: LeafletMap): ReactNode;
}
