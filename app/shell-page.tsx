import type { ComponentType } from 'react';
import { PageShell } from '@/components/layout/page-shell';
import { requirePage } from '@/server/page';

/** A page of the application in its shell, for viewers with the access. */
export const shellPage = (access: Parameters<typeof requirePage>[0], Content: ComponentType) =>
  async function Page() {
    return (
      <PageShell viewer={await requirePage(access)}>
        <Content />
      </PageShell>
    );
  };
