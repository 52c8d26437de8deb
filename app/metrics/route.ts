import { AppError } from '@/lib/base/http/problems';
import { requireMetricsToken } from '@/lib/ops/metrics/metrics';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Prometheus metrics for the bearer of METRICS_TOKEN; without that setting there are none. */
export const GET = createRoute(
  async ({ request, runtime }) => {
    requireMetricsToken(request.headers, runtime.env.metricsToken);
    if (runtime.metrics === null) throw new AppError('unknown-address');
    const { text, contentType } = await runtime.metrics.render(runtime);
    return new Response(text, { headers: { 'content-type': contentType, 'cache-control': 'no-store' } });
  },
  { access: 'token' },
);
