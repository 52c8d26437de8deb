import type { Metadata } from 'next';
import { HelpPage } from '@/components/help/help-page';
import { shellPage } from '../shell-page';

export const metadata: Metadata = { title: 'Help' };

export default shellPage('viewer', HelpPage);
