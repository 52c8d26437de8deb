import 'leaflet.glify';
import type { Map as LeafletMap } from 'leaflet';
import { createLeafletMap } from './leaflet-map';
import { DEGREES_PER_E5, nextFrame, registerCandidate, type Places } from './candidate';

/** It ships no types that its own build agrees with. */
interface Glify {
  /** `data`: latitude and longitude of each, degrees; `size` in CSS pixels. */
  points(settings: {
    map: LeafletMap;
    data: number[][];
    size: number;
    color: { r: number; g: number; b: number };
  }): Points;
}
interface Points {
  setData(data: number[][]): void;
}

let points: Points;

const toData = ({ latE5, lngE5 }: Places): number[][] =>
  Array.from(latE5, (lat, unit) => [lat * DEGREES_PER_E5, lngE5[unit]! * DEGREES_PER_E5]);

registerCandidate({
  create: async (root, places) => {
    // It adds itself to the global, not to the module.
    const { glify } = (window as unknown as { L: { glify: Glify } }).L;
    const data = toData(places);
    points = glify.points({ map: createLeafletMap(root), data, size: 10, color: { r: 0.1, g: 0.4, b: 0.8 } });
    await nextFrame();
  },
  move: async (places) => {
    points.setData(toData(places));
    await nextFrame();
  },
});
