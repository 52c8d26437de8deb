'use client';

import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useViewer } from '@/components/layout/viewer-context';
import { Dialog } from '@/components/ui/dialog';
import { FleetFields, toFleetValues, toUsdots } from '@/components/admin/fleet-fields';
import { ApiForm, ConfirmForm } from '@/components/ui/api-form';
import { ShownOnce } from '@/components/ui/shown-once';
import { createWallScreen, revokeWallScreen } from '@/lib/wall-screens/queries';
import { newWallScreenSchema } from '@/lib/wall-screens/schema';
import type { WallScreen } from '@/lib/wall-screens/schema';

/** A new wall screen, from its name to the link that opens it. */
export const AddScreen = ({ onClose }: { onClose: () => void }) => {
  const { usdots: ownUsdots } = useViewer();
  const queries = useQueryClient();
  const [made, setMade] = useState<{ name: string; link: string } | null>(null);
  return (
    <Dialog title={made === null ? 'Add a screen' : 'Copy the link'} isHeld={made !== null} onClose={onClose}>
      {made === null ? (
        <ApiForm
          action="Make the screen"
          onCancel={onClose}
          initialValues={{ name: '', ...toFleetValues(ownUsdots, ownUsdots) }}
          toInput={(values) => ({ name: values.name, usdots: toUsdots(values) })}
          schema={newWallScreenSchema}
          send={async (input) => {
            const { screen, token } = await createWallScreen(input);
            await queries.invalidateQueries({ queryKey: ['screens'] });
            setMade({ name: screen.name, link: `${window.location.origin}/screen#${token}` });
          }}
        >
          {(form) => (
            <>
              <TextInput label="Name" description="Where it hangs." data-autofocus {...form.field('name')} />
              <FleetFields form={form} ownUsdots={ownUsdots} />
            </>
          )}
        </ApiForm>
      ) : (
        <ShownOnce texts={[{ label: 'Link', text: made.link }]} onClose={onClose}>
          <b>Open this link in the browser of {made.name}.</b> It is not shown again; everyone who has it sees
          what the screen sees.
        </ShownOnce>
      )}
    </Dialog>
  );
};

export const RevokeScreen = ({ screen, onClose }: { screen: WallScreen; onClose: () => void }) => {
  const queries = useQueryClient();
  return (
    <Dialog title={`Revoke “${screen.name}”`} isHeld={false} onClose={onClose}>
      <ConfirmForm
        action="Revoke the screen"
        isDangerous
        onClose={onClose}
        send={async () => {
          await revokeWallScreen(screen.id);
          await queries.invalidateQueries({ queryKey: ['screens'] });
        }}
      >
        <p>
          <b>{screen.name}</b> shows no map any more, and its link is worth nothing. This cannot be undone.
        </p>
      </ConfirmForm>
    </Dialog>
  );
};
