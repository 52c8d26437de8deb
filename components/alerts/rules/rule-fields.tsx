import { fold } from '@/lib/base/text/text';
import { NativeSelect, TextInput, Group } from '@mantine/core';
import { Link } from '@/components/ui/link';
import { type ReactNode, useState } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import type { FormFields } from '@/components/ui/api-form';
import { ChoicesField, type ChoicesFieldProps } from '@/components/ui/choices-field';
import { WeeklyHoursField } from '@/components/ui/weekly-hours/weekly-hours-field';
import type { ConditionKind, UnitScope } from '@/lib/rules/alert-rule';
import type { Severity } from '@/lib/rules/severity';
import { SEVERITY_LABELS } from '@/lib/alerts/text';
import { FLAG_LABELS, STATUS_LABELS } from '@/lib/view/text';
import styles from '../alerts.module.css';
import { CONDITION_FIELDS, type RuleValues } from './rule-values';
import type { RuleChoices } from './use-rule-choices';

const toData = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value, label }));

const SCOPES: Record<UnitScope['type'], string> = {
  all: 'any truck',
  statuses: 'any truck with status',
  makes: 'any truck of make',
  tags: 'any truck tagged',
  units: 'one of these trucks',
};

const SITE_KINDS: readonly ConditionKind[] = ['arrives', 'leaves', 'stays', 'entersNoGo', 'standsOutside'];

/** Whether a condition finds nothing in a fleet without sites. */
export const needsSites = (kind: ConditionKind): boolean =>
  kind !== 'standsOutside' && SITE_KINDS.includes(kind);

const CONDITIONS = [
  {
    group: 'Sites',
    items: toData({
      arrives: 'arrives at',
      leaves: 'leaves',
      stays: 'stays too long at',
      entersNoGo: 'enters a no-go area',
      standsOutside: 'stands outside any site for',
    }),
  },
  {
    group: 'Reports',
    items: toData({
      vanishes: 'vanishes while moving',
      silent: 'is silent for',
      late: 'is late',
      reportsAgain: 'reports again after it was silent',
      flagged: 'gets the flag',
    }),
  },
  {
    group: 'Driving',
    items: toData({ exceeds: 'drives faster than', movesOutsideHours: 'moves outside its hours' }),
  },
  {
    group: 'Loads',
    items: toData({
      loadWillBeLate: 'will be late with a load',
      loadLate: 'is late with a load',
      loadNotMoving: 'has a load and does not move toward its stop for',
      freeTimeEnds: 'is at a stop whose free time ends in',
      wrongTruck: 'has a load for which another truck is checked at the pickup',
    }),
  },
  { group: 'Linehaul', items: toData({ feedFails: 'The feed gives no usable answer for' }) },
];

interface FieldsProps {
  form: FormFields<RuleValues>;
  choices: RuleChoices;
}

interface RuleFieldsProps extends FieldsProps {
  /** Who the rule is for can be chosen. */
  isOwnOffered: boolean;
}

