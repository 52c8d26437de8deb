import { Button, NativeSelect, TextInput, Textarea } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconPlus, IconX } from '@tabler/icons-react';
import { Suspense, lazy, useMemo, useState } from 'react';
import { useServerNowMs, useUsdot } from '@/components/fleet-state/fleet-context';
import { FormDialog } from '@/components/kit/dialog';
import { useAnnounce } from '@/components/ui/announcer';
import type { FormFields } from '@/components/ui/api-form';
import { BareButton } from '@/components/ui/bare-button';
import { usePlaceSearch } from '@/components/ui/use-place-search';
import { useZoneOf } from '@/components/ui/use-truck-zone';
import { STOP_KINDS } from '@/lib/arrivals/load';
import { MINUTE_MS } from '@/lib/base/time';
import { useLoadChanges } from '@/lib/loads/changes';
import type { Load } from '@/lib/loads/load';
import { MAX_STOPS } from '@/lib/loads/schema';
import { STOP_KIND_LABELS, appointmentText, truckOf } from '@/lib/loads/text';
import { parseAppointment } from '@/lib/loads/typed-appointment';
import { suggestPlaces } from '@/lib/loads/typed-place';
import { useFleetSites } from '@/lib/sites/queries';
import { formatDayAndTime } from '@/lib/view/format';
import styles from './load-form.module.css';
import {
  newStop,
  toLoadValues,
  toTypedLoad,
  typedLoadSchema,
  zoneOfTyped,
  type LoadValues,
  type Reading,
  type StopValues,
} from './load-values';
import { SuggestField } from '@/components/ui/suggest-field';
import { TruckField, useTruckKeys } from './truck-field';
import { useTruckName } from '@/components/fleet-state/use-trucks';

const NO_SITES: never[] = [];

/** What typed texts are read with; the tables of places come meanwhile. */
const useTyped = (load: Load | null, texts: string): Reading => {
  const sites = useFleetSites(useUsdot(), true).data ?? NO_SITES;
  const findPlaces = usePlaceSearch(true, texts);
  const zoneOf = useZoneOf();
  const keyOf = useTruckKeys(load && truckOf(load));
  const nowMs = Math.floor(useServerNowMs() / MINUTE_MS) * MINUTE_MS;
  return useMemo(
    () => ({ sites, findPlaces, zoneOf, keyOf, nowMs }),
    [sites, findPlaces, zoneOf, keyOf, nowMs],
  );
};

interface LoadFormProps {
  /** Null: a new one. */
  load: Load | null;
  /** A load was made, whose first appointment begins then, Unix ms; null: it has none. */
  onMade?: (fromMs: number | null) => void;
  onClose: () => void;
}

/** Makes or changes a load: its truck, its stops, and when it is to be there. */
export const LoadForm = ({ load, onMade, onClose }: LoadFormProps) => {
  const { add, change } = useLoadChanges(useUsdot());
  const announce = useAnnounce();
  const nameOf = useTruckName();
  const [typed, setTyped] = useState('');
  const reading = useTyped(load, typed);
  const [initialValues] = useState(() => toLoadValues(load, nameOf));
  return (
    <FormDialog
      title={load === null ? 'New load' : `Change load ${load.reference}`}
      size="xl"
      action={load === null ? 'Add the load' : 'Save'}
      initialValues={initialValues}
      toInput={(values) => toTypedLoad(values, reading)}
      schema={typedLoadSchema}
      send={async ({ input }) => {
        if (load === null) await add.mutateAsync(input);
        else await change.mutateAsync({ id: load.id, load: input });
        announce(load === null ? `Load ${input.reference} added` : 'Load saved');
        const first = input.stops.find(({ appointment }) => appointment !== null)?.appointment;
        if (load === null) onMade?.(first?.fromMs ?? null);
      }}
      onClose={onClose}
    >
      {(form) => <Fields {...{ form, load, reading }} onPlaces={setTyped} />}
    </FormDialog>
  );
};

const CustomerMails = lazy(() => import('./customer-mails'));

interface FieldsProps {
  load: Load | null;
  form: FormFields<LoadValues>;
  reading: Reading;
  onPlaces: (texts: string) => void;
}

const Fields = ({ load, form: { values, field }, reading, onPlaces }: FieldsProps) => {
  const [isMore, setMore] = useState(false);
  const { stops } = values;
  const setStops = (next: StopValues[]): void => field('stops').onChange(next);
  const Chevron = isMore ? IconChevronUp : IconChevronDown;
  return (
    <>
      <div className={styles.three}>
        <TextInput
          label="Load number"
          autoComplete="off"
          maxLength={60}
          data-autofocus
          {...field('reference')}
        />
        <TruckField {...field('unit')} keyOf={reading.keyOf} />
        <TextInput label="Customer" autoComplete="off" maxLength={100} {...field('customer')} />
      </div>
      {stops.map((stop, i) => (
        <StopFields
          key={i}
          {...{ stop, i, field, reading, isMore, onPlaces }}
          count={stops.length}
          stops={stops}
          onStops={setStops}
        />
      ))}
      {isMore ? (
        <>
          <Button
            variant="default"
            className={styles.addStop}
            leftSection={<IconPlus size={16} stroke={2} aria-hidden="true" />}
            disabled={stops.length >= MAX_STOPS}
            onClick={() => setStops([...stops, newStop('delivery')])}
          >
            Add a stop
          </Button>
          <div className={styles.three}>
            <TextInput label="PO number" autoComplete="off" maxLength={60} {...field('po')} />
            <TextInput label="BOL number" autoComplete="off" maxLength={60} {...field('bol')} />
            <TextInput label="Tags" placeholder="reefer, rush" autoComplete="off" {...field('tags')} />
          </div>
          <Suspense>
            <CustomerMails loadId={load?.id ?? 0} value={values.mails} field={field} />
          </Suspense>
          <Textarea label="Note" autosize minRows={1} maxRows={6} maxLength={2000} {...field('note')} />
        </>
      ) : null}
      <BareButton
        className={`lh-link lh-flex ${styles.more}`}
        aria-expanded={isMore}
        onClick={() => setMore(!isMore)}
      >
        <Chevron size={16} stroke={2} aria-hidden="true" />
        {isMore ? 'Less' : 'More: stops, references, free time, contacts, mails'}
      </BareButton>
    </>
  );
};

