import { Checkbox, Input, NativeSelect, TextInput, Textarea } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import { Segments } from '@/components/kit/full-page';
import { SuggestField } from '@/components/ui/suggest-field';
import { usePhone } from '@/components/layout/shell';
import type { FormFields } from '@/components/ui/api-form';
import { BareButton } from '@/components/ui/bare-button';
import { fold } from '@/lib/base/text/text';
import { DELAYS_MIN, PRECISIONS, SHARED_FIELDS, type SharedField } from '@/lib/shares/schema';
import { FIELD_LABELS, PRECISION_LABELS, placeOf, shareText } from '@/lib/shares/text';
import { EndTimeFields } from './end-time-fields';
import { ItemFields } from './item-fields';
import {
  WITHIN_CHOICES,
  isOfTrucks,
  isPossible,
  needsTime,
  toEndChoices,
  toTypedShare,
  withinOf,
  type ShareReading,
  type ShareValues,
} from './share-values';
import styles from './shares.module.css';

interface FieldsProps {
  form: FormFields<ShareValues>;
  reading: ShareReading;
}

/** What a link is about, what it shows and until when, with a sentence that says so. */
export const ShareFields = ({ form, reading, isFolded }: FieldsProps & { isFolded: boolean }) => {
  const { values, field } = form;
  const isPhone = usePhone();
  const [isOpen, setOpen] = useState(!isFolded);
  return (
    <>
      <ItemFields form={form} />
      <TextInput
        label="Who it is for"
        autoComplete="off"
        maxLength={100}
        // On a phone its keyboard would cover the rest.
        {...(!isPhone && { 'data-autofocus': true })}
        onFocus={({ currentTarget }) => currentTarget.select()}
        {...field('recipient')}
      />
      {isPhone && !isOpen ? (
        <BareButton
          className={`lh-link lh-flex ${styles.more}`}
          aria-expanded={false}
          onClick={() => setOpen(true)}
        >
          <IconChevronDown size={16} stroke={2} aria-hidden="true" />
          Change what it shows and when it ends
        </BareButton>
      ) : (
        <ChoiceFields form={form} reading={reading} />
      )}
      <Summary values={values} reading={reading} />
    </>
  );
};

const ChoiceFields = ({ form, reading }: FieldsProps) => {
  const { values, field } = form;
  return (
    <>
      <Input.Wrapper label="Position" labelElement="div">
        <Segments
          label="Position"
          segments={PRECISIONS.map((precision) => ({
            label: PRECISION_LABELS[precision],
            isChosen: values.precision === precision,
            onChoose: () => field('precision').onChange(precision),
          }))}
        />
      </Input.Wrapper>
      <ShownFields form={form} />
      <EndFields form={form} reading={reading} />
      <More form={form} />
    </>
  );
};

/** They say which truck it is, to anyone. */
const OF_TRUCK: readonly SharedField[] = ['vin', 'plate'];

const ShownFields = ({ form: { values, field } }: Pick<FieldsProps, 'form'>) => {
  const toBoxes = (fields: readonly SharedField[]) => (
    <div className={styles.boxes}>
      {fields.map((each) => {
        const isOffered = isPossible(each, values);
        return isOffered || isPossible(each, { ...values, precision: 'exact' }) ? (
          <Checkbox
            key={each}
            value={each}
            label={FIELD_LABELS[each]}
            disabled={!isOffered}
            title={isOffered ? undefined : 'Only with an exact position'}
          />
        ) : null;
      })}
    </div>
  );
  const fields = field('fields');
  return (
    <Checkbox.Group
      label="Also show"
      {...fields}
      // What cannot be shown now is not ticked, and ticked again once it can.
      value={values.fields.filter((each) => isPossible(each, values))}
      onChange={(shown) =>
        fields.onChange([...values.fields.filter((each) => !isPossible(each, values)), ...shown])
      }
    >
      {toBoxes(SHARED_FIELDS.filter((each) => !OF_TRUCK.includes(each)))}
      <div className={styles.apart}>{toBoxes(OF_TRUCK)}</div>
    </Checkbox.Group>
  );
};

