-- Renews the lease of a process.
--
-- KEYS[1]  string: the lease: `renewed`, or `begun` if only the beginning of a run has set it
-- KEYS[2]  string: the suspicion that the process is dead
-- KEYS[3]  string: exists while runs of living processes may be missing, because Redis has lost its memory
-- ARGV[1]  lifetime of the lease, ms
-- ARGV[2]  1 if Redis must still have the lease unless it has lost it
--
-- Returns 1 if Redis had the lease of the last renewal, else 0.

local kept = redis.call('GET', KEYS[1]) == 'renewed'
redis.call('SET', KEYS[1], 'renewed', 'PX', ARGV[1])
redis.call('DEL', KEYS[2])
if not kept and ARGV[2] == '1' then
  redis.call('SET', KEYS[3], '1', 'PX', ARGV[1] * 2)
end
return kept and 1 or 0
