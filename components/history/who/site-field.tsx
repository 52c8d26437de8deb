import { Group } from '@mantine/core';
import type { Site } from '@/lib/rules/site';
import styles from './who.module.css';

/** Chooses a site of the fleet in place of an area. */
export const SiteField = ({
  sites,
  siteId,
  onChoose,
}: {
  sites: readonly Site[];
  siteId: number | null;
  onChoose: (siteId: number | null) => void;
}) =>
  sites.length === 0 ? null : (
    <Group gap={8} wrap="nowrap" c="dimmed">
      <span className="lh-nowrap" aria-hidden="true">
        Site
      </span>
      <select
        className={`lh-select ${styles.site}`}
        aria-label="Site"
        value={siteId ?? ''}
        onChange={({ target }) => onChoose(target.value === '' ? null : Number(target.value))}
      >
        <option value="">Choose a site</option>
        {sites
          .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </select>
    </Group>
  );
