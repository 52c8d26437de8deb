declare module 'leaflet/src/Leaflet.js' {
  export * from 'leaflet';
}

declare module 'leaflet/src/map/handler/Map.BoxZoom.js' {
  import type { Handler } from 'leaflet';
  export const BoxZoom: typeof Handler;
}
