'use client';

import type { ComponentProps, ReactNode } from 'react';
import { PageFrame } from '@/components/kit/page-frame';
import { useViewer } from '@/components/layout/viewer-context';
import { SYMBOL_HEADING_DEG } from '@/components/map/glyph-shapes';
import { StatusGlyph } from '@/components/map/status-glyph';
import { FLAG_HELP, STATUS_HELP } from './help-text';
import { SILENT_HELP, type Explanation } from '@/lib/view/explanations';
import { SILENT_LABELS } from '@/lib/view/filter-text';
import { FLAG_LABELS, SILENT_REASONS, STATUS_LABELS } from '@/lib/view/text';
import { FLAGS, STATUSES } from '@/lib/motion/status';
import styles from './help-page.module.css';

/** The meaning of each status and each flag, and what to do. An address such as /help#clockFault leads to one of them. */
export const HelpPage = () => (
  <PageFrame
    title="What the map shows"
    lead="Linehaul works out every status and flag from what the tracking provider sends, and each truck’s panel shows the evidence. What the data does not show stays empty."
    width="text"
  >
    {useViewer().kind === 'demo' ? <DemoHelp /> : null}
    <Chapter id="statuses" head="Statuses" about="Each truck has one. Their counts are above the list.">
      <Lines
        ids={STATUSES}
        labels={STATUS_LABELS}
        glyphOf={(status) => ({ status, headingDeg: SYMBOL_HEADING_DEG[status] })}
        help={STATUS_HELP}
      />
    </Chapter>
    <Chapter
      id="silence"
      head="Kinds of silence"
      about="The filter button above the list shows one kind alone. A truck that is missing from a single answer of the provider’s has not vanished yet."
    >
      <Lines
        ids={SILENT_REASONS}
        labels={SILENT_LABELS}
        glyphOf={() => ({ status: 'silent' })}
        help={SILENT_HELP}
      />
    </Chapter>
    <Chapter
      id="flags"
      head="Things to check"
      about="Flags are beside the status, with a triangle on the map. “Check” above the list counts every truck that has one; the filter button counts each of them. A flag that is no longer found stays for a moment, so that none comes and goes with every fix. The panel and the vehicle page show the evidence."
    >
      <Lines
        ids={FLAGS}
        labels={FLAG_LABELS}
        glyphOf={() => ({ status: 'stopped', flagged: true })}
        help={FLAG_HELP}
      />
    </Chapter>
    <TimeChapters />
    <PeopleChapters />
  </PageFrame>
);

const TimeChapters = () => (
  <>
    <Chapter
      id="past"
      head="Back in time"
      about="The clock button on the map, or the key p, opens a bar with the hours that are recorded. Choose a moment, and the whole screen is as it was then: the map, the list, the counters, the search and the panels. A blue frame and the time at the top say so; press that time, or Esc, to return to live. Play goes on from there, up to 600 times faster. Hatched hours were not recorded. A link to the page shows others the same moment."
    />
    <Chapter
      id="trails"
      head="Where trucks went"
      about="The selected truck shows its trail of the last four hours. The route button on the map shows tails of 10 min to 4 h for all trucks in view: bright where a truck was just now, fading with time, dotted where no position came for ten minutes. Zoom in where there are more than 500 trucks. On a truck’s page, Day shows a whole day, and Compare… puts up to five other trucks beside it."
    />
    <Chapter
      id="ages"
      head="How old it all is"
      about="“Live · 4 s ago” at the top is the age of the provider’s last answer. The age in a row is that of the truck’s own last fix. When the provider fails, the last good picture stays, with the time since when. A notice appears when the account’s USDOT number differs from that of the fleet on the screen."
    />
  </>
);

