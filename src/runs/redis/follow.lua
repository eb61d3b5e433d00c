-- What was added to a run since a reader last looked, read atomically.
--
-- KEYS[1]  hash: the run
-- KEYS[2]  stream: its log
-- KEYS[3]  string: the lease of the process that asks
-- KEYS[4]  string: exists while runs of living processes may be missing, because Redis has lost its memory
-- ARGV[1]  the last seq that the reader has; with 0 it also gets `about`
-- ARGV[2]  maximum number of entries to return
-- ARGV[3]  key prefix of the process leases
-- ARGV[4]  key prefix of the suspicions that a process is dead
-- ARGV[5]  lifetime of a lease, ms
--
-- Returns false if there is no such run, 0 if Redis may have lost it, else {owner, 1 if the run has ended or its owner is
-- alive, about, entries, left}; an entry is {id, {field, value, …}}, and `left` the last seq of the owner if another process has
-- ended the run, else empty. The owner of a run that was removed is ''; nothing else is
-- left of it.

local run = redis.call('HMGET', KEYS[1], 'owner', 'ended', 'left')
if not run[1] then
  local mayBeLost = redis.call('GET', KEYS[3]) ~= 'renewed' or redis.call('EXISTS', KEYS[4]) == 1
  return mayBeLost and 0
end
local held = (run[1] == '' or run[2] or isAlive(ARGV[3] .. run[1], ARGV[4] .. run[1], ARGV[5])) and 1 or 0
local about = ARGV[1] == '0' and redis.call('HGET', KEYS[1], 'about') or ''
local entries = redis.call('XRANGE', KEYS[2], '(' .. ARGV[1] .. '-0', '+', 'COUNT', ARGV[2])
return {run[1], held, about, entries, run[3] or ''}
