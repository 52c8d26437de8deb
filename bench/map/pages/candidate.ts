/** Places of all units, degrees × 100,000. */
export interface Places {
  latE5: Int32Array;
  lngE5: Int32Array;
}

/** A way to draw units at given positions. Both resolve when it has drawn. */
export interface Candidate {
  create(root: HTMLElement, places: Places): Promise<void>;
  move(places: Places): Promise<void>;
}

declare global {
  interface Window {
    candidate: {
      /** Fetches the places of a step, outside of what is measured. */
      load(step: number): Promise<void>;
      /** Milliseconds from the places being in memory to the first frame with them. */
      create(): Promise<number>;
      move(): Promise<void>;
    };
  }
}

export const UNITED_STATES = { lat: 38.5, lng: -96.5, zoom: 5 };
export const DEGREES_PER_E5 = 1e-5;

/** Resolves after the next frame has been rendered. */
export const nextFrame = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** Gives the bench a hold on this page's way of drawing. */
export const registerCandidate = ({ create, move }: Candidate): void => {
  let places: Places = { latE5: new Int32Array(0), lngE5: new Int32Array(0) };
  window.candidate = {
    load: async (step) => {
      const numbers = new Int32Array(await (await fetch(`/peers/places/${step}`)).arrayBuffer());
      const units = numbers.length / 2;
      places = { latE5: numbers.subarray(0, units), lngE5: numbers.subarray(units) };
    },
    create: async () => {
      const beganAtMs = performance.now();
      await create(document.getElementById('root')!, places);
      return performance.now() - beganAtMs;
    },
    move: () => move(places),
  };
};
