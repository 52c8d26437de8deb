/** The element id of the panel's heading, which gets the focus before the panel's code may be loaded. */
export const PANEL_HEADING_ID = 'unit-panel-heading';