const MOST_SITES = 6;

const EndFields = ({ form: { values, field }, reading }: FieldsProps) => {
  const choices = toEndChoices(values, reading);
  const chosen = choices.find(({ value }) => value === values.ends) ?? choices[0]!;
  const isByTime = chosen.value === 'time';
  return (
    <div className={styles.two}>
      <NativeSelect label="Ends with" data={choices} {...field('ends')} value={chosen.value} />
      {isOfTrucks(values) && !isByTime ? (
        <SuggestField
          label="Site"
          maxLength={100}
          data={reading.sites
            .filter(({ name }) => fold(name).includes(fold(values.endsAtSite.trim())))
            .slice(0, MOST_SITES)
            .map(({ name }) => name)}
          {...field('endsAtSite')}
        />
      ) : null}
      <EndTimeFields
        label={isByTime ? 'When' : 'At the latest'}
        choices={[
          ...(needsTime(values, reading) ? [] : [{ value: '', label: 'No time limit' }]),
          ...WITHIN_CHOICES,
        ]}
        values={{ ...values, within: withinOf(values, reading) }}
        {...{ field, reading }}
      />
    </div>
  );
};

const delayLabel = (minutes: number): string =>
  minutes === 0
    ? 'None'
    : minutes < 60
      ? `${minutes} minutes`
      : minutes === 60
        ? '1 hour'
        : `${minutes / 60} hours`;

const More = ({ form: { values, field } }: Pick<FieldsProps, 'form'>) => {
  const [isMore, setMore] = useState(false);
  const Chevron = isMore ? IconChevronUp : IconChevronDown;
  const showsEnd = field('showsEnd');
  return (
    <>
      <BareButton
        className={`lh-link lh-flex ${styles.more}`}
        aria-expanded={isMore}
        onClick={() => setMore(!isMore)}
      >
        <Chevron size={16} stroke={2} aria-hidden="true" />
        {isMore ? 'Less' : 'More: alias, delay, after the end, frame'}
      </BareButton>
      {isMore ? (
        <>
          <div className={styles.two}>
            {values.items.map(({ loadId, name }, i) => (
              <TextInput
                key={i}
                label={
                  values.items.length === 1
                    ? 'Alias of the truck'
                    : `Alias of ${loadId === null ? name : `the truck with ${name}`}`
                }
                placeholder="Shown instead of its number"
                autoComplete="off"
                maxLength={60}
                {...field(`items.${i}.alias`)}
              />
            ))}
            <NativeSelect
              label="Delay"
              data={DELAYS_MIN.map((minutes) => ({ value: String(minutes), label: delayLabel(minutes) }))}
              {...field('delayMin')}
            />
          </div>
          <Checkbox
            label="After the end, say that it has ended"
            description="Else it is as if the link had never been made."
            {...showsEnd}
            checked={values.showsEnd}
            onChange={({ currentTarget }) => showsEnd.onChange(currentTarget.checked)}
          />
          <Textarea
            label="Sites that may show it in a frame"
            placeholder="https://portal.example.com"
            autosize
            minRows={1}
            maxRows={5}
            {...field('frameOrigins')}
          />
        </>
      ) : null}
    </>
  );
};

const Summary = ({ values, reading }: { values: ShareValues; reading: ShareReading }) => {
  const { input, problems } = toTypedShare(values, reading);
  const hasEnd = !problems.some(({ path }) => path[0] === 'endsMs');
  return (
    <p className={styles.summary}>
      {hasEnd
        ? shareText(
            input,
            values.items.map(({ name }) => name),
            placeOf(input, reading),
            reading.nowMs,
          )
        : 'Say when it ends.'}
    </p>
  );
};
