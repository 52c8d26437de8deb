import { useCallback, useEffect, useRef, useState } from 'react';
import { readMapState } from '@/lib/map/queries';
import type { MapTiles, StreetMap } from '@/lib/map/schema';
import type { RasterView } from '../raster/raster-state';
import { watchSource } from '../raster/source-watch';

/**
 * The street map, where the page has one and while it can be read, and what is shown of it. `onTile` takes the result
 * of each of its tiles.
 */
export const useStreets = (tiles: MapTiles | null) => {
  const [streets, setStreets] = useState<StreetMap | null>(null);
  const [view, setView] = useState<RasterView>('none');
  const watch = useRef<ReturnType<typeof watchSource> | null>(null);
  const hasStreets = tiles?.kind === 'streets';

  useEffect(() => {
    if (!hasStreets) return;
    let found: StreetMap | null = null;
    const started = watchSource({
      probe: async () => {
        found = (await readMapState())?.streets ?? null;
        return found !== null;
      },
      onUsable: (isUsable) => setStreets(isUsable ? found : null),
      onView: setView,
    });
    watch.current = started;
    return () => {
      watch.current = null;
      started.stop();
      setStreets(null);
      setView('none');
    };
  }, [hasStreets]);

  const onTile = useCallback((event: 'loaded' | 'failed') => watch.current?.take(event), []);
  return { streets, view, onTile };
};
