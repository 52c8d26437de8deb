import 'server-only';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Makers of the metrics of a registry, whose names begin with "linehaul_". */
export const createMakers = (registry: Registry) => {
  const about = <Label extends string>(name: string, help: string, labelNames: Label[]) => ({
    ...{ name: `linehaul_${name}`, help, labelNames, registers: [registry] },
  });
  return {
    counter: <Label extends string = never>(name: string, help: string, ...labels: Label[]) =>
      new Counter<Label>(about(name, help, labels)),
    gauge: <Label extends string = never>(name: string, help: string, ...labels: Label[]) =>
      new Gauge<Label>(about(name, help, labels)),
    histogram: <Label extends string>(name: string, help: string, buckets: number[], label: Label) =>
      new Histogram<Label>({ ...about(name, help, [label]), buckets }),
  };
};
