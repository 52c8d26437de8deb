import { FLAG_PATH, GLYPH_HALF_BOX, toGlyphShape, type GlyphPart } from './glyph-shapes';
import type { UnitRow } from '@/lib/view/unit-row';
import type { Status } from '@/lib/motion/status';

interface StatusGlyphProps {
  status: Status;
  /** Degrees clockwise from north; null or negative where none was derived. */
  headingDeg?: number | null;
  /** Side in pixels. */
  size?: number;
  flagged?: boolean;
  className?: string;
}

const VIEW_BOX = `${-GLYPH_HALF_BOX} ${-GLYPH_HALF_BOX} ${2 * GLYPH_HALF_BOX} ${2 * GLYPH_HALF_BOX}`;

const toFill = (part: GlyphPart, ink: string): string => {
  if (part.fill === null) return 'none';
  return part.fill === 'ink' ? ink : 'var(--lh-surface)';
};

/** The map's symbol of a status, for lists and legends. Decorative: put the status in words beside it. */
export function StatusGlyph({ status, headingDeg, size = 18, flagged = false, className }: StatusGlyphProps) {
  const hasHeading = headingDeg != null && headingDeg >= 0;
  const shape = toGlyphShape(status, hasHeading);
  const ink = `var(--lh-${status})`;
  return (
    <svg
      className={className}
      width={size}
      height={size}
      viewBox={VIEW_BOX}
      aria-hidden="true"
      focusable="false"
      style={{ flex: 'none', overflow: 'visible' }}
    >
      <g transform={shape.turns && hasHeading ? `rotate(${headingDeg})` : undefined}>
        {shape.parts.map((part, i) => (
          <path
            key={i}
            d={part.path}
            fill={toFill(part, ink)}
            stroke={part.strokeWidth > 0 ? ink : 'none'}
            strokeWidth={part.strokeWidth}
            strokeLinejoin="round"
            strokeLinecap="round"
            strokeDasharray={part.dash?.join(' ')}
          />
        ))}
      </g>
      {flagged && (
        <path
          d={FLAG_PATH}
          fill="var(--lh-flag)"
          stroke="var(--lh-surface)"
          strokeWidth={1.4}
          paintOrder="stroke"
          strokeLinejoin="round"
        />
      )}
    </svg>
  );
}

export const UnitGlyph = ({ unit, size }: { unit: UnitRow; size: number }) => (
  <StatusGlyph
    status={unit.status}
    headingDeg={unit.headingDeg}
    flagged={unit.flags.length > 0}
    size={size}
  />
);

export const FlagSign = ({ size }: { size: number }) => (
  <svg width={size} height={size - 1} viewBox="0 0 10 9" aria-hidden="true">
    <path d="M5 0.5 9.6 8.5H0.4Z" fill="currentcolor" />
  </svg>
);
