export const SCREEN_DISTANCES = ['desk', 'wall', 'hall'] as const;
export type ScreenDistance = (typeof SCREEN_DISTANCES)[number];

/** How a screen shows its fleet, as chosen when it was made. */
export interface ScreenDisplay {
  distance: ScreenDistance;
  /** The map goes from region to region. */
  isRotating: boolean;
}

/** How far a reader stands from the smallest screen of 16 to 9 that one hangs there, and how high its picture is. */
const READERS = {
  /** A monitor of 24 inches. */
  desk: { distanceM: 1, heightM: 0.299 },
  /** A television of 55 inches. */
  wall: { distanceM: 5, heightM: 0.685 },
  /** A television of 75 inches. */
  hall: { distanceM: 10, heightM: 0.934 },
} as const satisfies Record<ScreenDistance, { distanceM: number; heightM: number }>;

/**
 * The least visual angle of a capital letter: an inch of letter height for 30 feet, as road signs have it (Manual on
 * Uniform Traffic Control Devices, 2009, section 2A.13).
 */
export const LEAST_ARC_MIN = (Math.atan(1 / 360) * 180 * 60) / Math.PI;
/** The height of capital letters of sans-serif typefaces, of the size of the type; the lowest in use. */
const CAPITAL_OF_TYPE = 0.7;
/** Larger than the least by this: a television may be smaller, and a reader may stand behind others. */
const MARGIN = 1.05;

/** The visual angle of a capital letter of type, minutes of arc, on a screen with a picture of this many pixels' height. */
export const toArcMin = (typePx: number, screenHeightPx: number, distance: ScreenDistance): number => {
  const { distanceM, heightM } = READERS[distance];
  const letterM = ((typePx * CAPITAL_OF_TYPE) / screenHeightPx) * heightM;
  return (Math.atan(letterM / distanceM) * 180 * 60) / Math.PI;
};

/** The smallest type of a screen, in hundredths of its height. */
export const toTypeVh = (distance: ScreenDistance): number =>
  (100 * LEAST_ARC_MIN * MARGIN) / toArcMin(1, 1, distance);
