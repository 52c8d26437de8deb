import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { z } from '@/lib/base/zod';
import { FormDialog } from '@/components/kit/dialog';
import { QrCode, SecretLine } from '@/components/kit/secrets';
import { useDeviceChanges } from '@/lib/devices/queries';
import { formatMoment } from '@/lib/view/format';
import type { Device } from '@/lib/devices/schema';

interface PhoneSettings {
  /** The address of this server as phones reach it, such as http://host:port, without a trailing slash. */
  origin: string;
  token: string;
  deviceId: string;
}

/** The path at which the web application mounts the ingest. */
const INGEST_PATH = '/tracking/ingest';

/** A fix a minute, and one every 75 m, suffice for a live map. */
const INTERVAL_S = 60;
const DISTANCE_M = 75;
/** A parked truck is heard this often. */
const HEARTBEAT_S = 300;

/** OwnTracks' number for HTTP (owntracks.org/booklet/tech/json, `mode`). */
const OWNTRACKS_HTTP = 3;

/**
 * Where Traccar Client 9 and later reports to, with its settings as parameters: what its QR code screen takes, and cuts
 * off before it reports (github.com/traccar/traccar-client, configuration_service.dart).
 */
export const toTraccarLink = ({ origin, token, deviceId }: PhoneSettings): string => {
  const settings = new URLSearchParams({
    id: deviceId,
    accuracy: 'high',
    interval: String(INTERVAL_S),
    distance: String(DISTANCE_M),
    heartbeat: String(HEARTBEAT_S),
    buffer: 'true',
  });
  return `${origin}${INGEST_PATH}/${encodeURIComponent(token)}/traccar?${settings}`;
};

const toBase64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** A link that configures OwnTracks, also as a QR code for the phone's camera (owntracks.org/booklet/features/remoteconfig). */
export const toOwntracksLink = ({ origin, token, deviceId }: PhoneSettings): string => {
  const configuration = {
    _type: 'configuration',
    mode: OWNTRACKS_HTTP,
    url: `${origin}${INGEST_PATH}/owntracks`,
    auth: true,
    username: deviceId,
    password: token,
    deviceId,
    locatorInterval: INTERVAL_S,
    locatorDisplacement: DISTANCE_M,
  };
  return `owntracks:///config?inline=${encodeURIComponent(toBase64(JSON.stringify(configuration)))}`;
};

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i;

/** Whether an address is a loopback address, at which a phone would reach itself. */
export const isLoopback = (origin: string): boolean =>
  URL.canParse(origin) && LOOPBACK.test(new URL(origin).hostname);

interface ConnectPhoneProps {
  usdot: string;
  device: Device;
  /** Where phones may reach this server, the likeliest first. */
  phoneOrigins: readonly string[];
  nowMs: number;
  onClose: () => void;
}

const phoneSchema = z.object({
  name: z.string(),
  origin: z
    .string()
    .refine(
      (origin) => /^https?:\/\//.test(origin) && URL.canParse(origin),
      'Enter an address that starts with http:// or https://.',
    )
    .refine((origin) => !isLoopback(origin), 'A phone would reach itself at this address.'),
});

const LOCAL_ONLY =
  '“localhost” is this computer alone. Enter the address at which other devices of your network open Linehaul, such as http://192.168.1.20:3000. None works yet? The person who set up the server can open it to the network.';

const toName = ({ truckNumber, vin }: Device): string => truckNumber ?? vin;

export const ConnectPhone = ({ usdot, device, phoneOrigins, nowMs, onClose }: ConnectPhoneProps) => {
  const { createToken, change } = useDeviceChanges();
  const { vin, truckNumber } = device;
  const here = window.location.origin;
  const origin = isLoopback(here) ? (phoneOrigins[0] ?? here) : here;
  const others = phoneOrigins.filter((each) => each !== origin);
  const title = `Connect a phone to ${toName(device)}`;
  return (
    <FormDialog
      title={title}
      action="Show the code"
      onClose={onClose}
      initialValues={{ name: `Phone of ${toName(device)}`, origin }}
      toInput={({ name, origin }) => ({ name: name.trim(), origin: origin.trim().replace(/\/+$/, '') })}
      schema={phoneSchema}
      send={async ({ name, origin }) => {
        // One that came from elsewhere may have no identifier yet.
        if (device.deviceId === null) await change.mutateAsync({ usdot, vin, truckNumber, deviceId: null });
        const { token } = await createToken.mutateAsync({ usdot, name });
        return { origin, token };
      }}
      once={{
        title,
        content: (settings) => (
          <PhoneCode settings={settings} device={device} nowMs={nowMs} onClose={onClose} />
        ),
      }}
    >
      {({ values, field }) => (
        <>
          <TextInput
            label="Name"
            description="Whose phone it is. You can revoke the token of this phone alone."
            data-autofocus
            {...field('name')}
          />
          <TextInput
            label="Address of this server"
            description={
              isLoopback(values.origin)
                ? LOCAL_ONLY
                : ['The address at which phones reach it.', ...others.map((each) => `Or ${each}`)].join(' ')
            }
            inputMode="url"
            spellCheck={false}
            {...field('origin')}
          />
        </>
      )}
    </FormDialog>
  );
};

const APPS = {
  traccar: {
    name: 'Traccar Client 9 or later',
    steps: 'In the app open Settings, tap the QR code icon at the top, and scan this code.',
    toLink: toTraccarLink,
  },
  owntracks: {
    name: 'OwnTracks',
    steps: 'Scan this code with the phone’s camera, open it with OwnTracks, and accept the settings.',
    toLink: toOwntracksLink,
  },
};

interface PhoneCodeProps extends Omit<ConnectPhoneProps, 'usdot' | 'phoneOrigins'> {
  settings: Omit<PhoneSettings, 'deviceId'>;
}

const PhoneCode = ({ settings, device, nowMs, onClose }: PhoneCodeProps) => {
  const [app, setApp] = useState<keyof typeof APPS>('traccar');
  // A report from before the code was shown is not from this phone.
  const [openedAtMs] = useState(nowMs);
  const { name, steps, toLink } = APPS[app];
  const link = toLink({ ...settings, deviceId: device.deviceId ?? '' });
  const hasReported = device.reportedAtMs !== null && device.reportedAtMs >= openedAtMs;
  return (
    <Stack gap={16}>
      <NativeSelect
        label="App"
        value={app}
        data={Object.entries(APPS).map(([value, each]) => ({ value, label: each.name }))}
        onChange={(event) => setApp(event.currentTarget.value as keyof typeof APPS)}
      />
      <p>{steps} It contains a secret and is shown only once.</p>
      <QrCode text={link} label={`QR code for ${name}`} />
      <SecretLine label="The same settings as a link" text={link} />
      <Group
        justify="space-between"
        // In sight however long the link is.
        pos="sticky"
        bottom={0}
        py={10}
        bg="var(--lh-surface)"
      >
        <p role="status">
          {hasReported
            ? `It has reported at ${formatMoment(device.reportedAtMs!, nowMs)}.`
            : 'Waiting for its first report…'}
        </p>
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
};
