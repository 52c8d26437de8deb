import { AskedParameter } from '@/components/ui/asked-address';
import { PlainPage } from '@/components/layout/plain-page';

export default function NoSuchUsdot() {
  return (
    <PlainPage head="No such fleet">
      <p>
        The address asks for the fleet of <AskedParameter name="usdot" />. That is not a USDOT number, or none
        whose fleet you may see. One has one to eight digits and nothing else, as in <b>/fleets/9000001</b>.
      </p>
    </PlainPage>
  );
}
