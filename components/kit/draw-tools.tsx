import { Button, Group } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { SMALL_BUTTON } from '../ui/mantine-theme';

interface DrawToolsProps<Tool extends string> {
  tools: readonly { tool: Tool; label: string; Icon: Icon }[];
  /** The one in use. */
  tool: Tool | null;
  labelOf?: (label: string) => string;
  onTool: (tool: Tool | null) => void;
  children?: ReactNode;
}

/** Buttons of the shapes that can be drawn on a map; the one in use is put away by its button. */
export const DrawTools = <Tool extends string>(props: DrawToolsProps<Tool>) => {
  const { tools, tool, labelOf = (label) => label, onTool, children } = props;
  return (
    <Group gap={8} role="group" aria-label="Draw on the map">
      {tools.map(({ tool: each, label, Icon: Sign }) => (
        <Button
          key={each}
          {...SMALL_BUTTON}
          variant={tool === each ? 'filled' : 'default'}
          leftSection={<Sign size={17} stroke={1.8} aria-hidden="true" />}
          aria-pressed={tool === each}
          onClick={() => onTool(tool === each ? null : each)}
        >
          {labelOf(label)}
        </Button>
      ))}
      {children}
    </Group>
  );
};
