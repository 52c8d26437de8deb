import { createElement } from 'react';
import { CircleMarker } from 'react-leaflet';
import { createReactLeafletSubject } from './react-leaflet-subject';
import { registerSubject } from './subject';

registerSubject(
  createReactLeafletSubject(
    (unit, lat, lng) => createElement(CircleMarker, { key: unit, center: [lat, lng], radius: 5 }),
    true,
  ),
);
