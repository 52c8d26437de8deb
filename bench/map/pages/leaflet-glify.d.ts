declare module 'leaflet.glify';
