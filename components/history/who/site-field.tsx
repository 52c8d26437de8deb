import { Group } from '@mantine/core';
import type { Site } from '@/lib/rules/site';

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
    <Group component="label" gap={8} wrap="nowrap" c="dimmed">
      <span className="lh-nowrap">Site</span>
      <select
        className="lh-select"
        style={{ width: '100%' }}
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
