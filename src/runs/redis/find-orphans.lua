-- Finds unfinished runs whose process is dead. Only the first caller in each interval gets any; the others get none.
-- A dead process without unfinished runs is forgotten.
--
-- KEYS[1]  set: the processes with unfinished runs
-- KEYS[2]  string: exists for the rest of the interval
-- ARGV[1]  the interval, which is the lifetime of a lease, ms
-- ARGV[2]  key prefix of the process leases
-- ARGV[3]  key prefix of the sets of their unfinished runs
-- ARGV[4]  maximum number of runs to return
-- ARGV[5]  key prefix of the suspicions that a process is dead
--
-- Returns the ids of the runs.

if not redis.call('SET', KEYS[2], '1', 'NX', 'PX', ARGV[1]) then
  return {}
end
local found = {}
for _, process in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if not isAlive(ARGV[2] .. process, ARGV[5] .. process, ARGV[1]) then
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
