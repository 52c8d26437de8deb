import { siteInputSchema } from '@/lib/rules/site';
import { z } from '@/lib/base/zod';

export const MAX_SITES = 5000;
/** The most corners of all polygons of a fleet. */
export const MAX_FLEET_CORNERS = 100_000;

/** PATCH /api/fleets/:usdot/sites/:id: what is left out stays as it is. */
export const siteChangeSchema = siteInputSchema.partial();
export type SiteChange = z.infer<typeof siteChangeSchema>;

/** A site of a file. What is left out stays as it is for a site of that name, and has its default for a new one. */
export const importedSiteSchema = siteInputSchema.partial().required({ name: true, shape: true });
export type ImportedSite = z.infer<typeof importedSiteSchema>;

export const MAX_IMPORT_BYTES = 5 * 1024 * 1024;

/** POST /api/fleets/:usdot/sites/import: adds the sites, and changes those that have their names; all of them or none. */
export const siteImportSchema = z.strictObject({
  sites: z
    .array(importedSiteSchema)
    .min(1, 'There is no site to import.')
    .max(MAX_SITES, `A fleet has at most ${MAX_SITES} sites.`)
    .superRefine((sites, context) => {
      const firstOf = new Map<string, number>();
      sites.forEach(({ name }, index) => {
        const first = firstOf.get(name);
        if (first === undefined) firstOf.set(name, index);
        else
          context.addIssue({
            code: 'custom',
            path: [index, 'name'],
            message: `Another site is “${name}” too.`,
          });
      });
    }),
});
