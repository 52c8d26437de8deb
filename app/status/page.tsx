import type { Metadata } from 'next';
import { StatusPage } from '@/components/status/status-page';
import { shellPage } from '../shell-page';

export const metadata: Metadata = { title: 'Status' };

export default shellPage('manager', StatusPage);
