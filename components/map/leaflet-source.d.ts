declare module 'leaflet/src/Leaflet.js' {
  export * from 'leaflet';
}