interface StopFieldsProps {
  stop: StopValues;
  i: number;
  count: number;
  stops: StopValues[];
  field: FormFields['field'];
  reading: Reading;
  isMore: boolean;
  onPlaces: (texts: string) => void;
  onStops: (stops: StopValues[]) => void;
}

const labelOf = (i: number, count: number): string =>
  i === 0 ? 'From' : i === count - 1 ? 'To' : `Stop ${i + 1}`;

/** What is understood of the typed time, or examples. */
const timeHint = (stop: StopValues, stops: readonly StopValues[], i: number, reading: Reading): string => {
  const zone = zoneOfTyped(stop, reading) ?? undefined;
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const read = (each: StopValues, afterMs: number) =>
    parseAppointment(each.appointment, zoneOfTyped(each, reading) ?? own, reading.nowMs, afterMs);
  let afterMs = reading.nowMs;
  for (const before of stops.slice(0, i)) afterMs = Math.max(afterMs, read(before, afterMs)?.fromMs ?? 0);
  const appointment = read(stop, afterMs);
  if (appointment === undefined) return 'Not a time yet: 8a, 14:30, tomorrow 8-10';
  if (appointment === null) return '8a, 14:30, tomorrow 8-10; empty: none';
  const text = appointmentText({ appointment, timeZone: zone ?? own }, reading.nowMs);
  const [weekday, day] = formatDayAndTime(appointment.fromMs, reading.nowMs, zone ?? own).split(', ');
  // Of two days each is named.
  return /–(today|[A-Z])/.test(text)
    ? text
    : `${weekday}, ${day}, ${text.replace(/^[A-Z]\w{2} (?:\d+, )?/, '')}`;
};

const StopFields = (props: StopFieldsProps) => {
  const { stop, i, count, stops, field, reading, isMore, onPlaces, onStops } = props;
  const label = labelOf(i, count);
  const path = `stops.${i}`;
  const place = field(`${path}.place`);
  return (
    <fieldset className={styles.stop}>
      <legend className="visually-hidden">{label}</legend>
      <div className={styles.two}>
        <SuggestField
          label={label}
          placeholder="Site, town, ZIP, or coordinates"
          maxLength={1000}
          data={suggestPlaces(stop.place, reading).map(({ name }) => name)}
          {...place}
          onChange={(text) => {
            place.onChange(text);
            onPlaces(text);
          }}
        />
        <TextInput
          label={`${label}: when`}
          description={timeHint(stop, stops, i, reading)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          maxLength={60}
          {...field(`${path}.appointment`)}
        />
      </div>
      {isMore ? <StopDetails {...{ i, count, stops, field, onStops }} label={label} path={path} /> : null}
    </fieldset>
  );
};

interface StopDetailsProps extends Pick<StopFieldsProps, 'i' | 'count' | 'stops' | 'field' | 'onStops'> {
  label: string;
  path: string;
}

const StopDetails = ({ i, count, stops, field, onStops, label, path }: StopDetailsProps) => {
  const moveUp = (): void => {
    const moved = [...stops];
    moved.splice(i - 1, 2, stops[i]!, stops[i - 1]!);
    onStops(moved);
  };
  return (
    <div className={styles.details}>
      <NativeSelect
        label="What"
        data={STOP_KINDS.map((value) => ({ value, label: STOP_KIND_LABELS[value] }))}
        {...field(`${path}.kind`)}
      />
      <TextInput
        label="Free time, h"
        inputMode="decimal"
        autoComplete="off"
        {...field(`${path}.freeHours`)}
      />
      <TextInput label="Address" autoComplete="off" maxLength={300} {...field(`${path}.address`)} />
      <TextInput label="Contact" autoComplete="off" maxLength={100} {...field(`${path}.contactName`)} />
      <TextInput
        label="Phone"
        type="tel"
        autoComplete="off"
        maxLength={60}
        {...field(`${path}.contactPhone`)}
      />
      <div className={`lh-flex ${styles.tools}`}>
        <BareButton className="lh-icon" aria-label={`Move ${label} up`} disabled={i === 0} onClick={moveUp}>
          <IconChevronUp size={16} stroke={2} aria-hidden="true" />
        </BareButton>
        <BareButton
          className="lh-icon"
          aria-label={`Remove ${label}`}
          disabled={count <= 2}
          onClick={() => onStops(stops.filter((_, at) => at !== i))}
        >
          <IconX size={16} stroke={2} aria-hidden="true" />
        </BareButton>
      </div>
    </div>
  );
};
