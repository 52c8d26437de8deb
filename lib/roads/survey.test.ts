import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { INTERSTATES } from './interstates';
import { parseFreeways } from '@/testing/roads/freeways';
import { measureRoads } from '@/testing/roads/measure-roads';

const surveyPath = process.env.LINEHAUL_ROADS;
const title = surveyPath
  ? 'the table against a survey of freeways'
  : 'the table against a survey of freeways (skipped: LINEHAUL_ROADS names no freeway graph)';

describe.skipIf(!surveyPath)(title, () => {
  // Not 100 %: roads younger than the survey (I-22, most of I-49 and of Indiana's I-69) are nowhere near a line of it.
  it('lies near the surveyed lines, or where their bends may run', () => {
    const report = measureRoads(INTERSTATES, parseFreeways(readFileSync(surveyPath!, 'utf8')));
    expect(report.waypointsNear).toBeGreaterThan(0.85);
    expect(report.waypointsPlausible).toBeGreaterThan(0.93);
    expect(report.chordsNear).toBeGreaterThan(0.98);
  });
});
