-- Renews places, and takes those again that Redis has lost.
--
-- KEYS[n]    sorted set: the places of one name, by when they are free again, ms of the server's clock
-- ARGV[1]    how long a place is taken without being renewed, ms
-- ARGV[n+1]  the place in the set of KEYS[n]

local time = redis.call('TIME')
local free_at = string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1])
for n, name in ipairs(KEYS) do
  redis.call('ZADD', name, free_at, ARGV[n + 1])
  redis.call('PEXPIRE', name, ARGV[1])
end
