import type { Metadata } from 'next';
import { SettingsPage } from '@/components/settings/settings-page';
import { shellPage } from '../shell-page';

export const metadata: Metadata = { title: 'Settings' };

export default shellPage('manager', SettingsPage);
