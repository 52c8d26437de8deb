import { Button, Group, NativeSelect, Stack, TextInput, Textarea } from '@mantine/core';
import { IconCircle, IconPolygon } from '@tabler/icons-react';
import { useState, type KeyboardEvent } from 'react';
import { DrawTools } from '@/components/kit/split';
import { SMALL_BUTTON } from '@/components/ui/mantine-theme';
import { isEnter } from '@/components/ui/shortcuts';
import { TownField } from '@/components/ui/town-field';
import type { NamedPlace } from '@/lib/gazetteer/place';
import { siteShapeSchema, type SiteShape } from '@/lib/rules/site';
import type { DrawTool } from './shape-editor';
import {
  RADIUS_UNITS,
  spreadCenter,
  toShapeTexts,
  toTypedShape,
  type RadiusUnit,
  type ShapeTexts,
} from './shape-text';
import styles from './editor.module.css';

const TOOLS = [
  { tool: 'circle', label: 'Circle', Icon: IconCircle },
  { tool: 'polygon', label: 'Polygon', Icon: IconPolygon },
] as const;

/** Shapes that are changed by numbers, of each type. */
export type FirstShapes = { [Type in DrawTool]: SiteShape & { type: Type } };

const NUMBERS: Record<DrawTool, string> = {
  circle: 'Enter a center and a radius',
  polygon: 'Enter corners',
};

interface ShapeFieldsProps {
  /** Null while there is none. */
  shape: SiteShape | null;
  /** Where numbers begin that are entered without a drawing. */
  first: FirstShapes;
  tool: DrawTool | null;
  /** From the form: what is wrong with the shape. */
  error: unknown;
  onTool: (tool: DrawTool | null) => void;
  /** The map goes to a town. */
  onTown: (town: NamedPlace) => void;
  /** Null: the numbers are no shape. */
  onChange: (shape: SiteShape | null) => void;
}

export const ShapeFields = (props: ShapeFieldsProps) => {
  const { shape, first, tool, error, onTool, onTown, onChange } = props;
  const [typed, setTyped] = useState<{ texts: ShapeTexts; shape: SiteShape | null } | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  // What was drawn replaces what was typed.
  const isTyped = typed !== null && (shape === null || typed.shape === shape);
  const texts = isTyped ? typed.texts : shape === null ? null : toShapeTexts(shape);
  const type = (entered: ShapeTexts, isDone: boolean): void => {
    const before = isTyped ? typed.shape : shape;
    if (!isDone) return setTyped({ texts: entered, shape });
    const next = spreadCenter(entered);
    const parsed = siteShapeSchema.safeParse(toTypedShape(next, before));
    const taken = parsed.data ?? null;
    // Left without a change.
    if (taken !== null && JSON.stringify(taken) === JSON.stringify(shape)) return;
    setFault(parsed.error?.issues[0]?.message ?? null);
    setTyped({ texts: next, shape: taken });
    onChange(taken);
  };
  const shown = (isTyped ? fault : null) ?? (shape === null && error ? String(error) : null);
  return (
    <Stack gap={8} p={12} bd="1px solid var(--lh-line)" bdrs={8} bg="var(--lh-ground)" data-path="shape">
      <TownField onChoose={onTown} />
      <Tools isNew={shape === null} tool={tool} onTool={onTool} />
      {texts === null ? null : texts.type === 'circle' ? (
        <CircleFields texts={texts} isFocused={isTyped} onType={type} />
      ) : (
        <Textarea
          label="Corners"
          autoFocus={isTyped}
          description="One per line: latitude, longitude."
          rows={5}
          maxRows={12}
          autosize
          spellCheck={false}
          value={texts.corners}
          onChange={({ currentTarget }) => type({ ...texts, corners: currentTarget.value }, false)}
          onBlur={() => type(texts, true)}
        />
      )}
      <NumberButtons
        type={texts?.type ?? null}
        onChoose={(tool) => {
          onTool(null);
          type(toShapeTexts(first[tool]), true);
        }}
      />
      {shown === null ? null : (
        <p role="alert" className="lh-problem">
          {shown}
        </p>
      )}
    </Stack>
  );
};

/** Begin a shape of another type by its numbers. */
const NumberButtons = ({ type, onChoose }: { type: DrawTool | null; onChoose: (tool: DrawTool) => void }) => (
  <Group gap={0} my={-4}>
    {TOOLS.filter(({ tool }) => tool !== type).map(({ tool }) => (
      <Button key={tool} {...SMALL_BUTTON} variant="subtle" px={8} onClick={() => onChoose(tool)}>
        {NUMBERS[tool]}
        {type === null ? null : ' instead'}
      </Button>
    ))}
  </Group>
);

const Tools = ({ isNew, tool, onTool }: Pick<ShapeFieldsProps, 'tool' | 'onTool'> & { isNew: boolean }) => (
  <DrawTools
    tools={TOOLS}
    tool={tool}
    labelOf={(label) => (isNew ? `Draw a ${label.toLowerCase()}` : label)}
    onTool={onTool}
  />
);

const CircleFields = ({
  texts,
  isFocused,
  onType,
}: {
  texts: ShapeTexts & { type: 'circle' };
  isFocused: boolean;
  onType: (next: ShapeTexts, isDone: boolean) => void;
}) => {
  const toInput = (name: 'lat' | 'lng' | 'radius') => ({
    inputMode: 'decimal' as const,
    value: texts[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onType({ ...texts, [name]: currentTarget.value }, false),
    onBlur: () => onType(texts, true),
    onKeyDown: (event: KeyboardEvent) => {
      if (!isEnter(event)) return;
      // It shows the number on the map, and does not save the site yet.
      event.preventDefault();
      onType(texts, true);
    },
  });
  return (
    <div className={styles.circle}>
      <TextInput label="Latitude" autoFocus={isFocused} {...toInput('lat')} />
      <TextInput label="Longitude" {...toInput('lng')} />
      <TextInput label="Radius" {...toInput('radius')} />
      <NativeSelect
        aria-label="Unit of the radius"
        data={Object.keys(RADIUS_UNITS)}
        value={texts.unit}
        onChange={({ currentTarget }) => onType({ ...texts, unit: currentTarget.value as RadiusUnit }, true)}
      />
    </div>
  );
};
