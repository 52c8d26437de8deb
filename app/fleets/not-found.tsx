import { AskedParameter } from '@/components/screen/asked-address';
import { PlainPage } from '@/components/screen/plain-page';

export default function NoSuchUsdot() {
  return (
    <PlainPage head="That is not a USDOT number">
      <p>
        The address asks for the fleet of <AskedParameter name="usdot" />. A USDOT number has one to eight
        digits and nothing else, as in <b>/fleets/9000001</b>.
      </p>
    </PlainPage>
  );
}
