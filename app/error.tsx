'use client';

export { BrokenPage as default } from '@/components/screen/broken-page';
