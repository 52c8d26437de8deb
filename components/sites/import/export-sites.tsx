import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Popup } from '@/components/ui/popup/popup';
import { saveFile } from '@/components/ui/save-file';
import type { Site } from '@/lib/rules/site';

interface Format {
  label: string;
  extension: string;
  type: string;
  load: () => Promise<(sites: readonly Site[]) => string>;
}

const FORMATS: readonly Format[] = [
  {
    label: 'CSV for spreadsheets',
    extension: 'csv',
    type: 'text/csv',
    load: async () => (await import('@/lib/sites/files/csv')).writeCsv,
  },
  {
    label: 'KML for Google Earth',
    extension: 'kml',
    type: 'application/vnd.google-earth.kml+xml',
    load: async () => (await import('@/lib/sites/files/kml')).writeKml,
  },
  {
    label: 'GeoJSON for GIS',
    extension: 'geojson',
    type: 'application/geo+json',
    load: async () => (await import('@/lib/sites/files/geojson')).writeGeoJson,
  },
];

export const ExportSites = ({ sites }: { sites: readonly Site[] }) => {
  const usdot = useUsdot();
  if (sites.length === 0) return null;
  const save = async ({ extension, type, load }: Format): Promise<void> =>
    saveFile(`linehaul-sites-${usdot}.${extension}`, (await load())(sites), type);
  return (
    <Popup
      kind="menu"
      width={220}
      target={
        <Button variant="default" rightSection={<IconChevronDown size={15} aria-hidden="true" />}>
          Export
        </Button>
      }
    >
      {FORMATS.map((format) => (
        <Menu.Item key={format.extension} onClick={() => void save(format)}>
          {format.label}
        </Menu.Item>
      ))}
    </Popup>
  );
};
