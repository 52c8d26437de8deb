import { useReading, useUsdot, useCarrierAccount, useView } from '../fleet-state/fleet-context';
import { useSites } from '../fleet-state/sites';
import { useIsPrinting } from '../ui/use-is-printing';
import { carrierText } from '@/lib/view/carrier';
import { formatDayAndTime } from '@/lib/view/format';
import { FLAG_LABELS, STATUS_LABELS } from '@/lib/view/text';
import styles from './fleet-shell.module.css';

/** What a printed page is of: its title, the fleet, when it was printed, and what the trucks are filtered by. */
export const PrintHead = () => (useIsPrinting() ? <Head /> : null);

const Head = () => {
  const usdot = useUsdot();
  const { name, numbers } = carrierText(usdot, useCarrierAccount());
  const { skewMs } = useReading();
  const view = useView();
  const sites = useSites() ?? [];
  const nowMs = Date.now() + skewMs;
  const filters = [
    view.query.trim() === '' ? null : `search “${view.query.trim()}”`,
    ...view.statuses.map((status) => STATUS_LABELS[status]),
    view.flagged ? 'to check' : null,
    ...view.flags.map((flag) => FLAG_LABELS[flag]),
    ...view.tags.map((tag) => `tag ${tag}`),
    ...view.sites.map((id) => `at ${sites.find((site) => site.id === id)?.name ?? `site ${id}`}`),
  ].filter((text) => text !== null);
  return (
    <div className={styles.printHead}>
      <b>{document.title}</b>
      <span>{[name, numbers].filter(Boolean).join(' · ')}</span>
      <span>Printed {formatDayAndTime(nowMs, nowMs)}</span>
      {filters.length === 0 ? null : <span>Filter: {filters.join(', ')}</span>}
    </div>
  );
};
