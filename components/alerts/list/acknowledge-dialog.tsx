import { Textarea } from '@mantine/core';
import { useMoment } from '@/components/alert-bell/use-moment';
import { FormDialog } from '@/components/kit/dialog';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useAnnounce } from '@/components/ui/announcer';
import { useAlertChanges } from '@/lib/alerts/queries';
import { acknowledgeSchema } from '@/lib/alerts/schema';
import type { Alert } from '@/lib/rules/alert-rule';
import { alertText } from '@/lib/alerts/text';

/** Takes an alert on, so that colleagues see who did, with a note for them. */
export const AcknowledgeDialog = ({ alert, onClose }: { alert: Alert; onClose: () => void }) => {
  const { acknowledge } = useAlertChanges(useUsdot());
  const moment = useMoment();
  const announce = useAnnounce();
  return (
    <FormDialog
      title="Acknowledge"
      action="Acknowledge"
      initialValues={{ note: '' }}
      schema={acknowledgeSchema}
      send={async ({ note }) => {
        await acknowledge.mutateAsync({ id: alert.id, note });
        announce('Acknowledged.');
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p>{alertText(alert, moment)}.</p>
          <Textarea
            label="Note"
            description="For your colleagues: what you do about it. You can leave it empty."
            rows={2}
            data-autofocus
            {...field('note')}
          />
        </>
      )}
    </FormDialog>
  );
};
