import { AskedParameter } from '@/components/screen/asked-address';
import { PlainPage } from '@/components/screen/plain-page';

export default function NoSuchUsdot() {
  return (
    <PlainPage head="No such fleet here">
      <p>
        The address asks for the fleet of <AskedParameter name="usdot" />. Either this server shows no fleet
        of that number, or it is no USDOT number: one has one to eight digits and nothing else.
      </p>
    </PlainPage>
  );
}