/** A rule as a sentence whose parts are fields. */
export const RuleFields = ({ form, choices, isOwnOffered }: RuleFieldsProps) => {
  const { values, field } = form;
  const { kind } = values.condition;
  return (
    <>
      <div className={styles.ruleSentence} role="group" aria-label="When">
        <Word>When</Word>
        {kind === 'feedFails' ? null : <ScopeFields form={form} choices={choices} />}
        <NativeSelect
          aria-label="What happens"
          data={CONDITIONS}
          data-autofocus
          {...field('condition.kind')}
        />
        <ConditionFields form={form} choices={choices} />
      </div>
      {CONDITION_FIELDS[kind].includes('hours') ? (
        <WeeklyHoursField label="Its hours" {...field('condition.hours')} value={values.condition.hours} />
      ) : null}
      <WeeklyHoursField
        label="During"
        noneLabel="All day, every day"
        {...field('schedule')}
        value={values.schedule}
      />
      <div className={styles.ruleSentence} role="group" aria-label="Then">
        <Word>Open an alert of severity</Word>
        <NativeSelect aria-label="Severity" data={toData<Severity>(SEVERITY_LABELS)} {...field('severity')} />
        {kind === 'feedFails' ? <Word>and not again for</Word> : <Word>and none of the same truck for</Word>}
        <DurationField label="Cool-down" {...field('coolDownMin')} value={values.coolDownMin} />
      </div>
      {isOwnOffered ? (
        <NativeSelect
          label="For"
          data={[
            { value: '', label: 'everyone who sees this fleet' },
            { value: 'own', label: 'only me' },
          ]}
          {...field('isOwn')}
          value={values.isOwn ? 'own' : ''}
          onChange={({ target }) => field('isOwn').onChange(target.value !== '')}
        />
      ) : null}
      <TextInput
        label="Name"
        description="Leave it empty to name the rule after its sentence."
        autoComplete="off"
        {...field('name')}
      />
    </>
  );
};

const Word = ({ children }: { children: ReactNode }) => <span className={styles.word}>{children}</span>;

/** The choices of a scope: what they are called, and how they are searched. */
const SCOPE_CHOICES: Record<
  Exclude<UnitScope['type'], 'all'>,
  (choices: RuleChoices) => Omit<ChoicesFieldProps, 'value' | 'onChange'>
> = {
  statuses: () => toLabeled('Statuses', STATUS_LABELS),
  makes: ({ searchMakes }) => ({
    label: 'Makes',
    placeholder: 'Choose makes',
    search: searchMakes,
    labelOf: (make) => make,
  }),
  tags: ({ searchTags }) => ({
    label: 'Tags',
    placeholder: 'Choose tags',
    search: searchTags,
    labelOf: (tag) => tag,
  }),
  units: ({ searchUnits, names }) => ({
    label: 'Trucks',
    placeholder: 'Truck, VIN, plate',
    search: searchUnits,
    labelOf: (key) => names.unit(key) ?? key,
  }),
};

/** Choices of a fixed list, such as statuses and flags. */
const toLabeled = (label: string, labels: Readonly<Record<string, string>>) => ({
  label,
  placeholder: 'Choose',
  search: (text: string) => toData(labels).filter((each) => fold(each.label).includes(fold(text.trim()))),
  labelOf: (value: string) => labels[value] ?? value,
});

/** The sentence says what the choices are; screen readers read the label. */
const SentenceChoices = (props: ChoicesFieldProps) => (
  <div className={styles.scope}>
    <ChoicesField {...props} labelProps={{ className: 'visually-hidden' }} />
  </div>
);

const ScopeFields = ({ form: { values, field }, choices }: FieldsProps) => {
  const { type } = values.units;
  return (
    <>
      <NativeSelect
        aria-label="Which trucks"
        data={toData<UnitScope['type']>(SCOPES)}
        {...field('units.type')}
      />
      {type === 'all' ? null : (
        <SentenceChoices
          key={type}
          {...SCOPE_CHOICES[type](choices)}
          {...field(`units.${type}`)}
          value={values.units[type]}
        />
      )}
    </>
  );
};

const ConditionFields = ({ form, choices }: FieldsProps) => {
  const { values, field } = form;
  const { kind } = values.condition;
  const fields = CONDITION_FIELDS[kind];
  return (
    <>
      {fields.includes('siteIds') ? <SiteFields form={form} choices={choices} /> : null}
      {kind === 'stays' ? <Word>longer than</Word> : null}
      {fields.includes('forMin') ? (
        <DurationField label="Time" {...field('condition.forMin')} value={values.condition.forMin} />
      ) : null}
      {fields.includes('inMin') ? (
        <DurationField label="Time" {...field('condition.inMin')} value={values.condition.inMin} />
      ) : null}
      {kind === 'exceeds' ? (
        <>
          <TextInput
            aria-label="Miles per hour"
            inputMode="numeric"
            autoComplete="off"
            w={64}
            {...field('condition.speedMph')}
          />
          <Word>mph, derived over at least two fixes</Word>
        </>
      ) : null}
      {kind === 'flagged' ? (
        <SentenceChoices
          {...toLabeled('Flags', FLAG_LABELS)}
          {...field('condition.flags')}
          value={values.condition.flags}
        />
      ) : null}
      <NoSites kind={kind} sites={choices.sites} />
    </>
  );
};

