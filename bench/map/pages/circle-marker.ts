import { createElement } from 'react';
import { CircleMarker } from 'react-leaflet';
import { createReactLeafletCandidate } from './react-leaflet-candidate';
import { registerCandidate } from './candidate';

registerCandidate(
  createReactLeafletCandidate(
    (unit, lat, lng) => createElement(CircleMarker, { key: unit, center: [lat, lng], radius: 5 }),
    true,
  ),
);
