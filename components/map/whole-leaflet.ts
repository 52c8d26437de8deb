import * as leaflet from 'leaflet/src/Leaflet.js';

/** All of Leaflet with the classes of the first map, for parts that load later: their page has leaflet-core.mjs only. */
export const wholeLeaflet: typeof leaflet = { ...leaflet };
// Libraries that add to Leaflet's own object expect it here.
Object.assign(globalThis, { L: wholeLeaflet });

export const { circle, divIcon, marker, polygon, rectangle } = wholeLeaflet;
