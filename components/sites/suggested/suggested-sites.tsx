import { Button, Group } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Answered } from '@/components/kit/full-page';
import { Part, Side, SideHead } from '@/components/kit/split';
import { BareButton } from '@/components/ui/bare-button';
import { SMALL_BUTTON } from '@/components/ui/mantine-theme';
import { useAnnounce } from '@/components/ui/announcer';
import { store, useStored } from '@/components/ui/use-stored';
import { ProblemNote } from '@/components/ui/problem-note';
import { usePlaces } from '@/components/ui/use-places';
import { fromStored } from '@/lib/browser/from-stored';
import type { MapTiles } from '@/lib/map/schema';
import { useSiteChanges, useSuggestedSites } from '@/lib/sites/page-queries';
import { SITE_PALETTE } from '@/lib/sites/palette';
import type { Site, SiteInput } from '@/lib/rules/site';
import { LEAST_STOPS, LEAST_STOP_MIN, NEAR_M, WIDEST_M, type Suggestions } from '@/lib/sites/answers';
import { formatCount, formatDuration, formatWhole } from '@/lib/view/format';
import { list, text } from '@/lib/base/shape';
import { METERS_PER_FOOT } from '@/lib/geo/units';
import { boundsOfShapes } from '../site-bounds';
import { SitesMap } from '../sites-map';
import { openTask } from '../use-site-address';
import { toPlaceKey, toProposed, type Proposed } from './proposed';
import styles from '../sites.module.css';
import { DAY_MS } from '@/lib/base/time';

/** Where suggested places are on the map together with sites. */
const PLACE_COLOR = SITE_PALETTE.Amber;

interface SuggestedSitesProps {
  sites: readonly Site[];
  tiles: MapTiles | null;
  onEdit: (site: SiteInput) => void;
}

/** Places where the fleet stopped often and that are no site yet: each becomes one in a click. */
export const SuggestedSites = ({ sites, tiles, onEdit }: SuggestedSitesProps) => {
  const usdot = useUsdot();
  const query = useSuggestedSites(usdot);
  const { data } = query;
  const placeAt = usePlaces();
  const hiddenKey = `linehaul-hidden-places-${usdot}`;
  const stored = useStored(hiddenKey);
  const hidden = useMemo(() => fromStored(stored, list(text).accepts, []), [stored]);
  const setHidden = (keys: readonly string[]): void => void store(hiddenKey, JSON.stringify(keys));
  const [hovered, setHovered] = useState<number | null>(null);
  const proposed = useMemo(() => {
    const places = data?.places.filter((place) => !hidden.includes(toPlaceKey(place))) ?? [];
    return toProposed(places, sites, placeAt);
  }, [data, hidden, sites, placeAt]);
  const bounds = useMemo(() => boundsOfShapes(proposed.map(({ site }) => site.shape)), [proposed]);
  // A place has no id: a negative one is no site's.
  const shown = useMemo(
    () => [...sites, ...proposed.map(({ site }, index) => ({ ...site, color: PLACE_COLOR, id: -1 - index }))],
    [sites, proposed],
  );
  return (
    <>
      <Side aria-labelledby="suggested">
        <SideHead id="suggested" title="Suggested sites">
          <Button {...SMALL_BUTTON} variant="default" onClick={() => openTask({ kind: 'list' })}>
            Back to the list
          </Button>
        </SideHead>
        <Answered query={query} failure="No suggestions" loading={LOADING}>
          {(suggestions) => (
            <>
              <Explanation data={suggestions} count={proposed.length} />
              <Places
                proposed={proposed}
                onEdit={onEdit}
                onHover={setHovered}
                onHide={(key) => setHidden([...hidden, key])}
              />
              {hidden.length === 0 ? null : (
                <Part>
                  {formatCount(hidden.length, 'place')} hidden in this browser.{' '}
                  <BareButton className="lh-link" onClick={() => setHidden([])}>
                    Show again
                  </BareButton>
                </Part>
              )}
            </>
          )}
        </Answered>
      </Side>
      <SitesMap
        sites={{ sites: shown, highlightedId: hovered === null ? null : -1 - hovered }}
        bounds={bounds}
        tiles={tiles}
        name="all places"
      />
    </>
  );
};

const LOADING = <Part role="status">Reading the stops of the last two weeks…</Part>;

const Explanation = ({ data, count }: { data: Suggestions; count: number }) => {
  const days = Math.round((data.toMs - data.fromMs) / DAY_MS);
  const [near, widest] = [NEAR_M, WIDEST_M].map(
    (meters) => `${formatWhole(Math.round(meters / METERS_PER_FOOT / 10) * 10)} ft`,
  );
  return (
    <Part className="lh-dim">
      <p role="status">
        <b>{count === 0 ? 'No place is suggested.' : formatCount(count, 'place')}</b>
      </p>
      <p>
        Places at no site where your trucks stopped at least {LEAST_STOPS} times in the last {days} days. A
        stop counts from {LEAST_STOP_MIN} minutes on. Stops within {near} of each other are one place; a place
        that would be wider than {widest} is divided where the stops are densest.
      </p>
    </Part>
  );
};

interface PlacesProps extends Pick<SuggestedSitesProps, 'onEdit'> {
  proposed: readonly Proposed[];
  onHover: (index: number | null) => void;
  onHide: (key: string) => void;
}

const Places = ({ proposed, onHover, ...actions }: PlacesProps) => (
  <div className={`lh-scroll ${styles.places}`} role="region" aria-label="Suggested places" tabIndex={0}>
    <ul className="lh-list">
      {proposed.map((each, index) => (
        <li
          key={toPlaceKey(each.place)}
          className={`lh-row ${styles.place}`}
          onPointerEnter={() => onHover(index)}
          onPointerLeave={() => onHover(null)}
          onFocus={() => onHover(index)}
        >
          <Place {...each} {...actions} />
        </li>
      ))}
    </ul>
  </div>
);

type PlaceProps = Proposed & Omit<PlacesProps, 'proposed' | 'onHover'>;

/** One place. It is being added until the suggestions are read without it. */
const Place = ({ place, site, placeName, onEdit, onHide }: PlaceProps) => {
  const { add } = useSiteChanges(useUsdot());
  const announce = useAnnounce();
  // The place may be gone from the list before the suggestions are read.
  const addSite = (): Promise<void> =>
    add.mutateAsync(site).then(
      ({ name }) => announce(`${name} added`),
      () => undefined,
    );
  return (
    <>
      <b>{placeName ?? '…'}</b>
      <span className="lh-note">
        {formatCount(place.stops, 'stop')} · {formatCount(place.units, 'truck')} · usually{' '}
        {formatDuration(place.medianMs)}
      </span>
      {add.error === null ? null : <ProblemNote role="alert">{add.error.message}</ProblemNote>}
      <Group gap={8} mt={6}>
        <Button
          {...SMALL_BUTTON}
          aria-label={`Add ${site.name}`}
          loading={add.isPending}
          disabled={placeName === null}
          onClick={() => void addSite()}
        >
          Add
        </Button>
        <Button
          variant="default"
          {...SMALL_BUTTON}
          aria-label={`Edit and add ${site.name}`}
          disabled={add.isPending}
          onClick={() => onEdit(site)}
        >
          Edit and add
        </Button>
        <Button
          variant="subtle"
          {...SMALL_BUTTON}
          aria-label={`Hide ${site.name}`}
          onClick={() => onHide(toPlaceKey(place))}
        >
          Hide
        </Button>
      </Group>
    </>
  );
};
