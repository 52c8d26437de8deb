import { Button } from '@mantine/core';
import { useRef } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { DownloadStatus, useDownload } from '@/components/ui/download/download';
import type { HistoryRange } from './use-history-address';

/** Every recorded fix of the range as a file. */
export const ParquetExport = ({ range: { fromMs, toMs, zone } }: { range: HistoryRange }) => {
  const usdot = useUsdot();
  const starter = useRef<HTMLButtonElement>(null);
  const download = useDownload(starter);
  const query = new URLSearchParams({ from: String(fromMs), to: String(toMs), zone });
  return (
    <>
      <DownloadStatus {...download} />
      <Button
        ref={starter}
        variant="default"
        title="Every recorded fix of these days, for pandas, DuckDB or Spark"
        onClick={() => download.start(`/api/fleets/${usdot}/export?${query}`)}
      >
        All fixes as Parquet
      </Button>
    </>
  );
};
