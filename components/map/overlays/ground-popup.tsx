import { Menu } from '@mantine/core';
import { PopupBody } from '@/components/ui/popup/popup-body';
import type { LatLng } from '@/lib/geo/units';
import type { GroundItem } from '../fleet-map-props';

interface GroundPopupProps {
  anchor: HTMLElement;
  items: readonly GroundItem[];
  at: LatLng;
  onClose: () => void;
}

export const GroundPopup = ({ anchor, items, at, onClose }: GroundPopupProps) => (
  <PopupBody
    kind="menu"
    id="ground-menu"
    anchor={anchor}
    isOpen
    width={220}
    position="bottom-start"
    onOpenChange={(isOpen) => {
      if (!isOpen) onClose();
    }}
  >
    {items.map(({ label, run }) => (
      <Menu.Item key={label} onClick={() => run(at)}>
        {label}
      </Menu.Item>
    ))}
  </PopupBody>
);
