import { METERS_PER_MILE } from '@/lib/geo/units';
import { formatWhole } from '@/lib/view/format';

/** Circumference of the earth at the equator in Web Mercator, meters. */
const EQUATOR_M = 40_075_016.686;
const FEET_PER_MILE = 5280;

interface ScaleBar {
  text: string;
  widthPx: number;
}

export const metersPerPixel = (lat: number, zoom: number): number =>
  (EQUATOR_M * Math.cos((lat * Math.PI) / 180)) / (256 * 2 ** zoom);

/** The largest of 1, 2, 5 times a power of ten that is not above a value. */
const toRound = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([5, 2, 1].find((n) => n * power <= value) ?? 1) * power;
};

const toBar = (unitM: number, unit: string, perPixelM: number, maxPx: number): ScaleBar => {
  const count = toRound((maxPx * perPixelM) / unitM);
  return { text: `${formatWhole(count)} ${unit}`, widthPx: (count * unitM) / perPixelM };
};

/** A bar in miles (feet when near) and one in kilometers (meters when near), each at most `maxPx` wide. */
export const toScaleBars = (lat: number, zoom: number, maxPx: number): [us: ScaleBar, metric: ScaleBar] => {
  const perPixelM = metersPerPixel(lat, zoom);
  const longestM = maxPx * perPixelM;
  const us =
    longestM >= METERS_PER_MILE
      ? toBar(METERS_PER_MILE, 'mi', perPixelM, maxPx)
      : toBar(METERS_PER_MILE / FEET_PER_MILE, 'ft', perPixelM, maxPx);
  const metric = longestM >= 1000 ? toBar(1000, 'km', perPixelM, maxPx) : toBar(1, 'm', perPixelM, maxPx);
  return [us, metric];
};
