'use client';

import { Button, Menu } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { IconChevronDown, IconDownload, IconMail, IconPrinter } from '@tabler/icons-react';
import { Suspense, useRef, useState } from 'react';
import { Notices } from '@/components/fleet-shell/notices';
import { useReading, useUsdot } from '@/components/fleet-state/fleet-context';
import { chosenText } from '@/components/fleet-state/search-units';
import { toMapLink } from '@/components/fleet-state/map-link';
import {
  FullPage,
  HeadActions,
  LoadingLines,
  Message,
  PageHead,
  Segments,
  Tabs,
} from '@/components/kit/full-page';
import { IconButton } from '@/components/kit/page-frame';
import { useViewer } from '@/components/layout/viewer-context';
import { DownloadStatus, useDownload } from '@/components/ui/download';
import { Popup } from '@/components/ui/popup/popup';
import { onDemand, type OnDemand } from '@/components/ui/popup/on-demand';
import { saveCsv } from '@/components/ui/save-file';
import { useIsPrinting } from '@/components/ui/use-is-printing';
import { toChosenQuery } from '@/lib/reports/chosen';
import {
  type DaySpan,
  isDay,
  type CivilDay,
  PRESETS,
  PRESET_LABELS,
  presetOf,
  presetSpan,
  type Preset,
} from '@/lib/trips/days';
import { toZoneName } from '@/lib/base/text/zone-name';
import type { MapTiles } from '@/lib/map/schema';
import styles from './history.module.css';
import type { AnswerProps, CsvFile } from './report';
import { UnitFilter } from './unit-filter';
import { useHistoryAddress, type HistoryRange, type Question } from './use-history-address';

interface Tab {
  question: Question;
  label: string;
  answer: OnDemand<AnswerProps>;
}

const mailDialog = onDemand(() =>
  import('@/components/scheduled-mail/mail-dialog').then(({ MailDialog }) => MailDialog),
);

/** The questions that have an answer, in the order of their tabs. */
const TABS: readonly [Tab, ...Tab[]] = [
  {
    question: 'activity',
    label: 'Activity',
    answer: onDemand(() => import('./activity/activity-report').then((module) => module.ActivityReport)),
  },
  {
    question: 'miles',
    label: 'Miles by state',
    answer: onDemand(() => import('./miles/miles-report').then((module) => module.MilesReport)),
  },
  {
    question: 'visits',
    label: 'Site visits',
    answer: onDemand(() => import('./visits/visit-report').then((module) => module.SiteVisitReport)),
  },
  {
    question: 'facilities',
    label: 'Facilities',
    answer: onDemand(() => import('./facilities/facility-report').then((module) => module.FacilityReport)),
  },
  {
    question: 'quality',
    label: 'Data quality',
    answer: onDemand(() => import('./quality/quality-report').then((module) => module.QualityReport)),
  },
  {
    question: 'who',
    label: 'Who was here?',
    answer: onDemand(() => import('./who/who-was-here').then((module) => module.WhoWasHere)),
  },
];

export const HistoryPage = ({ isRecorded, tiles }: { isRecorded: boolean; tiles: MapTiles | null }) => {
  // The days are those of the browser's time zone, which the server does not know.
  const isMounted = useMounted();
  // Today is the server's, whose clock the first answer, or the failure of it, makes known.
  const { receivedAtMs, failure } = useReading();
  const isReady = isRecorded && isMounted && (receivedAtMs !== null || failure !== null);
  return (
    <FullPage notices={<Notices />}>
      {isReady ? <Questions tiles={tiles} /> : <PageHead title="History" />}
      {isRecorded ? null : (
        <Message title="Recording is off.">
          <p>This server does not record its fleets, so nothing is known of their past.</p>
        </Message>
      )}
    </FullPage>
  );
};

const Questions = ({ tiles }: Pick<AnswerProps, 'tiles'>) => {
  const base = `/fleets/${useUsdot()}/history`;
  const { question, range, who, figures, today, searchOf, show } = useHistoryAddress();
  const tab = TABS.find((each) => each.question === question) ?? TABS[0];
  const [file, setFile] = useState<CsvFile | null>(null);
  return (
    <>
      <PageHead title="History">
        <Tabs
          label="Questions"
          tabs={TABS.map((each) => ({
            label: each.label,
            link: toMapLink(`${base}${searchOf(each.question)}`),
            isHere: each === tab,
            preload: each.answer.preload,
          }))}
        />
        <Actions range={range} question={tab.question} file={file} />
      </PageHead>
      <div className={`lh-flex ${styles.scopeFields}`}>
        <UnitFilter chosen={range} onChoose={show} />
        <RangeFields range={range} today={today} onChoose={show} />
      </div>
      <PrintedScope range={range} />
      <Suspense fallback={<LoadingLines />}>
        <tab.answer.Part {...{ range, who, figures, tiles }} onWho={show} onFigures={show} onFile={setFile} />
      </Suspense>
    </>
  );
};

