import 'leaflet/dist/leaflet.css';
import { createElement, memo, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { CircleMarker, MapContainer } from 'react-leaflet';
import {
  DEGREES_PER_E5,
  UNITED_STATES,
  nextFrame,
  registerCandidate,
  type Places,
  type Candidate,
} from './candidate';

/** One react-leaflet component a unit, as its documentation shows it. */
const createCandidate = (): Candidate => {
  let show: (places: Places) => void = () => undefined;
  let whenShown: () => void = () => undefined;

  const Units = memo(function Units({ places: { latE5, lngE5 } }: { places: Places }) {
    return [...latE5].map((lat, unit) =>
      createElement(CircleMarker, {
        key: unit,
        center: [lat * DEGREES_PER_E5, lngE5[unit]! * DEGREES_PER_E5],
        radius: 5,
      }),
    );
  });

  const Page = ({ first }: { first: Places }) => {
    const [places, setPlaces] = useState(first);
    useEffect(() => {
      show = setPlaces;
      whenShown();
    }, [places]);
    const options = {
      center: UNITED_STATES,
      zoom: UNITED_STATES.zoom,
      preferCanvas: true,
      zoomControl: false,
      attributionControl: false,
    };
    return createElement(MapContainer, options, createElement(Units, { places }));
  };

  const untilShown = async (begin: () => void): Promise<void> => {
    await new Promise<void>((resolve) => {
      whenShown = resolve;
      begin();
    });
    await nextFrame();
  };
  return {
    create: (root, first) => untilShown(() => createRoot(root).render(createElement(Page, { first }))),
    move: (places) => untilShown(() => show(places)),
  };
};

registerCandidate(createCandidate());
