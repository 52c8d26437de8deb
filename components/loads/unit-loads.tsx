import { useServerNowMs, useUsdot } from '@/components/fleet-state/fleet-context';
import { MINUTE_MS } from '@/lib/base/time';
import { useLoads } from '@/lib/loads/queries';
import { nextStopOf, stateText, verdictDetail } from '@/lib/loads/text';
import { Arrival, LoadLink, NextAppointment } from './arrival';
import { Attention, useIsStill } from './attention';
import styles from './loads.module.css';
import { LoadVerdict } from './verdict';

/** The loads that a truck has, with their verdicts. */
export const UnitLoads = ({ ids }: { ids: readonly number[] }) => {
  const loads = useLoads(useUsdot()).data?.loads.filter(({ id }) => ids.includes(id)) ?? [];
  const nowMs = Math.floor(useServerNowMs() / MINUTE_MS) * MINUTE_MS;
  const isStill = useIsStill();
  return (
    <ul className={`lh-list ${styles.ofUnit}`}>
      {loads.map((load) => {
        const stop = nextStopOf(load);
        return (
          <li key={load.id}>
            <p className="lh-flex">
              <LoadLink load={load} /> <LoadVerdict load={load} nowMs={nowMs} />
              <span className="lh-note">{verdictDetail(load, nowMs)}</span>
            </p>
            <Attention load={load} isStill={isStill(load)} nowMs={nowMs} />
            <p>{[load.customer, stateText(load, nowMs)].filter(Boolean).join(' · ')}</p>
            {stop === null ? null : (
              <p>
                <span className="lh-dim">Next</span> {stop.name}, <Arrival load={load} nowMs={nowMs} />{' '}
                <span className={`lh-note ${styles.appointment}`}>
                  appt. <NextAppointment load={load} nowMs={nowMs} />
                </span>
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
};
