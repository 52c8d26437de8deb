let magnification = 1;

/** Maps of this page are shown so many times larger than they are laid out; set before the first is made. */
export const magnifyMaps = (times: number): void => {
  magnification = times;
};

/** Device pixels a CSS pixel of a map. */
export const readPixelRatio = (): number => (window.devicePixelRatio || 1) * magnification;
