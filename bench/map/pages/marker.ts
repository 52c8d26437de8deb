import { Icon } from 'leaflet';
import { createElement } from 'react';
import { Marker } from 'react-leaflet';
import { createReactLeafletCandidate } from './react-leaflet-candidate';
import { registerCandidate } from './candidate';

const DISC =
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><circle cx="10" cy="10" r="9" fill="#1e64c8"/></svg>';
const icon = new Icon({ iconUrl: `data:image/svg+xml,${encodeURIComponent(DISC)}`, iconSize: [20, 20] });

registerCandidate(
  createReactLeafletCandidate(
    (unit, lat, lng) => createElement(Marker, { key: unit, position: [lat, lng], icon }),
    false,
  ),
);
