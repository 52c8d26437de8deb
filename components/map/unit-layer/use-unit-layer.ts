import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import type { Map as LeafletMap } from 'leaflet';
import { UnitLayer, type UnitLayerEvents, type UnitLayerInput } from './unit-layer';

/** The map's unit layer: created once per map, then updated. */
export const useUnitLayer = (
  map: LeafletMap | null,
  input: UnitLayerInput,
  events: UnitLayerEvents,
): RefObject<UnitLayer | null> => {
  const layer = useRef<UnitLayer | null>(null);
  const onPick = useEffectEvent(events.onPick);
  const onHover = useEffectEvent(events.onHover);
  const onSelectedAt = useEffectEvent(events.onSelectedAt);
  const onDrawn = useEffectEvent(events.onDrawn);

  useEffect(() => {
    if (!map) return;
    const added = new UnitLayer({
      onPick: (hit) => onPick(hit),
      onHover: (hit) => onHover(hit),
      onSelectedAt: (at) => onSelectedAt(at),
      onDrawn: (frame) => onDrawn(frame),
    }).addTo(map);
    layer.current = added;
    return () => {
      layer.current = null;
      added.remove();
    };
  }, [map]);

  const { fleet, visible, selectedRow, track, unconfirmed, pace, theme, hasNames, marks } = input;
  useEffect(() => {
    layer.current?.update({ fleet, visible, selectedRow, track, unconfirmed, pace, theme, hasNames, marks });
  }, [map, fleet, visible, selectedRow, track, unconfirmed, pace, theme, hasNames, marks]);

  return layer;
};
