/** Where a count sits about the middle of its glyph: at the upper right. CSS pixels, y down. */
export const BADGE_LEFT_PX = 4;
export const BADGE_TOP_PX = -19;
export const BADGE_HEIGHT_PX = 15;
const BADGE_PADDING_PX = 4;
const DIGIT_PX = 6.2;

/** A count in at most four characters: 12, 999, 1k, 1.2k, 34k, 0.2M. */
export const toCountText = (count: number): string => {
  if (count < 1000) return String(count);
  if (count < 9950) return `${Number((count / 1000).toFixed(1))}k`;
  if (count < 99_500) return `${Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
};

/** Width of a count's badge, from its text alone, so that placing needs no canvas. */
export const badgeWidthPx = (text: string): number => {
  const digits = text.length - (text.includes('.') ? 0.5 : 0);
  return Math.max(BADGE_HEIGHT_PX, Math.ceil(digits * DIGIT_PX + 2 * BADGE_PADDING_PX));
};
