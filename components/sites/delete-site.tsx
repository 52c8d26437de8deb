import { FormDialog } from '@/components/kit/dialog';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useSiteChanges } from '@/lib/sites/page-queries';
import type { Site } from '@/lib/rules/site';

interface DeleteSiteProps {
  site: Site;
  onClose: () => void;
  onDeleted: () => void;
}

export const DeleteSite = ({ site, onClose, onDeleted }: DeleteSiteProps) => {
  const { remove } = useSiteChanges(useUsdot());
  return (
    <FormDialog
      title={`Delete ${site.name}?`}
      action="Delete site"
      isDangerous
      send={async () => {
        await remove.mutateAsync(site.id);
        onDeleted();
      }}
      onClose={onClose}
    >
      All users of this fleet lose the site, and its recorded arrivals and departures. Alert rules that name
      it no longer fire for it. This cannot be undone.
    </FormDialog>
  );
};
