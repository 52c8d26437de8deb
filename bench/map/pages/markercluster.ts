import { marker } from 'leaflet';
import type * as Leaflet from 'leaflet';
import 'leaflet.markercluster';
import 'leaflet.markercluster/dist/MarkerCluster.css';
import 'leaflet.markercluster/dist/MarkerCluster.Default.css';
import { createLeafletMap } from './leaflet-map';
import { DEGREES_PER_E5, nextFrame, registerCandidate, type Places } from './candidate';

let cluster: Leaflet.MarkerClusterGroup;

/** Its documentation's way to move many: all out, all in again, at once. */
const fill = ({ latE5, lngE5 }: Places): void => {
  cluster.clearLayers();
  cluster.addLayers(
    Array.from(latE5, (lat, unit) => marker([lat * DEGREES_PER_E5, lngE5[unit]! * DEGREES_PER_E5])),
  );
};

registerCandidate({
  create: async (root, places) => {
    // The plugin adds itself to the global, not to the module.
    cluster = (window as unknown as { L: typeof Leaflet }).L.markerClusterGroup({ chunkedLoading: false });
    fill(places);
    createLeafletMap(root).addLayer(cluster);
    await nextFrame();
  },
  move: async (places) => {
    fill(places);
    await nextFrame();
  },
});
