-- Takes one of a limited number of places.
--
-- KEYS[1]  sorted set: the places that are taken, by when they are free again, ms of the server's clock
-- ARGV[1]  how many there are
-- ARGV[2]  how long a place is taken without being renewed, ms
-- ARGV[3]  the place
--
-- Returns 1 if it was taken, 0 if there is none.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%d', now))
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then
  return 0
end
redis.call('ZADD', KEYS[1], string.format('%d', now + ARGV[2]), ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
