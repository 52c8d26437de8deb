import type { Metadata } from 'next';
import { WallScreensPage } from '@/components/wall-screens/wall-screens-page';
import { shellPage } from '../shell-page';

export const metadata: Metadata = { title: 'Wall screens' };

export default shellPage('manager', WallScreensPage);
