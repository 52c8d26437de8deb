'use client';

import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useEffectEvent } from 'react';
import type { SiteShape } from '@/lib/rules/site';
import { showEditable, startDrawing, type DrawTool } from './shape-editor';

interface ShapeOverlayProps {
  map: LeafletMap;
  shape: SiteShape | null;
  /** The tool with which a new shape is being drawn; null: the shape can be changed. */
  tool: DrawTool | null;
  color: string;
  onChange: (shape: SiteShape) => void;
}

/** The shape of a site on the map, drawn and changed by mouse or touch. */
export const ShapeOverlay = ({ map, shape, tool, color, onChange }: ShapeOverlayProps) => {
  const take = useEffectEvent(onChange);
  useEffect(() => {
    if (tool === null) return;
    return startDrawing(map, tool, color, (drawn) => take(drawn));
  }, [map, tool, color]);
  useEffect(() => {
    if (shape === null || tool !== null) return;
    return showEditable(map, shape, color, (changed) => take(changed));
  }, [map, shape, tool, color]);
  return null;
};
