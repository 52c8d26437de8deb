/** WCAG 2.2, relative luminance of an sRGB color. */
const toLuminance = (hex: string): number => {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/** WCAG 2.2, contrast ratio of two sRGB colors written as #rrggbb. */
export const toContrast = (a: string, b: string): number => {
  const [high, low] = [toLuminance(a), toLuminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
};
