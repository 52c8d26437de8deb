import { AdminPage } from '@/components/admin/admin-page';

/** The fleets are read from a provider: its devices report there. */
export const DevicesElsewhere = ({ hosts }: { hosts: string[] }) => (
  <AdminPage
    title="Devices"
    lead={
      <>
        Linehaul reads your trucks from <b>{hosts.join(', ')}</b>. Their devices report there, and vehicles
        are added there. Which of them report, and which have gone silent, is on the roster of each fleet.
      </>
    }
  />
);
