import { UnitLayer } from '@/components/map/unit-layer/unit-layer';
import type { Fleet } from '@/lib/wire/fleet';
import type { Map as LeafletMap } from 'leaflet';
import { checkDeclutter, type DeclutterCheck } from './check-declutter';
import { createLeafletMap } from './leaflet-map';
import { createPageFleet, moveFleet } from './page-fleet';
import { DEGREES_PER_E5, nextFrame, registerCandidate, type Places } from './candidate';

declare global {
  interface Window {
    layer: {
      /** Milliseconds that finding what lies under a pointer takes, at many places of the map. */
      look(
        event: 'click' | 'mousemove',
        times: number,
      ): { tookMs: number[]; found: number; mostUnits: number };
      remove(): void;
      /** Lets go of the layer that was removed, so that its memory is free. */
      release(): void;
      /** Adds the layer again; returns milliseconds until its first frame. */
      addAgain(): Promise<number>;
      /** The same when the page had drawn nothing yet. */
      readFirstDrawMs(): number;
      checkDeclutter(zoom: number): DeclutterCheck;
    };
  }
}

let map: LeafletMap;
let fleet: Fleet;
let layer: UnitLayer | null = null;
let firstDrawMs = NaN;
let found = 0;
let mostUnits = 0;
let [before, now]: (Places | null)[] = [null, null];

const takeHit = (hit: { rows: number[] } | null): void => {
  if (hit) found++;
  mostUnits = Math.max(mostUnits, hit?.rows.length ?? 0);
};

const show = (): void =>
  layer?.update({
    fleet,
    visible: null,
    selectedRow: null,
    track: null,
    unconfirmed: null,
    pace: 1,
    theme: 'light',
    hasNames: true,
  });

/** Milliseconds from a fleet in memory to its first frame. */
const add = async (): Promise<number> => {
  const beganAtMs = performance.now();
  layer = new UnitLayer({
    onPick: takeHit,
    onHover: takeHit,
    onSelectedAt: () => undefined,
    onDrawn: () => undefined,
  });
  layer.addTo(map);
  show();
  await nextFrame();
  return performance.now() - beganAtMs;
};

registerCandidate({
  create: async (root, places) => {
    map ??= createLeafletMap(root);
    now = places;
    fleet = createPageFleet(places);
    firstDrawMs = await add();
  },
  move: async (places) => {
    [before, now] = [now, places];
    fleet = moveFleet(fleet, places);
    show();
    await nextFrame();
  },
});

window.layer = {
  look: (event, times) => {
    [found, mostUnits] = [0, 0];
    const { x: width, y: height } = map.getSize();
    const tookMs = Array.from({ length: times }, (_, i) => {
      // Steps that share no factor with the size: places all over the map.
      const containerPoint = { x: (i * 617) % width, y: (i * 389) % height };
      const beganAtMs = performance.now();
      map.fire(event, { containerPoint, originalEvent: { pointerType: 'mouse' } });
      return performance.now() - beganAtMs;
    });
    return { tookMs, found, mostUnits };
  },
  remove: () => void layer?.remove(),
  release: () => {
    layer = null;
  },
  addAgain: add,
  readFirstDrawMs: () => firstDrawMs,
  checkDeclutter: (zoom) => {
    if (!before || !now) throw new Error('Move the fleet before its two frames are compared.');
    // About a unit, so that there is something in view at any zoom.
    const middle = Math.floor(now.latE5.length / 2);
    const at = { lat: before.latE5[middle]! * DEGREES_PER_E5, lng: before.lngE5[middle]! * DEGREES_PER_E5 };
    return checkDeclutter(before, now, zoom, at);
  },
};
