'use client';

import { useViewer } from '@/components/layout/viewer-context';
import { SYMBOL_HEADING_DEG } from '@/components/map/glyph-shapes';
import { StatusGlyph } from '@/components/map/status-glyph';
import { FLAG_HELP, SILENT_HELP, STATUS_HELP } from './help-text';
import type { Explanation } from './help-text';
import { FLAG_WORDS, SILENT_REASONS, SILENT_WORDS, STATUS_WORDS } from '@/lib/view/text';
import { FLAGS, STATUSES } from '@/lib/wire/status';
import { DemoHelp } from './demo-help';
import styles from './help-page.module.css';

/** What each status and each flag means, and what to do. An address such as /help#clockFault leads to one of them. */
export const HelpPage = () => (
  <div className={styles.page}>
    <h1 className={styles.title}>What the map says</h1>
    <p className={styles.lead}>
      Every word on the screen is worked out from what the tracking provider sent, and each unit’s panel shows
      from what. Where nothing can be said, nothing is.
    </p>

    {useViewer().kind === 'demo' ? <DemoHelp /> : null}

    <section aria-labelledby="statuses">
      <h2 id="statuses" className={styles.head}>
        Statuses
      </h2>
      <p className={styles.about}>Each unit has one. Their counts stand above the list.</p>
      <dl className={styles.list}>
        {STATUSES.map((status) => (
          <Line
            key={status}
            id={status}
            words={STATUS_WORDS[status]}
            glyph={<StatusGlyph status={status} headingDeg={SYMBOL_HEADING_DEG[status]} size={20} />}
            explanation={STATUS_HELP[status]}
          />
        ))}
      </dl>
    </section>

    <section aria-labelledby="silence">
      <h2 id="silence" className={styles.head}>
        Kinds of silence
      </h2>
      <p className={styles.about}>
        The filter button above the list shows one kind alone. A unit that is missing from a single answer of
        the provider’s has not vanished yet.
      </p>
      <dl className={styles.list}>
        {SILENT_REASONS.map((reason) => (
          <Line
            key={reason}
            id={reason}
            words={SILENT_WORDS[reason]}
            glyph={<StatusGlyph status="silent" size={20} />}
            explanation={SILENT_HELP[reason]}
          />
        ))}
      </dl>
    </section>

    <section aria-labelledby="flags">
      <h2 id="flags" className={styles.head}>
        Things to check
      </h2>
      <p className={styles.about}>
        Flags stand beside the status, with a triangle on the map. “Check” above the list counts every unit
        that has one; the filter button counts each of them. A flag that is not found any more stays for a
        moment, so that none comes and goes with every fix. Panel and vehicle page say what was seen.
      </p>
      <dl className={styles.list}>
        {FLAGS.map((flag) => (
          <Line
            key={flag}
            id={flag}
            words={FLAG_WORDS[flag]}
            glyph={<StatusGlyph status="stopped" flagged size={20} />}
            explanation={FLAG_HELP[flag]}
          />
        ))}
      </dl>
    </section>

    <section aria-labelledby="ages">
      <h2 id="ages" className={styles.head}>
        How old it all is
      </h2>
      <p className={styles.about}>
        “Live · 4 s ago” at the top is the age of the provider’s last answer. The age in a row is that of the
        unit’s own last fix. When the provider fails, the last good picture stays, with since when. A notice
        says when the account’s USDOT number is another than that of the fleet on the screen.
      </p>
    </section>
  </div>
);

interface LineProps {
  id: string;
  words: string;
  glyph: React.ReactNode;
  explanation: Explanation;
}

const Line = ({ id, words, glyph, explanation }: LineProps) => (
  <div id={id} className={styles.line}>
    <dt className={styles.name}>
      {glyph}
      {words}
    </dt>
    <dd>{explanation.means}</dd>
    <dd className={styles.act}>
      <b>What to do:</b> {explanation.act}
    </dd>
  </div>
);
