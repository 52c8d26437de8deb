import { Button } from '@mantine/core';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import type { HistoryRange } from './use-history-address';

/** Every recorded fix of the range as a file. */
export const ParquetLink = ({ range: { fromMs, toMs, zone } }: { range: HistoryRange }) => {
  const query = new URLSearchParams({ from: String(fromMs), to: String(toMs), zone });
  return (
    <Button
      component="a"
      variant="default"
      href={`/api/fleets/${useUsdot()}/export?${query}`}
      download
      title="Every recorded fix of these days, for pandas, DuckDB or Spark"
    >
      Parquet
    </Button>
  );
};
