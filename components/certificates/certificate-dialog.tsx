import { Button, Checkbox, Group, Input, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useServerNowMs, useUsdot } from '@/components/fleet-state/fleet-context';
import { Dialog } from '@/components/kit/dialog';
import { Segments } from '@/components/kit/full-page';
import { ApiForm, type FormFields } from '@/components/ui/api-form';
import { useCopy } from '@/components/ui/use-copy';
import { toZoneName } from '@/lib/base/text/zone-name';
import type { TimeRange } from '@/lib/base/time';
import { CERTIFICATE_FIELDS, certificateInputSchema } from '@/lib/proof/certificate';
import { useIssueCertificate } from '@/lib/proof/certificate-queries';
import styles from './certificates.module.css';
import {
  FIELD_LABELS,
  toCertificateInput,
  toFirstValues,
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
  const [issued, setIssued] = useState<IssuedProps['issued'] | null>(null);
  if (issued !== null)
    return (
      <Dialog title="Certificate issued" isReadOut onClose={onClose}>
        <Issued issued={issued} onClose={onClose} />
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
          setIssued({ ...made, isShownByNumber: input.isShownByNumber });
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
            onChoose: () => field('isMoment').onChange(moment),
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
      <Checkbox
        label="Anyone who has its number can open it"
        description="Else they need its PDF, or an account. It cannot be guessed."
        {...{ ...field('isShownByNumber'), value: undefined }}
        checked={values.isShownByNumber}
        onChange={(event) => field('isShownByNumber').onChange(event.currentTarget.checked)}
      />
    </>
  );
};

interface IssuedProps {
  issued: { number: string; isShownByNumber: boolean };
  onClose: () => void;
}

const Issued = ({ issued: { number, isShownByNumber }, onClose }: IssuedProps) => {
  const { outcome, copy } = useCopy('Link');
  const url = `${window.location.origin}/d/${number}`;
  return (
    <Stack gap={16}>
      <p>
        <b>{number}</b>.{' '}
        {isShownByNumber
          ? 'Anyone who has the link can open and check it.'
          : 'Only your users can open it. Send its PDF.'}
      </p>
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button variant="default" onClick={() => void copy(url)}>
          {outcome ?? 'Copy link'}
        </Button>
        {/* Not a page of the application, so not a link of its router. */}
        <Button component="a" href={url}>
          Open
        </Button>
      </Group>
    </Stack>
  );
};