const PeopleChapters = () => (
  <>
    <Chapter
      id="notes"
      head="Notes and tags"
      about='A truck’s panel and page have its notes and tags, which all users of the fleet read and change; the audit log keeps who did. A note disappears after its last day, if you give one. The search finds the words of notes. To tag many trucks at once, search or filter the list, open the filter menu and choose “Tag the … trucks shown”. Find them again by the filter menu, or by typing tag:flatbeds or tag:"night shift" with other words.'
    />
    <Chapter
      id="contacts"
      head="Whom to call"
      about="A truck’s panel and page name its driver, a second driver and its dispatcher, with their numbers. On a phone a number is called or written to; elsewhere a press copies it, and the key c copies the first. “No answer”, “Left message” and “Spoke” note a call for a day, which colleagues see in the list. The search finds names and numbers. Alerts, handovers and their mails name whom to call; wall screens do not. Many trucks are filled in at once by “Import contacts” on the roster, or with the vehicles on the page Devices."
    />
    <Chapter
      id="views"
      head="Saved views"
      about="The bookmark above the list, or the key v, saves what the list and the map show under a name: search, filters, order and columns of the list, tails and the place of the map. The menu of the order has the columns: plate, VIN, make and model, device and tags. Share a view with all who see the fleet, or choose one that Linehaul shows first when you open it."
    />
    <Chapter
      id="nearest"
      head="Nearest trucks"
      about="Press the right mouse button on the map, or hold a finger on it, and choose “Nearest trucks here”; the key d takes the middle of the map. Or type a town into the search field and choose “Nearest trucks to …”. The panel says which filters apply. “Free” lists only trucks whose tags say so; users of the whole fleet choose these tags there. Distances are straight lines, and drive times are estimates from them: 1.25 × the distance at 50 mph. The ruler on the map, or the key m, measures distances and areas."
    />
  </>
);

interface ChapterProps {
  id: string;
  head: string;
  about: string;
  children?: ReactNode;
}

const Chapter = ({ id, head, about, children }: ChapterProps) => (
  <section aria-labelledby={id}>
    <h2 id={id} className={styles.head}>
      {head}
    </h2>
    <p className={styles.about}>{about}</p>
    {children ? <dl className={styles.list}>{children}</dl> : null}
  </section>
);

interface LinesProps<Id extends string> {
  ids: readonly Id[];
  labels: Readonly<Record<Id, string>>;
  /** Its symbol on the map. */
  glyphOf: (id: Id) => Omit<ComponentProps<typeof StatusGlyph>, 'size'>;
  help: Readonly<Record<Id, Explanation>>;
}

const Lines = <Id extends string>({ ids, labels, glyphOf, help }: LinesProps<Id>) =>
  ids.map((id) => (
    <div key={id} id={id} className={styles.line}>
      <dt className={styles.name}>
        <StatusGlyph {...glyphOf(id)} size={20} />
        {labels[id]}
      </dt>
      <dd>{help[id].means}</dd>
      <dd className={styles.act}>
        <b>What to do:</b> {help[id].act}
      </dd>
    </div>
  ));

const DemoHelp = () => (
  <section id="demo" aria-labelledby="demo-head" className={styles.demo}>
    <h2 id="demo-head" className={styles.head}>
      This is the demo
    </h2>
    <p className={styles.about}>
      The fleet is made up, and some of its trucks have faults on purpose. You do not sign in, because only
      this machine reaches the server: everyone who opens it is a manager.
    </p>
    <dl className={styles.list}>
      <div className={styles.line}>
        <dt className={styles.name}>Show your own trucks</dt>
        <dd>
          <a href="/fleet-source">Choose</a> to connect a tracking provider, or to track trucks by phones and
          trackers that report to this server. Everyone signs in from then on.
        </dd>
      </div>
      <div className={styles.line}>
        <dt className={styles.name}>Show the demo to others</dt>
        <dd>
          Start Linehaul with <code className="lh-code">ACCOUNTS=required</code>. It prints a code with which
          you create the first manager.
        </dd>
      </div>
      <div className={styles.line}>
        <dt className={styles.name}>Everything else, on one page</dt>
        <dd>
          <code className="lh-code">docs/deployment.md</code>, beside the program: settings, TLS, users, keys,
          devices, single sign-on, mail, backup and upgrades.
        </dd>
      </div>
    </dl>
  </section>
);
