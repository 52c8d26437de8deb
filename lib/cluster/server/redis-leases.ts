import 'server-only';
import { z } from 'zod';
import type { ClusterConnection } from './connection';
import { LEASE_MS, SHOWN_MS, type LeaseStore, parseServerReport } from './lease-store';
import { KEY_PREFIX } from './messages';

/*
 * The keys of leases, below KEY_PREFIX; all times are of Redis's clock, in ms.
 *
 * members       sorted set: each server by its last beat, and for some minutes after it
 * server:NAME   what a server states about itself, with an expiry
 * wanted        sorted set: each fleet by when a server last wanted it to be polled
 * watched       sorted set: each fleet by when a server last had browsers that show it
 * born          when this Redis first held leases: an emptied one has lost them
 * lease:USDOT   "MEMBER FENCE" of the owner, with an expiry
 * fence:USDOT   the last fencing number of the fleet
 * polled:USDOT  when the owner that has handed the fleet over polled it last
 */

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * One beat of a server: renews its leases and reads the state of all.
 *
 * KEYS: the prefix. ARGV: member, ms that a lease and a beat last, JSON of { wanted, watched, leases: [usdot, fence][] }, what
 * the server states about itself, ms that this is kept.
 * Returns [kept usdots, ms since this Redis first held leases, [member, ms since its beat, what it states or ''][],
 * [usdot, '1' if watched, owner or '', last fence][]].
 *
 * A lease that is gone is renewed where no other server has had the fleet since; one that a server has taken with a greater
 * fencing number while it did not reach this Redis replaces the one that is here.
 */
const BEAT = `
local prefix, member, lasting, input = KEYS[1], ARGV[1], tonumber(ARGV[2]), cjson.decode(ARGV[3])
local stated, shown = ARGV[4], tonumber(ARGV[5])
${NOW}
redis.call('SET', prefix .. 'born', string.format('%.0f', now), 'NX')
redis.call('ZADD', prefix .. 'members', now, member)
redis.call('SET', prefix .. 'server:' .. member, stated, 'PX', shown)
redis.call('ZREMRANGEBYSCORE', prefix .. 'members', '-inf', now - shown)
for _, name in ipairs({'wanted', 'watched'}) do
  for _, usdot in ipairs(input[name]) do redis.call('ZADD', prefix .. name, now, usdot) end
end
for _, name in ipairs({'wanted', 'watched'}) do
  redis.call('ZREMRANGEBYSCORE', prefix .. name, '-inf', now - lasting)
end
local kept = {}
for _, lease in ipairs(input.leases) do
  local usdot, fence = lease[1], lease[2]
  local key, value = prefix .. 'lease:' .. usdot, member .. ' ' .. fence
  local held, last = redis.call('GET', key), redis.call('GET', prefix .. 'fence:' .. usdot)
  local newer = not last or tonumber(last) < tonumber(fence)
  if held == value or newer or (not held and last == fence) then
    redis.call('SET', key, value, 'PX', lasting)
    redis.call('SET', prefix .. 'fence:' .. usdot, fence)
    kept[#kept + 1] = usdot
  end
end
local fleets = {}
for _, usdot in ipairs(redis.call('ZRANGE', prefix .. 'wanted', 0, -1)) do
  local held = redis.call('GET', prefix .. 'lease:' .. usdot)
  fleets[#fleets + 1] = {
    usdot,
    redis.call('ZSCORE', prefix .. 'watched', usdot) and '1' or '',
    held and string.match(held, '^(%S+)') or '',
    redis.call('GET', prefix .. 'fence:' .. usdot) or '0',
  }
end
local servers, beats = {}, redis.call('ZRANGE', prefix .. 'members', 0, -1, 'WITHSCORES')
for i = 1, #beats, 2 do
  local about = redis.call('GET', prefix .. 'server:' .. beats[i])
  servers[#servers + 1] = {beats[i], now - tonumber(beats[i + 1]), about or ''}
end
local born = tonumber(redis.call('GET', prefix .. 'born'))
return {kept, now - born, servers, fleets}
`;

/**
 * Takes the leases of fleets that are free. KEYS: the prefix. ARGV: member, ms that a lease lasts, and of each fleet its usdot
 * and the least fence. Returns [usdot, fence, ms since it was polled or ''][] of those taken. A fence is the time, and
 * greater than each before it: also after Redis has lost its data. It is even; PostgreSQL gives odd ones.
 */
