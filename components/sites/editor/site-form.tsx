import { Group, NativeSelect, Radio, TextInput, Textarea } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { ApiForm, type FormFields } from '@/components/ui/api-form';
import { WeeklyHoursField } from '@/components/ui/weekly-hours/weekly-hours-field';
import type { NamedPlace } from '@/lib/gazetteer/place';
import { SITE_KIND_LABELS } from '@/lib/sites/kinds';
import { SITE_COLORS, SITE_PALETTE } from '@/lib/sites/palette';
import {
  DEFAULT_MARGIN_M,
  SITE_KINDS,
  siteInputSchema,
  type SiteInput,
  type SiteKind,
  type SiteShape,
} from '@/lib/rules/site';
import { METERS_PER_FOOT } from '@/lib/geo/units';
import { ShapeFields, type FirstShapes } from './shape-fields';
import type { DrawTool } from './shape-editor';
import styles from './editor.module.css';

/** The fields of a form; the margin is in feet. */
interface SiteValues extends Omit<SiteInput, 'shape' | 'marginM'> {
  marginM: string;
}

const toValues = ({
  name,
  kind,
  color,
  notes,
  openingHours,
  marginM,
}: Omit<SiteInput, 'shape'>): SiteValues => ({
  name,
  kind,
  color,
  notes,
  openingHours,
  marginM: String(Math.round(marginM / METERS_PER_FOOT)),
});

export const NEW_SITE: Omit<SiteInput, 'shape'> = {
  name: '',
  kind: 'yard',
  color: SITE_COLORS.yard,
  notes: '',
  openingHours: null,
  marginM: DEFAULT_MARGIN_M,
};

interface SiteFormProps {
  site: Omit<SiteInput, 'shape'>;
  shape: SiteShape | null;
  firstShapes: FirstShapes;
  tool: DrawTool | null;
  action: string;
  onTool: (tool: DrawTool | null) => void;
  onTown: (town: NamedPlace) => void;
  onShape: (shape: SiteShape | null) => void;
  onColor: (color: string) => void;
  onCancel: () => void;
  send: (site: SiteInput) => Promise<void>;
}

export const SiteForm = (props: SiteFormProps) => {
  const { site, shape, firstShapes, tool, action, onTool, onTown, onShape, onColor, onCancel, send } = props;
  const toInput = ({ marginM, ...values }: SiteValues): SiteInput => ({
    ...values,
    notes: values.notes.trim(),
    marginM: marginM.trim() === '' ? NaN : Math.round(Number(marginM) * METERS_PER_FOOT),
    // The schema says so where there is none.
    shape: shape as SiteShape,
  });
  return (
    <ApiForm
      initialValues={toValues(site)}
      toInput={toInput}
      schema={siteInputSchema}
      send={send}
      action={action}
      onCancel={onCancel}
    >
      {(form: FormFields<SiteValues>) => (
        <>
          <TextInput
            label="Name"
            placeholder="Yard Dallas"
            data-autofocus
            autoFocus
            {...form.field('name')}
          />
          <ShapeFields
            shape={shape}
            first={firstShapes}
            tool={tool}
            error={form.field('shape').error}
            onTool={onTool}
            onTown={onTown}
            onChange={onShape}
          />
          <KindField form={form} onColor={onColor} />
          <ColorField form={form} onColor={onColor} />
          <TextInput
            label="Margin, ft"
            description="So far outside the edge a truck still counts as here."
            inputMode="numeric"
            {...form.field('marginM')}
          />
          <WeeklyHoursField
            label="Opening hours"
            noneLabel="Always open, or not known"
            {...form.field('openingHours')}
            value={form.values.openingHours}
          />
          <Textarea label="Notes" rows={3} autosize maxRows={10} {...form.field('notes')} />
        </>
      )}
    </ApiForm>
  );
};

interface FieldProps {
  form: FormFields<SiteValues>;
  onColor: (color: string) => void;
}

const KIND_OPTIONS = SITE_KINDS.map((kind) => ({ value: kind, label: SITE_KIND_LABELS[kind] }));

/** Another kind brings its color, unless another one was chosen. */
const KindField = ({ form, onColor }: FieldProps) => {
  const kind = form.field('kind');
  const color = form.field('color');
  return (
    <NativeSelect
      label="Kind"
      data={KIND_OPTIONS}
      {...kind}
      onChange={({ currentTarget }) => {
        const next = currentTarget.value as SiteKind;
        kind.onChange(next);
        if (form.values.color !== SITE_COLORS[form.values.kind]) return;
        color.onChange(SITE_COLORS[next]);
        onColor(SITE_COLORS[next]);
      }}
    />
  );
};

const ColorField = ({ form, onColor }: FieldProps) => {
  const color = form.field('color');
  const palette = Object.entries(SITE_PALETTE) as [string, string][];
  const isOther = !palette.some(([, hex]) => hex === form.values.color);
  return (
    <Radio.Group
      label="Color"
      {...color}
      onChange={(hex) => {
        color.onChange(hex);
        onColor(hex);
      }}
    >
      <Group gap={6} pt={6}>
        {[...palette, ...(isOther ? [['Its own', form.values.color] as [string, string]] : [])].map(
          ([name, hex]) => (
            <Radio.Card key={hex} value={hex} className={styles.color} aria-label={name} title={name}>
              <span style={{ background: hex }}>
                {hex === form.values.color ? <IconCheck size={16} stroke={3} aria-hidden="true" /> : null}
              </span>
            </Radio.Card>
          ),
        )}
      </Group>
    </Radio.Group>
  );
};
