-- Comes before every other script.
--
-- Whether a process counts as alive: it has its lease, or it has been seen without one for less than a lease. Its own
-- renewal, and a Redis that loses its memory, start that time again, so a living process has a whole lease to come back.
--
-- lease      string: exists while the process renews it
-- suspicion  string: when the process was first seen without its lease, ms
-- ms         lifetime of a lease

local function isAlive(lease, suspicion, ms)
  if redis.call('EXISTS', lease) == 1 then
    return true
  end
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local since = redis.call('GET', suspicion)
  if not since then
    redis.call('SET', suspicion, string.format('%d', now), 'PX', ms * 10)
    return true
  end
  return now - tonumber(since) < tonumber(ms)
end
