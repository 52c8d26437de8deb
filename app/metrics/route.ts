import { AppError } from '@/lib/base/http/problems';
import { requireMetricsToken } from '@/lib/ops/metrics/metrics';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'Prometheus metrics for the bearer of METRICS_TOKEN; without that setting there are none.',
  access: 'token',
  handle: async (context) => {
    const { metrics, env } = context;
    requireMetricsToken(context.request.headers, env.metricsToken);
    if (metrics === null) throw new AppError('unknown-address');
    const { text, contentType } = await metrics.render(context);
    return new Response(text, { headers: { 'content-type': contentType, 'cache-control': 'no-store' } });
  },
});