const SiteFields = ({ form: { values, field }, choices }: FieldsProps) => {
  const { onChange, ...siteIds } = field('condition.siteIds');
  const chosen = values.condition.siteIds;
  return (
    <>
      <NativeSelect
        aria-label="Which sites"
        data={[
          { value: '', label: 'any site' },
          { value: 'some', label: 'one of these sites' },
        ]}
        value={chosen === null ? '' : 'some'}
        onChange={({ target }) => onChange(target.value === '' ? null : [])}
      />
      {chosen === null ? null : (
        <SentenceChoices
          label="Sites"
          placeholder="Choose sites"
          search={choices.searchSites}
          labelOf={(id) => choices.names.site(Number(id)) ?? 'a removed site'}
          {...siteIds}
          value={chosen}
          onChange={onChange}
        />
      )}
    </>
  );
};

/** A hint at a rule that needs sites where the fleet has none. */
export const NoSites = ({ kind, sites }: { kind: ConditionKind } & Pick<RuleChoices, 'sites'>) => {
  const usdot = useUsdot();
  if (sites?.length !== 0 || !SITE_KINDS.includes(kind)) return null;
  return (
    <p className={`lh-note ${styles.hint}`}>
      {kind === 'standsOutside'
        ? '“Outside any site” needs sites. This fleet has none yet, so every stop counts as outside, also in your own yard. '
        : 'This fleet has no sites yet, so the rule finds nothing. '}
      <Link href={`/fleets/${usdot}/sites?edit=new`}>Make a site</Link>
    </p>
  );
};

/** Minutes of each unit, the largest first. */
const UNITS = { d: 24 * 60, h: 60, min: 1 } as const;
type Unit = keyof typeof UNITS;
const NAMES: Record<Unit, string> = { min: 'minutes', h: 'hours', d: 'days' };

/** The largest unit that gives a whole number. */
const unitOf = (minutes: number): Unit =>
  (['d', 'h'] as const).find((unit) => minutes > 0 && minutes % UNITS[unit] === 0) ?? 'min';

interface DurationFieldProps {
  label: string;
  /** Minutes. */
  value: number;
  onChange: (minutes: number) => void;
  error?: ReactNode;
  name?: string;
  'data-path'?: string;
  'aria-invalid'?: true;
}

/** A time as a number and its unit; its value is in minutes. */
const DurationField = ({ label, value, onChange, ...field }: DurationFieldProps) => {
  const [unit, setUnit] = useState<Unit>(() => unitOf(value));
  const [typed, setTyped] = useState(() => (Number.isNaN(value) ? '' : String(value / UNITS[unit])));
  const change = (text: string, of: Unit): void => {
    setTyped(text);
    setUnit(of);
    onChange(text.trim() === '' ? NaN : Number(text) * UNITS[of]);
  };
  return (
    <Group gap={6} align="start" wrap="nowrap">
      <TextInput
        {...field}
        aria-label={label}
        inputMode="numeric"
        autoComplete="off"
        w={64}
        value={typed}
        onChange={({ currentTarget }) => change(currentTarget.value, unit)}
      />
      <NativeSelect
        aria-label={`${label}: unit`}
        data={(Object.keys(UNITS) as Unit[]).reverse().map((each) => ({ value: each, label: NAMES[each] }))}
        value={unit}
        onChange={({ currentTarget }) => change(typed, currentTarget.value as Unit)}
      />
    </Group>
  );
};
