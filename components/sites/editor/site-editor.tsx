import { Button } from '@mantine/core';
import type { Map as LeafletMap } from 'leaflet';
import { Suspense, useMemo, useState } from 'react';
import { useUsdot, useViewStore } from '@/components/fleet-state/fleet-context';
import { useHoldReload } from '@/components/fleet-state/newer-build';
import { MapNote, Part, Side, SideHead } from '@/components/kit/split';
import { useAnnounce } from '@/components/ui/announcer';
import { SMALL_BUTTON } from '@/components/ui/mantine-theme';
import { useEscape } from '@/components/ui/shortcuts';
import { onDemand } from '@/components/ui/popup/on-demand';
import type { MapTiles } from '@/lib/map/schema';
import type { NamedPlace } from '@/lib/gazetteer/place';
import { wrapLng } from '@/lib/geo/geodesy';
import { boundsOf } from '@/lib/rules/geofence';
import { centerOf } from '@/lib/rules/polygon';
import { useSiteChanges } from '@/lib/sites/page-queries';
import type { Site, SiteInput, SiteShape } from '@/lib/rules/site';
import { DeleteSite } from '../delete-site';
import { boundsOfShapes } from '../site-bounds';
import { SitesMap } from '../sites-map';
import { NEW_SITE, SiteForm } from './site-form';
import type { DrawTool } from './shape-editor';
import type { FirstShapes } from './shape-fields';
import styles from './editor.module.css';

const shapeOverlay = onDemand(() => import('./shape-editor').then(({ ShapeOverlay }) => ShapeOverlay));

/** Where numbers begin without a map that was moved: Amarillo, in the middle of the interstates. */
const FIRST_CENTER = { lat: 35.2, lng: -101.83 };
const FIRST_RADIUS_M = 150;

const HINTS: Record<DrawTool, string> = {
  circle: 'Click or tap the center, then the edge. Escape cancels.',
  polygon: 'Click or tap each corner, then the first one again. Escape cancels.',
};

interface SiteEditorProps {
  /** Null: a new site. */
  site: Site | null;
  /** A shape and a name to begin with. */
  suggestion?: Partial<SiteInput>;
  sites: readonly Site[];
  tiles: MapTiles | null;
  onDone: (id: number | null) => void;
}

/** The shape that is being drawn or typed. */
const useDraft = (begin: SiteShape | null) => {
  const [shape, setShape] = useState(begin);
  // The map goes to a town and to numbers that were entered, and stays where it is for what was drawn on it.
  const [focus, setFocus] = useState(begin);
  const [tool, setTool] = useState<DrawTool | null>(null);
  useEscape(tool !== null, () => setTool(null));
  return {
    shape,
    focus,
    tool,
    setTool,
    onTyped: (typed: SiteShape | null): void => {
      setShape(typed);
      if (typed !== null) setFocus(typed);
    },
    onTown: ({ lat, lng, radiusM }: NamedPlace): void => setFocus({ type: 'circle', lat, lng, radiusM }),
    onDrawn: (drawn: SiteShape): void => {
      setTool(null);
      setShape(drawn);
    },
  };
};

export const SiteEditor = ({ site, suggestion, sites, tiles, onDone }: SiteEditorProps) => {
  const { add, change } = useSiteChanges(useUsdot());
  const announce = useAnnounce();
  const begin = { ...NEW_SITE, ...suggestion, ...site };
  const draft = useDraft(begin.shape ?? null);
  const [color, setColor] = useState(begin.color);
  const [isDeleting, setDeleting] = useState(false);
  const firstShapes = useFirstShapes(draft.shape ?? draft.focus);
  useHoldReload(true);
  const save = async (input: SiteInput): Promise<void> => {
    const saved = await (site === null
      ? add.mutateAsync(input)
      : change.mutateAsync({ ...input, id: site.id }));
    announce(`${saved.name} saved`);
    onDone(saved.id);
  };
  return (
    <>
      <Side aria-labelledby="site-editor" isScrolled>
        <SideHead id="site-editor" title={site === null ? 'Add a site' : `Edit ${site.name}`}>
          {site === null ? null : (
            <Button
              {...SMALL_BUTTON}
              variant="default"
              c="var(--lh-silent-text)"
              onClick={() => setDeleting(true)}
            >
              Delete…
            </Button>
          )}
        </SideHead>
        <Part>
          <SiteForm
            site={begin}
            shape={draft.shape}
            firstShapes={firstShapes}
            tool={draft.tool}
            action={site === null ? 'Add site' : 'Save'}
            onTool={draft.setTool}
            onTown={draft.onTown}
            onShape={draft.onTyped}
            onColor={setColor}
            onCancel={() => onDone(null)}
            send={save}
          />
        </Part>
      </Side>
      <EditorMap site={site} sites={sites} tiles={tiles} color={color} {...draft} />
      {isDeleting && site !== null ? (
        <DeleteSite site={site} onClose={() => setDeleting(false)} onDeleted={() => onDone(null)} />
      ) : null}
    </>
  );
};

const toDegrees = (value: number): number => Math.round(value * 1e5) / 1e5;

/** A circle and a square about what was drawn or chosen on the map, else in the middle of the live map as it was left. */
const useFirstShapes = (chosen: SiteShape | null): FirstShapes => {
  const { camera } = useViewStore().read();
  const { lat, lng } = chosen === null ? (camera ?? FIRST_CENTER) : centerOf(chosen);
  const circle = {
    type: 'circle',
    lat: toDegrees(lat),
    lng: toDegrees(lng),
    radiusM: FIRST_RADIUS_M,
  } as const;
  const [south, west, north, east] = boundsOf(circle).map(toDegrees) as [number, number, number, number];
  return {
    circle,
    polygon: {
      type: 'polygon',
      corners: [
        [north, wrapLng(west)],
        [north, wrapLng(east)],
        [south, wrapLng(east)],
        [south, wrapLng(west)],
      ],
    },
  };
};

type EditorMapProps = Pick<SiteEditorProps, 'site' | 'sites' | 'tiles'> &
  Pick<ReturnType<typeof useDraft>, 'shape' | 'focus' | 'tool' | 'onDrawn'> & { color: string };

const EditorMap = ({ site, sites, tiles, shape, focus, tool, color, onDrawn }: EditorMapProps) => {
  const shown = useMemo(() => ({ sites, hiddenId: site?.id ?? null }), [sites, site]);
  const bounds = useMemo(() => (focus === null ? null : boundsOfShapes([focus])), [focus]);
  const render = (map: LeafletMap) => (
    <Suspense>
      <shapeOverlay.Part map={map} shape={shape} tool={tool} color={color} onChange={onDrawn} />
    </Suspense>
  );
  return (
    <div className={styles.mapOfEditor}>
      <SitesMap sites={shown} bounds={bounds} tiles={tiles} name="the site" render={render}>
        {tool === null ? null : <MapNote role="status">{HINTS[tool]}</MapNote>}
      </SitesMap>
    </div>
  );
};