/** The days and the trucks of a report, on paper. */
const PrintedScope = ({ range }: { range: HistoryRange }) => {
  const { fleet } = useReading();
  const { from, to, zone } = range;
  const days = from === to ? from : `${from} to ${to}`;
  return useIsPrinting() ? (
    <p className={styles.scope}>
      {chosenText(fleet, range) ?? 'All trucks'}, {days}, {toZoneName(zone, range.fromMs, 'longGeneric')}
    </p>
  ) : null;
};

interface ActionsProps {
  range: HistoryRange;
  question: Question;
  file: CsvFile | null;
}

/** What can be done with an answer: mailed, printed, or saved. */
const Actions = ({ range, question, file }: ActionsProps) => {
  const usdot = useUsdot();
  const { kind } = useViewer();
  const [isMailOpen, setMailOpen] = useState(false);
  return (
    <HeadActions>
      {/* The demo has no users, and so no addresses; an area is no report. */}
      {kind === 'user' && question !== 'who' ? (
        <IconButton Icon={IconMail} onClick={() => setMailOpen(true)}>
          Mail me this
        </IconButton>
      ) : null}
      <IconButton
        Icon={IconDownload}
        disabled={file === null}
        onClick={() => saveCsv(`${file!.name}-${usdot}-${range.from}-${range.to}.csv`, file!.toText())}
      >
        CSV
      </IconButton>
      <ParquetExport range={range} />
      <IconButton className={styles.print} Icon={IconPrinter} onClick={() => window.print()}>
        Print
      </IconButton>
      {isMailOpen && question !== 'who' ? (
        <Suspense>
          <mailDialog.Part kind={question} chosen={range} onClose={() => setMailOpen(false)} />
        </Suspense>
      ) : null}
    </HeadActions>
  );
};

const CHOSEN = 'chosen';
/** The ranges that reports are wanted of most; the others are in the list. */
const AT_ONE_CLICK: readonly Preset[] = ['lastMonth', 'days30'];

interface RangeFieldsProps {
  range: HistoryRange;
  today: CivilDay;
  onChoose: (span: DaySpan) => void;
}

/** The days that a question is about: presets, two dates, and their time zone by name. */
const RangeFields = ({ range, today, onChoose }: RangeFieldsProps) => {
  const { from, to, zone } = range;
  const choose = (span: DaySpan): void => {
    // A date that is being typed is empty at first.
    if (isDay(span.from) && isDay(span.to)) onChoose(span);
  };
  return (
    <div className={`lh-flex ${styles.range}`} role="group" aria-label="Days">
      <Segments
        label="At one click"
        segments={AT_ONE_CLICK.map((preset) => ({
          label: PRESET_LABELS[preset],
          isChosen: presetOf(range, today) === preset,
          onChoose: () => onChoose(presetSpan(preset, today)),
        }))}
      />
      <label>
        <span className="visually-hidden">Range</span>
        <select
          className="lh-select"
          value={presetOf(range, today) ?? CHOSEN}
          onChange={({ target }) => {
            if (target.value !== CHOSEN) onChoose(presetSpan(target.value as Preset, today));
          }}
        >
          {PRESETS.map((preset) => (
            <option key={preset} value={preset}>
              {PRESET_LABELS[preset]}
            </option>
          ))}
          <option value={CHOSEN}>Chosen dates</option>
        </select>
      </label>
      <label>
        <span>From</span>
        <input
          type="date"
          className="lh-field"
          value={from}
          max={today}
          onChange={({ target: { value } }) => choose({ from: value, to: value > to ? value : to })}
        />
      </label>
      <label>
        <span>to</span>
        <input
          type="date"
          className="lh-field"
          value={to}
          max={today}
          onChange={({ target: { value } }) => choose({ from: value < from ? value : from, to: value })}
        />
      </label>
      <span className="lh-dim" title={zone}>
        {toZoneName(zone, range.fromMs, 'longGeneric')}
      </span>
    </div>
  );
};

const ParquetExport = ({ range: { fromMs, toMs, zone, unit, tag } }: { range: HistoryRange }) => {
  const usdot = useUsdot();
  const starter = useRef<HTMLButtonElement>(null);
  const download = useDownload(starter);
  const chosen = toChosenQuery({ unit, tag });
  const query = new URLSearchParams({ from: String(fromMs), to: String(toMs), zone, ...chosen });
  return (
    <>
      <DownloadStatus {...download} />
      <Popup
        kind="menu"
        width={220}
        target={
          <Button
            ref={starter}
            variant="default"
            rightSection={<IconChevronDown size={15} aria-hidden="true" />}
          >
            More formats
          </Button>
        }
      >
        <Menu.Item
          title="Every recorded fix of these days, for pandas, DuckDB or Spark"
          onClick={() => download.start(`/api/fleets/${usdot}/export?${query}`)}
        >
          All fixes as Parquet
        </Menu.Item>
      </Popup>
    </>
  );
};
