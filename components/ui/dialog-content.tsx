import { Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** The content of a `Modal.Root`. Its head is not a banner, of which the page has one. */
export const DialogContent = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <Modal.Overlay />
    <Modal.Content aria-label={title} radius="lg">
      <Modal.Body px={20} pt={16} pb={20}>
        <Group justify="space-between" wrap="nowrap" mb={12}>
          <Text component="h2" fz={17} fw={650} lh={1.4} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Text>
          <Modal.CloseButton aria-label="Close" />
        </Group>
        {children}
      </Modal.Body>
    </Modal.Content>
  </>
);
