'use client';

export { BrokenPage as default } from '@/components/fleet-shell/broken-page';
