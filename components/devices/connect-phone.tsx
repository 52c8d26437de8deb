'use client';

import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { z } from 'zod';
import { SecretLine } from '@/components/ui/secret-line';
import { Dialog } from '@/components/ui/dialog';
import { QrCode } from '@/components/ui/qr-code';
import { ApiForm } from '@/components/ui/api-form';
import { useDeviceChanges } from '@/lib/devices/queries';
import { momentWords } from '@/lib/view/clock';
import type { Device } from '@/lib/devices/schema';
import { isLoopback, toOwntracksLink, toTraccarLink } from './phone-links';
import type { PhoneSettings } from './phone-links';

interface ConnectPhoneProps {
  usdot: string;
  device: Device & { deviceId: string };
  nowMs: number;
  onClose: () => void;
}

const phoneSchema = z.object({
  name: z.string(),
  origin: z
    .string()
    .refine(
      (origin) => /^https?:\/\//.test(origin) && URL.canParse(origin),
      'The address of this server begins with http:// or https://.',
    ),
});

const toName = ({ truckNumber, vin }: Device): string => truckNumber ?? vin;

/** Connects a phone that reports for a vehicle: a token of its own, and a QR code that sets the app up. */
export const ConnectPhone = ({ usdot, device, nowMs, onClose }: ConnectPhoneProps) => {
  const { createToken } = useDeviceChanges();
  const [settings, setSettings] = useState<PhoneSettings | null>(null);
  const { deviceId } = device;
  return (
    <Dialog onClose={onClose} title={`Connect a phone to ${toName(device)}`} isHeld={settings !== null}>
      {settings === null ? (
        <ApiForm
          action="Show the code"
          onCancel={onClose}
          initialValues={{ name: `Phone of ${toName(device)}`, origin: window.location.origin }}
          toInput={({ name, origin }) => ({ name: name.trim(), origin: origin.trim().replace(/\/+$/, '') })}
          schema={phoneSchema}
          send={async ({ name, origin }) => {
            const { token } = await createToken.mutateAsync({ usdot, name });
            setSettings({ origin, token, deviceId });
          }}
        >
          {({ values, field }) => (
            <>
              <TextInput
                label="Name"
                description="Whose phone it is. Its token can be revoked by itself."
                data-autofocus
                {...field('name')}
              />
              <TextInput
                label="Address of this server"
                description={
                  isLoopback(values.origin)
                    ? 'This address leads a phone to itself. Put in the one by which phones reach this server.'
                    : 'As phones reach it.'
                }
                inputMode="url"
                spellCheck={false}
                {...field('origin')}
              />
            </>
          )}
        </ApiForm>
      ) : (
        <PhoneCode settings={settings} device={device} nowMs={nowMs} onClose={onClose} />
      )}
    </Dialog>
  );
};

const APPS = {
  traccar: {
    name: 'Traccar Client 9 or later',
    steps: 'In the app open Settings, press the QR code at the top, and scan this.',
    toLink: toTraccarLink,
  },
  owntracks: {
    name: 'OwnTracks',
    steps: 'Scan this with the phone’s camera, open it with OwnTracks, and accept the settings.',
    toLink: toOwntracksLink,
  },
};

interface PhoneCodeProps extends Omit<ConnectPhoneProps, 'usdot'> {
  settings: PhoneSettings;
}

const PhoneCode = ({ settings, device, nowMs, onClose }: PhoneCodeProps) => {
  const [app, setApp] = useState<keyof typeof APPS>('traccar');
  // A report that was there before the code says nothing of this phone.
  const [openedAtMs] = useState(nowMs);
  const { name, steps, toLink } = APPS[app];
  const link = toLink(settings);
  const hasReported = device.reportedAtMs !== null && device.reportedAtMs >= openedAtMs;
  return (
    <Stack gap={16}>
      <NativeSelect
        label="App"
        value={app}
        data={Object.entries(APPS).map(([value, each]) => ({ value, label: each.name }))}
        onChange={(event) => setApp(event.currentTarget.value as keyof typeof APPS)}
      />
      <p>{steps} It holds a secret and is shown this once.</p>
      <QrCode text={link} label={`QR code for ${name}`} />
      <SecretLine label="The same as a link" text={link} />
      <p role="status">
        {hasReported
          ? `It has reported, at ${momentWords(device.reportedAtMs!, nowMs)}.`
          : 'Waiting for its first report…'}
      </p>
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
};
