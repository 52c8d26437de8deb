import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import type { Layer, LeafletEvent, Map as LeafletMap } from 'leaflet';

/** A layer of a map, made again for another map or `key` and removed with the component; null before. */
export const useLayer = <L extends Layer>(
  map: LeafletMap | null,
  create: () => L,
  key: unknown = null,
): RefObject<L | null> => {
  const layer = useRef<L | null>(null);
  const make = useEffectEvent(create);
  useEffect(() => {
    if (!map) return;
    const added = make().addTo(map);
    layer.current = added;
    return () => {
      layer.current = null;
      added.remove();
    };
  }, [map, key]);
  return layer;
};

export const useMapEvents = (
  map: LeafletMap | null,
  listeners: Readonly<Record<string, (event: never) => void>>,
): void => {
  const handle = useEffectEvent((event: LeafletEvent) => listeners[event.type]!(event as never));
  const names = Object.keys(listeners).join(' ');
  useEffect(() => {
    const listen = (event: LeafletEvent): void => handle(event);
    map?.on(names, listen);
    return () => void map?.off(names, listen);
  }, [map, names]);
};
