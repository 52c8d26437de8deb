import { NativeSelect, NumberInput } from '@mantine/core';
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

interface Values {
  subject: string;
  freeMin: number | string;
  countedFrom: Terms['countedFrom'];
  /** Dollars. */
  rate: number | string;
  stepMin: number | string;
  cap: number | string;
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
  ...{ subject: '0', freeMin, countedFrom, stepMin },
  rate: rateCents / 100,
  cap: capCents === null ? '' : capCents / 100,
});

const toCents = (dollars: number | string): number => Math.round(Number(dollars) * 100);
const toWhole = (value: number | string): number => (value === '' ? Number.NaN : Number(value));

const toInput =
  (subjects: readonly TermsSubject[]) =>
  ({ subject, freeMin, countedFrom, rate, stepMin, cap }: Values): KeptTermsInput => {
    const { label: _label, ...about } = subjects[Number(subject)]!;
    return {
      ...about,
      terms: {
        ...{ freeMin: toWhole(freeMin), countedFrom, stepMin: toWhole(stepMin) },
        rateCents: rate === '' ? Number.NaN : toCents(rate),
        capCents: cap === '' ? null : toCents(cap),
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
      <NumberInput label="Free time, minutes" min={0} allowDecimal={false} {...field('freeMin')} />
      <NativeSelect
        label="Counted from"
        data={[
          { label: 'The later of arrival and appointment', value: 'appointment' },
          { label: 'The arrival', value: 'arrival' },
        ]}
        {...field('countedFrom')}
      />
    </div>
    <div className={styles.two}>
      <NumberInput label="Rate, $ an hour" min={0} decimalScale={2} fixedDecimalScale {...field('rate')} />
      <NumberInput
        label="At most, $ a stay"
        placeholder="No cap"
        min={0}
        decimalScale={2}
        {...field('cap')}
      />
    </div>
    <NumberInput
      label="Step, minutes"
      description={`Billable minutes are rounded down to whole steps of ${values.stepMin} min, never up.`}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      min={1}
      allowDecimal={false}
      {...field('stepMin')}
    />
  </>
);
