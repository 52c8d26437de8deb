import { Box, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { encode } from 'uqr';
import { useCopy } from '../ui/use-copy';

export const SecretLine = ({ label, text }: { label: string; text: string }) => {
  const { outcome, copy } = useCopy('Text');
  return (
    <div>
      <Text c="dimmed" fz={13} fw={600} mb={4}>
        {label.charAt(0).toUpperCase() + label.slice(1)}
      </Text>
      <Group gap={8} align="start" wrap="nowrap">
        <Box
          component="code"
          className="lh-code"
          flex={1}
          px={10}
          py={8}
          lh={1.5}
          bd="1px solid var(--lh-line)"
          bdrs={8}
          bg="var(--lh-ground)"
          style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
          aria-label={label}
        >
          {text}
        </Box>
        <Button variant="default" aria-label={`Copy ${label}`} onClick={() => void copy(text)}>
          {outcome ?? 'Copy'}
        </Button>
      </Group>
    </div>
  );
};

export interface Secret {
  label: string;
  text: string;
}

interface ShownOnceProps {
  children: ReactNode;
  texts: readonly Secret[];
  onClose: () => void;
}

/** Secrets that a dialog shows once, each with a button that copies it. */
export const ShownOnce = ({ children, texts, onClose }: ShownOnceProps) => (
  <Stack gap={16}>
    <p>{children}</p>
    {texts.map(({ label, text }) => (
      <SecretLine key={label} label={label} text={text} />
    ))}
    <Group justify="flex-end">
      <Button onClick={onClose}>Done</Button>
    </Group>
  </Stack>
);

/** Dark squares as one path, a unit each. */
const toPath = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');

/** A QR code, dark on white in either scheme, with the quiet margin that readers need. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  return (
    <Box
      component="svg"
      display="block"
      w="min(100%, 320px)"
      mx="auto"
      bdrs={8}
      bg="#ffffff"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
    >
      <path d={toPath(data)} fill="#000000" shapeRendering="crispEdges" />
    </Box>
  );
};
