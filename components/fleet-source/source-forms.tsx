import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import { PageFrame, Section } from '@/components/kit/page-frame';
import { useViewer } from '@/components/layout/viewer-context';
import { ApiForm, type FormFields } from '@/components/ui/api-form';
import { EmailField, NameField, PasswordField } from '@/components/ui/person-fields';
import { ProblemNote } from '@/components/ui/problem-note';
import { signIn } from '@/lib/auth/queries';
import { changeSource, removeDemo } from '@/lib/fleet-source/queries';
import {
  sourceChangeSchema,
  type Connected,
  type ShownSource,
  type SourceChangeInput,
} from '@/lib/fleet-source/schema';
import type { OwnCarrier } from '@/lib/identity/own-carrier';
import styles from './source.module.css';

interface FormProps {
  source: ShownSource;
  isUnencrypted: boolean;
  onBack: () => void;
}

const NEW_MANAGER = { name: '', email: '', password: '' };

interface SourceFormProps extends FormProps {
  title: string;
  lead: string;
  action: string;
  initial: SourceChangeInput['source'];
  onSent: (connected: Connected | null) => void;
  children: (form: FormFields) => ReactNode;
}

/** Sends a change and signs its manager in; a second attempt goes on where the first one failed. */
const useSendChange = () => {
  const changed = useRef<{ connected: Connected | null } | null>(null);
  return async (change: SourceChangeInput): Promise<Connected | null> => {
    changed.current ??= { connected: await changeSource(change) };
    const { manager } = change;
    if (manager !== null) await signIn({ email: manager.email, password: manager.password });
    return changed.current.connected;
  };
};

const SourceForm = (props: SourceFormProps) => {
  const { source, isUnencrypted, onBack, title, lead, action, initial, onSent, children } = props;
  const isDemoViewer = useViewer().kind === 'demo';
  const isDemo = source.kind === 'demo';
  const [removesDemo, setRemovesDemo] = useState(isDemo);
  const send = useSendChange();
  return (
    <PageFrame
      title={title}
      lead={lead}
      width="text"
      actions={
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
      }
    >
      {isUnencrypted ? (
        <ProblemNote role="note">
          This connection is not known to be encrypted. Others on the network could read what you type.
        </ProblemNote>
      ) : null}
      <ApiForm<SourceChangeInput>
        initialValues={{ source: initial, manager: isDemoViewer ? NEW_MANAGER : null }}
        schema={sourceChangeSchema}
        action={action}
        send={async (change) => {
          const connected = await send(change);
          if (removesDemo) await removeDemo();
          onSent(connected);
        }}
      >
        {(form) => (
          <>
            {children(form)}
            {isDemoViewer ? (
              <Section
                title="Your account"
                lead="From now on everyone signs in. You become the first manager, and can then invite others."
                isCard
              >
                <NameField form={form} path="manager.name" />
                <EmailField form={form} path="manager.email" />
                <PasswordField isNew label="Password" form={form} name="manager.password" />
              </Section>
            ) : null}
            {isDemo ? (
              <Checkbox
                label="Remove the demo’s data from the database"
                checked={removesDemo}
                onChange={(event) => setRemovesDemo(event.currentTarget.checked)}
              />
            ) : null}
          </>
        )}
      </ApiForm>
    </PageFrame>
  );
};

const toCarrierFields = (carrier: OwnCarrier | null) => ({
  companyName: carrier?.companyName ?? '',
  usdot: carrier?.usdot ?? '',
  mcNumber: carrier?.mcNumber ?? '',
});

export const OwnForm = ({ onDone, ...props }: FormProps & { onDone: () => void }) => (
  <SourceForm
    {...props}
    title={props.source.kind === 'own' ? 'Change the carrier' : 'Track my own trucks'}
    lead={
      props.source.kind === 'own'
        ? 'A new USDOT number starts an empty fleet. The vehicles, devices and keys of the old number stay in the database, and More → Devices still lists them.'
        : 'Your devices report to this server. Next you add vehicles and connect their devices.'
    }
    action={props.source.kind === 'own' ? 'Change the carrier' : 'Track my own trucks'}
    initial={{ kind: 'own', carrier: toCarrierFields(props.source.carrier) }}
    onSent={onDone}
  >
    {({ field }) => (
      <Section title="Your carrier" isCard>
        <TextInput
          label="Carrier name"
          size="md"
          autoComplete="organization"
          autoFocus
          required
          {...field('source.carrier.companyName')}
        />
        <div className={styles.pair}>
          <TextInput
            label="USDOT number"
            size="md"
            inputMode="numeric"
            autoComplete="off"
            required
            {...field('source.carrier.usdot')}
          />
          <TextInput
            label="MC number (optional)"
            size="md"
            autoComplete="off"
            {...field('source.carrier.mcNumber')}
          />
        </div>
      </Section>
    )}
  </SourceForm>
);

const SecretField = ({ label, ...field }: { label: string }) => (
  <PasswordInput
    label={label}
    size="md"
    autoComplete="off"
    required
    visibilityToggleButtonProps={{ 'aria-label': `Show the ${label}` }}
    {...field}
  />
);

/** A provider's tracking API, which is tried before it is stored. */
export const ProviderForm = ({
  onConnected,
  ...props
}: FormProps & { onConnected: (connected: Connected) => void }) => (
  <SourceForm
    {...props}
    title="Connect a provider"
    lead="Linehaul tries the key before it stores it. Key and token are encrypted, and never shown again."
    action="Test and connect"
    initial={{
      kind: 'provider',
      provider: {
        baseUrl: props.source.provider?.baseUrl ?? '',
        usdot: props.source.provider?.usdot ?? '',
        apiKey: '',
        providerToken: '',
      },
    }}
    onSent={(connected) => connected && onConnected(connected)}
  >
    {({ field }) => (
      <Section title="The provider’s tracking API" isCard>
        <TextInput
          label="Base URL"
          description="Without /api, as in https://tracking.example.com"
          type="url"
          size="md"
          autoComplete="off"
          spellCheck={false}
          autoFocus
          required
          {...field('source.provider.baseUrl')}
        />
        <SecretField label="API key" {...field('source.provider.apiKey')} />
        <SecretField label="Provider token" {...field('source.provider.providerToken')} />
        <TextInput
          label="USDOT number (optional)"
          description="The fleet to open. Leave it empty for the fleet of the key’s carrier."
          size="md"
          inputMode="numeric"
          autoComplete="off"
          {...field('source.provider.usdot')}
        />
      </Section>
    )}
  </SourceForm>
);
