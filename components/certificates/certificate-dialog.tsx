import { Checkbox, Input, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useServerNowMs, useUsdot } from '@/components/fleet-state/fleet-context';
import { Dialog } from '@/components/kit/dialog';
import { Segments } from '@/components/kit/full-page';
import { ApiForm, type FormFields } from '@/components/ui/api-form';
import { toZoneName } from '@/lib/base/text/zone-name';
import type { TimeRange } from '@/lib/base/time';
import { CERTIFICATE_FIELDS, certificateInputSchema } from '@/lib/proof/certificate';
import { useIssueCertificate } from '@/lib/proof/certificate-queries';
import type { IssuedDocument } from '@/lib/proof/schema';
import { Issued } from '@/components/statements/issued';
import { ShownField } from '@/components/statements/shown-field';
import styles from './certificates.module.css';
import {
  FIELD_LABELS,
  toCertificateInput,
  toFirstValues,
  toRangeStart,
  type CertificateValues,
} from './certificate-values';

interface CertificateDialogProps {
  unit: string;
  name: string;
  range: TimeRange | null;
  onClose: () => void;
}

/** Issues a certificate of where a truck was, at a moment or in a range. */
export const CertificateDialog = ({ unit, name, range, onClose }: CertificateDialogProps) => {
  const issue = useIssueCertificate(useUsdot());
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const nowMs = useServerNowMs();
  const [first] = useState(() => toFirstValues(range, nowMs, zone));
  const [isSending, setSending] = useState(false);
  const [issued, setIssued] = useState<IssuedDocument | null>(null);
  if (issued !== null)
    return (
      <Dialog title="Certificate issued" isReadOut onClose={onClose}>
        <Issued issued={issued} canMail={false} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={`Position certificate: truck ${name}`} isSending={isSending} onClose={onClose}>
      <ApiForm
        initialValues={first}
        toInput={(values) => toCertificateInput(values, unit, zone)}
        schema={certificateInputSchema}
        action="Issue certificate"
        send={async (input) => {
          setSending(true);
          const made = await issue.mutateAsync(input).finally(() => setSending(false));
          setIssued(made);
        }}
        onCancel={onClose}
      >
        {(form) => <Fields form={form} zone={zone} nowMs={nowMs} />}
      </ApiForm>
    </Dialog>
  );
};

interface FieldsProps {
  form: FormFields<CertificateValues>;
  zone: string;
  nowMs: number;
}

const Fields = ({ form: { values, field }, zone, nowMs }: FieldsProps) => {
  const { isMoment } = values;
  const zoneName = toZoneName(zone, nowMs, 'longGeneric');
  return (
    <>
      <p>
        A signed document with each fix, when it was made and when it was seen, and each gap. It never
        changes.
      </p>
      <Input.Wrapper label="About" labelElement="div">
        <Segments
          label="About"
          segments={[true, false].map((moment) => ({
            label: moment ? 'A moment' : 'A range, up to a day',
            isChosen: isMoment === moment,
            onChoose: () => {
              field('isMoment').onChange(moment);
              if (!moment) field('fromMs').onChange(toRangeStart(values, zone));
            },
          }))}
        />
      </Input.Wrapper>
      <div className={styles.times}>
        <TextInput
          type="datetime-local"
          step={1}
          label={isMoment ? 'Moment' : 'From'}
          description={zoneName}
          {...field('fromMs')}
        />
        {isMoment ? null : (
          <TextInput type="datetime-local" step={1} label="To" description={zoneName} {...field('toMs')} />
        )}
      </div>
      <Checkbox.Group label="It says" {...field('fields')}>
        <div className={styles.boxes}>
          {CERTIFICATE_FIELDS.map((each) => (
            <Checkbox key={each} value={each} label={FIELD_LABELS[each]} />
          ))}
        </div>
      </Checkbox.Group>
      <ShownField field={field} />
    </>
  );
};
