'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useViewer } from '@/components/layout/viewer-context';
import { Dialog } from '@/components/ui/dialog';
import { FleetFields, readFleetFields } from '@/components/admin/fleet-fields';
import { TextField } from '@/components/ui/form-fields';
import { SendForm } from '@/components/ui/send-form';
import { ShownOnce } from '@/components/ui/shown-once';
import { createWallScreen, revokeWallScreen } from '@/lib/wall-screens/queries';
import type { WallScreen } from '@/lib/wall-screens/schema';

/** A new wall screen, from its name to the link that opens it. */
export const AddScreen = ({ onClose }: { onClose: () => void }) => {
  const { usdots: ownUsdots } = useViewer();
  const queries = useQueryClient();
  const [made, setMade] = useState<{ name: string; link: string } | null>(null);
  return (
    <Dialog title={made === null ? 'Add a screen' : 'Copy the link'} isHeld={made !== null} onClose={onClose}>
      {made === null ? (
        <SendForm
          action="Make the screen"
          onCancel={onClose}
          send={async (fields) => {
            const name = String(fields.get('name') ?? '');
            const { screen, token } = await createWallScreen({ name, usdots: readFleetFields(fields) });
            await queries.invalidateQueries({ queryKey: ['screens'] });
            setMade({ name: screen.name, link: `${window.location.origin}/screen#${token}` });
          }}
        >
          <TextField name="name" label="Name" description="Where it hangs." data-autofocus />
          <FleetFields usdots={ownUsdots} ownUsdots={ownUsdots} />
        </SendForm>
      ) : (
        <ShownOnce texts={[{ label: 'Link', text: made.link }]} onClose={onClose}>
          <b>Open this link in the browser of {made.name}.</b> It is not shown again; whoever has it sees what
          the screen sees.
        </ShownOnce>
      )}
    </Dialog>
  );
};

export const RevokeScreen = ({ screen, onClose }: { screen: WallScreen; onClose: () => void }) => {
  const queries = useQueryClient();
  return (
    <Dialog title={`Revoke “${screen.name}”`} isHeld={false} onClose={onClose}>
      <SendForm
        action="Revoke the screen"
        isDangerous
        onCancel={onClose}
        send={async () => {
          await revokeWallScreen(screen.id);
          await queries.invalidateQueries({ queryKey: ['screens'] });
          onClose();
        }}
      >
        <p>
          <b>{screen.name}</b> shows no map any more, and its link is worth nothing. This cannot be undone.
        </p>
      </SendForm>
    </Dialog>
  );
};
