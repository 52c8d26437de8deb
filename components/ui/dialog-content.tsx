import { Box, Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface DialogContentProps {
  title: string;
  /** Screen readers read all of its text when it opens, which of a form would be each label and value. */
  isReadOut?: boolean;
  isClosable?: boolean;
  children: ReactNode;
}

/** The content of a `Modal.Root`. Its head is not a banner, of which the page has one. */
export const DialogContent = ({
  title,
  isReadOut = false,
  isClosable = true,
  children,
}: DialogContentProps) => {
  // A `Modal.Body` describes its dialog.
  const Body = isReadOut ? Modal.Body : Box;
  return (
    <>
      <Modal.Overlay />
      <Modal.Content aria-label={title} radius="lg">
        <Body px={20} pb={20}>
          <Group
            justify="space-between"
            wrap="nowrap"
            pt={16}
            pb={12}
            // It stays while the rest scrolls.
            pos="sticky"
            top={0}
            bg="var(--lh-surface)"
            style={{ zIndex: 3 }}
          >
            <Text component="h2" fz={17} fw={650} lh={1.4} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Text>
            <Modal.CloseButton aria-label="Close" disabled={!isClosable} />
          </Group>
          {children}
        </Body>
      </Modal.Content>
    </>
  );
};
