-- What was added to a run since a reader last looked, read atomically.
--
-- KEYS[1]  hash: the run
-- KEYS[2]  stream: its log
-- ARGV[1]  the last seq that the reader has; with 0 it also gets `about`
-- ARGV[2]  maximum number of entries to return
-- ARGV[3]  key prefix of the process leases
--
-- Returns false if there is no such run, else {owner, 1 if the run has ended or its owner is alive, about, entries}; an
-- entry is {id, {field, value, …}}. The owner of a run that was removed is ''; nothing else is left of it.

local run = redis.call('HMGET', KEYS[1], 'owner', 'ended')
if not run[1] then
  return false
end
local held = run[2] and 1 or redis.call('EXISTS', ARGV[3] .. run[1])
local about = ARGV[1] == '0' and redis.call('HGET', KEYS[1], 'about') or ''
return {run[1], held, about, redis.call('XRANGE', KEYS[2], '(' .. ARGV[1] .. '-0', '+', 'COUNT', ARGV[2])}
