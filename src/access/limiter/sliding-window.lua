-- One call against an exact sliding log: it is counted if fewer than `limit` calls were counted in the window before it.
--
-- KEYS[1]  list: server times of the counted calls, microseconds, oldest first
-- ARGV[1]  1 to count a call, 0 to peek
-- ARGV[2]  window, seconds
-- ARGV[3]  limit
-- ARGV[4]  window again, which the calling library always sends; ignored
-- ARGV[5]  server time in microseconds at which the call expires; 0 for never
--
-- Returns {calls counted, ms until the next unit becomes available, server time in microseconds}. A refused call counts
-- nothing and returns limit + 1; an expired call counts nothing and returns -1.

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
if tonumber(ARGV[5]) > 0 and now > tonumber(ARGV[5]) then
  return {-1, 0, now}
end

local count, window, limit = tonumber(ARGV[1]), ARGV[2] * 1000000, tonumber(ARGV[3])
local log = KEYS[1]

-- If the server's clock went back, old calls would be held for too long: shift them so that the newest was made now.
local ahead = (tonumber(redis.call('LINDEX', log, -1)) or 0) - now
if ahead > 0 then
  for i, at in ipairs(redis.call('LRANGE', log, 0, -1)) do
    redis.call('LSET', log, i - 1, string.format('%.0f', at - ahead))
  end
end

local oldest = tonumber(redis.call('LINDEX', log, 0))
while oldest and oldest <= now - window do
  redis.call('LPOP', log)
  oldest = tonumber(redis.call('LINDEX', log, 0))
end

local counted = redis.call('LLEN', log)
local refused = counted + count > limit
if count > 0 and not refused then
  redis.call('RPUSH', log, string.format('%.0f', now))
  redis.call('PEXPIRE', log, math.ceil(window / 1000))
  counted = counted + 1
end

-- If the log holds more calls than the limit (the plan was lowered), several must expire before a unit is available.
local next = tonumber(redis.call('LINDEX', log, math.max(0, counted - limit)))
local wait = next and math.ceil((next + window - now) / 1000) or 0
return {count > 0 and refused and limit + 1 or counted, wait, now}
