-- Counts a call of a provider, unless too many were counted or the provider is paused.
--
-- KEYS[1]  list: server times of the counted calls, ms, oldest first
-- KEYS[2]  string: exists while nobody may call the provider
-- ARGV[1]  how many calls may be counted in a window
-- ARGV[2]  window, ms
--
-- Returns {"counted" | "full" | "paused", ms until it may be called again if it is paused}.

local paused = redis.call('PTTL', KEYS[2])
if paused > 0 then
  return {'paused', paused}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local oldest = tonumber(redis.call('LINDEX', KEYS[1], 0))
-- A time in the future is left from before the server's clock went back.
while oldest and (oldest <= now - ARGV[2] or oldest > now) do
  redis.call('LPOP', KEYS[1])
  oldest = tonumber(redis.call('LINDEX', KEYS[1], 0))
end
if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[1]) then
  return {'full', 0}
end
redis.call('RPUSH', KEYS[1], string.format('%d', now))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {'counted', 0}
