'use client';

import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useRef } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { DownloadStatus, useDownload } from '@/components/ui/download';
import { Popup } from '@/components/ui/popup/popup';
import { EXPORT_FORMATS, type ExportFormat } from '@/lib/past/export';
import type { Day } from '@/lib/trips/trips';

const LABELS: Readonly<Record<ExportFormat, string>> = {
  csv: 'CSV for spreadsheets',
  gpx: 'GPX for navigation',
  kml: 'KML for Google Earth',
  geojson: 'GeoJSON for GIS',
};

interface ExportMenuProps {
  vin: string;
  /** The unit's name in the file. */
  name: string;
  day: Day;
  zone: string;
}

/** The trail on the screen as a file. */
export const ExportMenu = ({ vin, name, day, zone }: ExportMenuProps) => {
  const starter = useRef<HTMLButtonElement>(null);
  const download = useDownload(starter);
  const path = `/api/fleets/${useUsdot()}/units/${vin}/trail/export`;
  const toUrl = (format: ExportFormat): string => {
    const { fromMs, toMs } = day;
    const query = new URLSearchParams({ from: String(fromMs), to: String(toMs), zone, format, name });
    return `${path}?${query.toString()}`;
  };
  return (
    <>
      <Popup
        kind="menu"
        width={220}
        position="bottom-start"
        target={
          <Button
            ref={starter}
            variant="default"
            h={36}
            px={12}
            fz={13}
            rightSection={<IconChevronDown size={15} />}
          >
            Export
          </Button>
        }
      >
        {EXPORT_FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => download.start(toUrl(format))}>
            {LABELS[format]}
          </Menu.Item>
        ))}
      </Popup>
      <DownloadStatus {...download} />
    </>
  );
};
