import { list, object, text, type Shape } from '@/lib/base/shape';
import type { UnitContact } from '@/lib/view/marks';

/** GET /api/fleets/:usdot/contacts: whom to call about each unit that has contacts. */
export const contactsSchema = object({
  contacts: list<UnitContact>(
    object({
      unit: text,
      driver: text,
      driverPhone: text,
      secondDriver: text,
      secondDriverPhone: text,
      dispatcher: text,
      dispatcherPhone: text,
      text,
    }) satisfies Shape<UnitContact>,
  ),
});
