import type { MetadataRoute } from 'next';

const ICONS = [
  { src: '/icons/192.png', sizes: '192x192', purpose: 'any' },
  { src: '/icons/512.png', sizes: '512x512', purpose: 'any' },
  { src: '/icons/maskable.png', sizes: '512x512', purpose: 'maskable' },
] as const;

/** Makes Linehaul installable. A manifest has one color; pages name that of the dark theme (app/layout.tsx). */
export default function manifest(): MetadataRoute.Manifest {
  return {
    id: '/',
    name: 'Linehaul',
    short_name: 'Linehaul',
    description: 'Where every truck of a carrier is, and which one needs a call.',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: '#ffffff',
    background_color: '#ffffff',
    icons: ICONS.map((icon) => ({ ...icon, type: 'image/png' })),
  };
}
