'use client';

export { BrokenPage as default } from '@/components/fleet/broken-page';
