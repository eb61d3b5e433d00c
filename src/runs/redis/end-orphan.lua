-- Ends a run whose owner is dead, exactly once: afterwards the owner cannot append, and no process can end it again.
--
-- KEYS[1]   hash: the run
-- KEYS[2]   stream: its log
-- KEYS[3]   string: the owner's lease, which exists while the owner is alive
-- KEYS[4]   set: the owner's unfinished runs
-- KEYS[5]   string: the suspicion that the owner is dead
-- ARGV[1]   the head that these entries follow
-- ARGV[2]   time to live of the run, ms
-- ARGV[3]   the id of the run
-- ARGV[4]   lifetime of a lease, ms
-- ARGV[5…]  seq and frame of each entry, the last one terminal
--
-- The run keeps ARGV[1] as `left`: readers of the owner may have got more than that, under the same numbers.
--
-- Returns 1 if the run was ended here; 0 if the owner is alive, the run has ended, or its log has moved on.

if isAlive(KEYS[3], KEYS[5], ARGV[4]) then
  return 0
end
local run = redis.call('HMGET', KEYS[1], 'head', 'ended')
if run[1] ~= ARGV[1] or run[2] then
  return 0
end
for i = 5, #ARGV, 2 do
  redis.call('XADD', KEYS[2], ARGV[i] .. '-0', 'frame', ARGV[i + 1])
end
redis.call('HSET', KEYS[1], 'head', ARGV[#ARGV - 1], 'ended', 'lost', 'left', ARGV[1])
redis.call('SREM', KEYS[4], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1