const ACQUIRE = `
local prefix, member, lasting = KEYS[1], ARGV[1], ARGV[2]
${NOW}
local taken = {}
for i = 3, #ARGV, 2 do
  local usdot, least = ARGV[i], tonumber(ARGV[i + 1])
  if redis.call('EXISTS', prefix .. 'lease:' .. usdot) == 0 then
    local last = tonumber(redis.call('GET', prefix .. 'fence:' .. usdot) or '0')
    local number = math.max(now, last + 1, least)
    local fence = string.format('%.0f', number + number % 2)
    local polled = redis.call('GET', prefix .. 'polled:' .. usdot)
    redis.call('DEL', prefix .. 'polled:' .. usdot)
    redis.call('SET', prefix .. 'fence:' .. usdot, fence)
    redis.call('SET', prefix .. 'lease:' .. usdot, member .. ' ' .. fence, 'PX', lasting)
    taken[#taken + 1] = {usdot, fence, polled and string.format('%.0f', now - tonumber(polled)) or ''}
  end
end
return taken
`;

/** Ends a lease. KEYS: the prefix. ARGV: usdot, the lease's value, ms since the fleet was polled or '', ms that this is kept. */
const RELEASE = `
local key = KEYS[1] .. 'lease:' .. ARGV[1]
if redis.call('GET', key) ~= ARGV[2] then return 0 end
${NOW}
if ARGV[3] ~= '' then
  redis.call('SET', KEYS[1] .. 'polled:' .. ARGV[1], string.format('%.0f', now - tonumber(ARGV[3])), 'PX', ARGV[4])
end
return redis.call('DEL', key)
`;

/** A server leaves. KEYS: the prefix. ARGV: member. */
const LEAVE = `
redis.call('DEL', KEYS[1] .. 'server:' .. ARGV[1])
return redis.call('ZREM', KEYS[1] .. 'members', ARGV[1])
`;

/** Stores a version, if the lease is ours: 1, else 0. KEYS: lease, version. ARGV: lease's value, bytes, ms kept. */
export const STORE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return 1
`;

export const toLeaseKey = (usdot: string): string => `${KEY_PREFIX}lease:${usdot}`;
export const toLiveKey = (usdot: string): string => `${KEY_PREFIX}live:${usdot}`;
export const toLeaseValue = (member: string, fence: number): string => `${member} ${fence}`;

const beatSchema = z.tuple([
  z.array(z.string()),
  z.number(),
  z.array(z.tuple([z.string(), z.number(), z.string()])),
  z.array(z.tuple([z.string(), z.string(), z.string(), z.coerce.number()])),
]);
const takenSchema = z.array(z.tuple([z.string(), z.coerce.number(), z.string()]));

export const createRedisLeases = (connection: Pick<ClusterConnection, 'eval'>): LeaseStore => ({
  name: 'redis',
  beat: async (member, { wanted, watched, leases, report }) => {
    const input = {
      ...{ wanted, watched },
      leases: leases.map(({ usdot, fence }) => [usdot, String(fence)]),
    };
    const reply = await connection.eval(
      BEAT,
      [KEY_PREFIX],
      [member, String(LEASE_MS), JSON.stringify(input), JSON.stringify(report), String(SHOWN_MS)],
    );
    const [kept, ageMs, servers, fleets] = beatSchema.parse(reply);
    return {
      kept,
      isSettled: ageMs >= LEASE_MS,
      servers: servers.map(([id, silentMs, stated]) => ({
        ...{ id, silentMs },
        report: parseServerReport(stated),
      })),
      fleets: new Map(
        fleets.map(([usdot, isWatched, owner, fence]) => [
          usdot,
          { isWatched: isWatched !== '', owner: owner || null, fence },
        ]),
      ),
    };
  },
  acquire: async (member, fleets) => {
    const wanted = fleets.flatMap(({ usdot, fence }) => [usdot, String(fence)]);
    const reply = await connection.eval(ACQUIRE, [KEY_PREFIX], [member, String(LEASE_MS), ...wanted]);
    return takenSchema.parse(reply).map(([usdot, fence, polledAgoMs]) => ({
      ...{ usdot, fence },
      polledAgoMs: polledAgoMs === '' ? null : Number(polledAgoMs),
    }));
  },
  release: async (member, { usdot, fence }, polledAgoMs) => {
    const polled = polledAgoMs === null ? '' : String(Math.round(polledAgoMs));
    await connection.eval(
      RELEASE,
      [KEY_PREFIX],
      [usdot, toLeaseValue(member, fence), polled, String(SHOWN_MS)],
    );
  },
  leave: async (member) => void (await connection.eval(LEAVE, [KEY_PREFIX], [member])),
});
