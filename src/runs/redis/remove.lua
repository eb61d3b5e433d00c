-- Removes a run that has ended. What remains of it for a while refuses what its owner may still send, and says who that was.
--
-- KEYS[1]  hash: the run; afterwards its owner is '', and `was` the process that ran it
-- KEYS[2]  stream: its log
-- ARGV[1]  key prefix of the sets of unfinished runs of each process
-- ARGV[2]  time to live of what remains, ms
-- ARGV[3]  the id of the run
--
-- Returns the process that ran it, or an empty string if there is no such run.

local run = redis.call('HMGET', KEYS[1], 'owner', 'was')
local owner = run[2] or run[1] or ''
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[1], 'owner', '', 'was', owner)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
if owner ~= '' then
  redis.call('SREM', ARGV[1] .. owner, ARGV[3])
end
return owner
