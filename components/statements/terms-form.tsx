import { NativeSelect, TextInput } from '@mantine/core';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { ApiForm, type FormFields } from '@/components/ui/api-form';
import { useTermsChange } from '@/lib/proof/detention-queries';
import { keptTermsSchema, type KeptTermsInput, type Terms, type TermsOf } from '@/lib/proof/terms';
import styles from './statements.module.css';

/** What terms are for. */
export interface TermsSubject {
  of: TermsOf;
  customer: string | null;
  siteId: number | null;
  loadId: number | null;
  label: string;
}

/** Named as the input is, so that each fault is shown with its field. */
interface Values {
  subject: string;
  terms: {
    freeMin: string;
    countedFrom: Terms['countedFrom'];
    /** Dollars. */
    rateCents: string;
    stepMin: string;
    /** Dollars; empty: no cap. */
    capCents: string;
  };
}

/** What most carriers agree with brokers. */
const USUAL: Terms = {
  freeMin: 120,
  countedFrom: 'appointment',
  rateCents: 5000,
  stepMin: 15,
  capCents: null,
};

const toValues = ({ freeMin, countedFrom, rateCents, stepMin, capCents }: Terms): Values => ({
  subject: '0',
  terms: {
    ...{ countedFrom, freeMin: String(freeMin), stepMin: String(stepMin) },
    rateCents: (rateCents / 100).toFixed(2),
    capCents: capCents === null ? '' : (capCents / 100).toFixed(2),
  },
});

const toCents = (dollars: string): number =>
  dollars.trim() === '' ? Number.NaN : Math.round(Number(dollars.replace(/^\$/, '').trim()) * 100);
const toWhole = (value: string): number => (value.trim() === '' ? Number.NaN : Number(value));

const toInput =
  (subjects: readonly TermsSubject[]) =>
  ({ subject, terms: { freeMin, countedFrom, rateCents, stepMin, capCents } }: Values): KeptTermsInput => {
    const { label: _label, ...about } = subjects[Number(subject)]!;
    return {
      ...about,
      terms: {
        ...{ freeMin: toWhole(freeMin), countedFrom, stepMin: toWhole(stepMin) },
        rateCents: toCents(rateCents),
        capCents: capCents.trim() === '' ? null : toCents(capCents),
      },
    };
  };

interface TermsFormProps {
  /** What they may be for, the first one chosen. */
  subjects: readonly TermsSubject[];
  terms: Terms | null;
  onSaved: () => void;
  onCancel: () => void;
}

/** The terms of detention: free time, rate, rounding and cap. */
export const TermsForm = ({ subjects, terms, onSaved, onCancel }: TermsFormProps) => {
  const { mutateAsync } = useTermsChange(useUsdot());
  return (
    <ApiForm
      initialValues={toValues(terms ?? USUAL)}
      toInput={toInput(subjects)}
      schema={keptTermsSchema}
      action="Save terms"
      send={async (input) => {
        await mutateAsync(input);
        onSaved();
      }}
      onCancel={onCancel}
    >
      {(form) => (
        <div className={styles.fields}>
          {subjects.length > 1 ? (
            <NativeSelect
              label="For"
              data={subjects.map(({ label }, i) => ({ label, value: String(i) }))}
              {...form.field('subject')}
            />
          ) : null}
          <TermsFields {...form} />
        </div>
      )}
    </ApiForm>
  );
};

const TermsFields = ({ field, values }: FormFields<Values>) => (
  <>
    <div className={styles.two}>
      <TextInput label="Free time, minutes" inputMode="numeric" {...field('terms.freeMin')} />
      <TextInput label="Step, minutes" inputMode="numeric" {...field('terms.stepMin')} />
    </div>
    <NativeSelect
      label="Free time is counted from"
      data={[
        { label: 'The later of arrival and appointment', value: 'appointment' },
        { label: 'The arrival', value: 'arrival' },
      ]}
      {...field('terms.countedFrom')}
    />
    <div className={styles.two}>
      <TextInput label="Rate, $ an hour" inputMode="decimal" {...field('terms.rateCents')} />
      <TextInput
        label="At most, $ a stay"
        placeholder="No cap"
        inputMode="decimal"
        {...field('terms.capCents')}
      />
    </div>
    <p className={styles.note}>
      Billable minutes are rounded down to whole steps of {values.terms.stepMin} min, never up.
    </p>
  </>
);
