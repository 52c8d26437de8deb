'use client';

import { Button } from '@mantine/core';
import { useState } from 'react';
import { PageFrame, Section } from '@/components/kit/page-frame';
import { Breakable, Small } from '@/components/kit/table';
import { FormDialog } from '@/components/kit/dialog';
import { useViewer } from '@/components/layout/viewer-context';
import { ProblemNote } from '@/components/ui/problem-note';
import { useNowMs } from '@/components/ui/use-now';
import { changeSource, removeDemo } from '@/lib/fleet-source/queries';
import type { Connected, ShownSource } from '@/lib/fleet-source/schema';
import { formatCount, formatMoment } from '@/lib/view/format';
import styles from './source.module.css';
import { OwnForm, ProviderForm } from './source-forms';

const openMap = (): void => window.location.assign('/');

interface SourcePageProps {
  source: ShownSource;
  isUnencrypted: boolean;
}

type Step = 'choice' | 'provider' | 'own' | Connected;

export const SourcePage = ({ source, isUnencrypted }: SourcePageProps) => {
  const [step, setStep] = useState<Step>('choice');
  const form = { source, isUnencrypted, onBack: () => setStep('choice') };
  if (step === 'provider') return <ProviderForm {...form} onConnected={setStep} />;
  if (step === 'own') return <OwnForm {...form} onDone={openMap} />;
  if (step !== 'choice') return <ConnectedNote connected={step} />;
  const isDemo = source.kind === 'demo';
  return (
    <PageFrame
      title={isDemo ? 'Use your own trucks' : 'Fleet source'}
      lead={
        isDemo
          ? 'This is the demo: its trucks are simulated, with faults on purpose. Choose what this server shows.'
          : 'Where the trucks on the map come from.'
      }
      width="cards"
    >
      {isDemo ? null : <Current source={source} />}
      {source.fixedBecause === null ? <Choices kind={source.kind} onStep={setStep} /> : null}
      {source.fixedBecause === 'environment' ? (
        <p>
          The environment of this server sets the source. To choose here, unset FLEET_SOURCE and
          TRACKING_BASE_URL where it is started.
        </p>
      ) : null}
      {source.fixedBecause === 'scope' ? <p>Only a manager who sees all fleets can change it.</p> : null}
      {!isDemo && source.fixedBecause === null ? <DemoSection /> : null}
    </PageFrame>
  );
};

const Current = ({ source: { text, isKeyLost, changed } }: Pick<SourcePageProps, 'source'>) => {
  const nowMs = useNowMs();
  return (
    <Section title={text} isCard>
      {isKeyLost ? (
        <ProblemNote role="alert">
          The stored key cannot be read, because AUTH_SECRET has changed. Enter the key and the token again.
        </ProblemNote>
      ) : null}
      {changed === null ? null : (
        <Small>
          Chosen by <Breakable text={changed.by} />, {formatMoment(changed.atMs, nowMs)}.
        </Small>
      )}
    </Section>
  );
};

interface ChoicesProps {
  kind: ShownSource['kind'];
  onStep: (step: 'provider' | 'own') => void;
}

const Choices = ({ kind, onStep }: ChoicesProps) => (
  <div className={styles.choices}>
    <Section
      title="Track my own trucks"
      lead="Phones, trackers or a Traccar server report to this server. You add your vehicles and connect their devices."
      isCard
    >
      <Button onClick={() => onStep('own')}>
        {kind === 'own' ? 'Change the carrier' : 'Track my own trucks'}
      </Button>
    </Section>
    <Section
      title="Connect a provider"
      lead="Another tracking service already tracks your trucks. You need the address of its API, a key and a provider token."
      isCard
    >
      <Button variant={kind === 'demo' ? 'filled' : 'default'} onClick={() => onStep('provider')}>
        {kind === 'provider' ? 'Replace the key' : 'Connect a provider'}
      </Button>
    </Section>
    {kind === 'demo' ? <KeepLooking /> : <BackToDemo />}
  </div>
);

const KeepLooking = () => {
  // Users who sign in to the demo have no such badge.
  const place =
    useViewer().kind === 'demo'
      ? 'press “Demo” at the top of any page'
      : 'open More → Settings → Fleet source';
  return (
    <Section
      title="Keep looking around"
      lead={`Nothing changes. You can choose at any time: ${place}.`}
      isCard
    >
      <Button variant="default" onClick={openMap}>
        Keep looking around
      </Button>
    </Section>
  );
};

/** Leaves a provider or the own trucks; users stay, so that the demo then needs a sign-in. */
const BackToDemo = () => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title="Go back to the demo"
      lead="The map shows simulated trucks again. A stored key is deleted. Users, vehicles and positions stay."
      isCard
    >
      <Button variant="default" onClick={() => setOpen(true)}>
        Go back to the demo…
      </Button>
      {isOpen ? (
        <FormDialog
          title="Go back to the demo"
          action="Show the demo"
          isDangerous
          onClose={() => setOpen(false)}
          send={async () => {
            await changeSource({ source: { kind: 'demo' }, manager: null });
            openMap();
          }}
        >
          Everyone who signs in sees the demo instead of your trucks. A stored key is deleted.
        </FormDialog>
      ) : null}
    </Section>
  );
};

const DemoSection = () => {
  const [isOpen, setOpen] = useState(false);
  const [note, setNote] = useState('');
  return (
    <Section
      title="Data of the demo"
      lead="The demo’s carrier, vehicles, positions and keys stay in the database until a manager removes them."
    >
      <div>
        <Button variant="default" onClick={() => setOpen(true)}>
          Remove the demo’s data…
        </Button>
      </div>
      <p role="status">{note}</p>
      {isOpen ? (
        <FormDialog
          title="Remove the demo’s data"
          action="Remove it"
          isDangerous
          onClose={() => setOpen(false)}
          send={async () =>
            setNote((await removeDemo()) ? 'The demo’s data is removed.' : 'There was no data of the demo.')
          }
        >
          <p>The demo’s carrier, vehicles, positions and keys are deleted. Your own stay.</p>
        </FormDialog>
      ) : null}
    </Section>
  );
};

const ConnectedNote = ({ connected: { companyName, usdot, units } }: { connected: Connected }) => (
  <PageFrame title="Connected" width="text">
    <Section title={`${companyName}, USDOT ${usdot}`} isCard>
      <p role="status">
        {units === 0
          ? 'The provider answers. No truck has reported lately.'
          : `${formatCount(units, 'truck')} ${units === 1 ? 'reports' : 'report'} now.`}
      </p>
      <div>
        <Button onClick={openMap} autoFocus>
          Open the map
        </Button>
      </div>
    </Section>
  </PageFrame>
);
