'use client';

import { TextInput } from '@mantine/core';
import { SendForm } from '@/components/desk/send-form';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { createWallScreen } from '@/lib/queries/wall-screens';

interface NewScreenFormProps {
  onCancel: () => void;
  onMade: (name: string, token: string) => void;
}

const LABELS = { name: 'Name', usdots: 'USDOT numbers' };

/** "1234567, 89" as numbers; null where nothing was typed. What is no number stays as it is, for the server to refuse. */
const readUsdots = (text: string): string[] | null => {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  return words.length === 0 ? null : words.map((word) => parseUsdot(word) ?? word);
};

/** A new wall screen: what it is called, and which fleets it may show. */
export const NewScreenForm = ({ onCancel, onMade }: NewScreenFormProps) => (
  <SendForm
    labels={LABELS}
    action="Make the screen"
    onCancel={onCancel}
    send={async (fields) => {
      const usdots = readUsdots(String(fields.get('usdots') ?? ''));
      const { screen, token } = await createWallScreen({ name: String(fields.get('name') ?? ''), usdots });
      onMade(screen.name, token);
    }}
  >
    <TextInput name="name" label={LABELS.name} description="Where it hangs" size="md" autoFocus required />
    <TextInput
      name="usdots"
      label={LABELS.usdots}
      description="Which fleets it may show, separated by commas; empty: all"
      size="md"
      inputMode="numeric"
    />
  </SendForm>
);
