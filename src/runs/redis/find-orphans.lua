-- Runs that have not ended and whose process is dead, for one of those who ask in so long a time; the others get none.
-- A dead process that has no such run is forgotten.
--
-- KEYS[1]  set: the processes that have runs which have not ended
-- KEYS[2]  string: there while it is somebody's turn
-- ARGV[1]  how long a turn is, ms
-- ARGV[2]  what the names of the processes' leases begin with
-- ARGV[3]  what the names of the sets of their runs begin with
-- ARGV[4]  most runs to give
--
-- Returns the ids of the runs.

if not redis.call('SET', KEYS[2], '1', 'NX', 'PX', ARGV[1]) then
  return {}
end
local found = {}
for _, process in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if redis.call('EXISTS', ARGV[2] .. process) == 0 then
    local runs = redis.call('SRANDMEMBER', ARGV[3] .. process, ARGV[4] - #found)
    for _, run in ipairs(runs) do
      found[#found + 1] = run
    end
    if redis.call('EXISTS', ARGV[3] .. process) == 0 then
      redis.call('SREM', KEYS[1], process)
    end
  end
end
return found
