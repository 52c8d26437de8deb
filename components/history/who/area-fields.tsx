import { Box } from '@mantine/core';
import { IconCircle, IconRectangle } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { DrawTools, Part } from '@/components/kit/split';
import { BareButton } from '@/components/ui/bare-button';
import { isEnter } from '@/components/ui/shortcuts';
import { TownField } from '@/components/ui/town-field';
import { METERS_PER_MILE } from '@/lib/geo/units';
import { faultOf, formatArea, type Area } from '@/lib/reports/who/area';
import type { Tool } from './draw-area';
import styles from './who.module.css';

const TOOLS = [
  { tool: 'rectangle', label: 'Rectangle', Icon: IconRectangle },
  { tool: 'circle', label: 'Circle', Icon: IconCircle },
] as const;

interface AreaFieldsProps {
  area: Area | null;
  tool: Tool | null;
  /** A site is chosen: the fields of an area are folded. */
  isSite: boolean;
  onTool: (tool: Tool | null) => void;
  onChoose: (area: Area) => void;
  /** A field for a site. */
  children: ReactNode;
}

export const AreaFields = ({ area, tool, isSite, onTool, onChoose, children }: AreaFieldsProps) => (
  <Part className={styles.fields}>
    {children}
    <details className={styles.other} open={!isSite}>
      <summary>Another area</summary>
      <DrawTools tools={TOOLS} tool={tool} onTool={onTool}>
        {/* A town gives a circle about it. */}
        <Box flex="1 1 100%">
          <TownField
            onChoose={({ lat, lng, radiusM }) =>
              onChoose({ kind: 'circle', lat, lng, radiusM: Math.round(radiusM) })
            }
          />
        </Box>
      </DrawTools>
      <Numbers area={area} onChoose={onChoose} />
    </details>
  </Part>
);

interface Field {
  label: string;
  value: number;
  with: (value: number) => Area;
}

const toFields = (area: Area): Field[] =>
  area.kind === 'circle'
    ? [
        { label: 'Latitude', value: area.lat, with: (lat) => ({ ...area, lat }) },
        { label: 'Longitude', value: area.lng, with: (lng) => ({ ...area, lng }) },
        {
          label: 'Radius, mi',
          value: Math.round((area.radiusM / METERS_PER_MILE) * 100) / 100,
          with: (miles) => ({ ...area, radiusM: Math.round(miles * METERS_PER_MILE) }),
        },
      ]
    : [
        { label: 'South', value: area.south, with: (south) => ({ ...area, south }) },
        { label: 'West', value: area.west, with: (west) => ({ ...area, west }) },
        { label: 'North', value: area.north, with: (north) => ({ ...area, north }) },
        { label: 'East', value: area.east, with: (east) => ({ ...area, east }) },
      ];

/** Where numbers begin that are entered without a drawing: Amarillo, in the middle of the interstates. */
const FIRST: Area = { kind: 'circle', lat: 35.2, lng: -101.83, radiusM: 8000 };

const Numbers = ({ area, onChoose }: Pick<AreaFieldsProps, 'area' | 'onChoose'>) => {
  const [fault, setFault] = useState<{ area: Area; text: string } | null>(null);
  if (area === null)
    return (
      <BareButton className="lh-link" onClick={() => onChoose(FIRST)}>
        Enter numbers instead
      </BareButton>
    );
  const change = (field: Field, text: string): void => {
    const next = field.with(text.trim() === '' ? NaN : Number(text));
    const found = faultOf(next);
    setFault(found === null ? null : { area, text: found });
    if (found === null && formatArea(next) !== formatArea(area)) onChoose(next);
  };
  return (
    <div className={styles.numbers} role="group" aria-label={area.kind === 'circle' ? 'Circle' : 'Rectangle'}>
      {toFields(area).map((field, index) => (
        <NumberField
          key={field.label}
          field={field}
          isFocused={index === 0 && formatArea(area) === formatArea(FIRST)}
          onChange={(text) => change(field, text)}
        />
      ))}
      {fault?.area === area ? <p role="alert">{fault.text}</p> : null}
    </div>
  );
};

interface NumberFieldProps {
  field: Field;
  isFocused: boolean;
  onChange: (text: string) => void;
}

const NumberField = ({ field, isFocused, onChange }: NumberFieldProps) => {
  const shown = String(Math.round(field.value * 1e5) / 1e5);
  const [entered, setEntered] = useState({ shown, text: shown });
  // The area was changed on the map, or by another field.
  if (entered.shown !== shown) setEntered({ shown, text: shown });
  return (
    <label>
      <span>{field.label}</span>
      <input
        type="number"
        className="lh-field"
        step="any"
        autoFocus={isFocused}
        value={entered.text}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setEntered({ shown, text: target.value })}
        onBlur={() => onChange(entered.text)}
        onKeyDown={(event) => {
          if (isEnter(event)) onChange(entered.text);
        }}
      />
    </label>
  );
};
