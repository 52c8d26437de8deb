import { Button, Group, Stack } from '@mantine/core';
import { Dialog } from '@/components/kit/dialog';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { ProblemNote } from '@/components/ui/problem-note';
import type { Webhook } from '@/lib/alerts/answers';
import { useWebhookChanges } from '@/lib/alerts/message-queries';

interface TestWebhookProps {
  webhook: Webhook;
  onClose: () => void;
}

/** Sends a message that says that it is a test, and shows what came back. */
export const TestWebhook = ({ webhook: { id, name, url }, onClose }: TestWebhookProps) => {
  const { test } = useWebhookChanges(useUsdot());
  const { data, error, isPending } = test;
  return (
    <Dialog title={`Test “${name}”`} onClose={onClose}>
      <Stack gap={16}>
        <p>Linehaul posts one signed test message to {url}, and waits for the answer.</p>
        <div role="status">
          {data === undefined ? null : data.error === null ? (
            <p>
              <b>Accepted.</b> The program answered {data.status}.
            </p>
          ) : (
            <ProblemNote>Not accepted: {data.error}</ProblemNote>
          )}
        </div>
        {error === null ? null : <ProblemNote role="alert">{error.message}</ProblemNote>}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button data-autofocus loading={isPending} onClick={() => test.mutate(id)}>
            Send the test
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
};
