-- Appends to the log of a run, for its owner only, and not once another process has ended the run as lost.
--
-- KEYS[1]   hash: the run: owner, about (JSON), head (the newest seq), ended (the final state, once it has ended)
-- KEYS[2]   stream: its log; the id of an entry is <seq>-0, its fields are frame (JSON) and, of a span, starts
-- KEYS[3]   set: the owner's unfinished runs
-- KEYS[4]   set: the processes with unfinished runs
-- KEYS[5]   string: the owner's lease; a run of a living process is never in Redis without it
-- ARGV[1]   the owner's process id
-- ARGV[2]   the head as the owner knows it; 0 begins the run
-- ARGV[3]   time to live of all keys, ms
-- ARGV[4]   about; empty unless the run begins
-- ARGV[5]   the final state if the last of these entries ends the run, else empty
-- ARGV[6]   maximum entries of a log: a safeguard that no correct run reaches
-- ARGV[7]   the id of the run
-- ARGV[8]   lifetime of the lease, ms
-- ARGV[9]   of a background run, how many times it was begun; else 0. A later attempt replaces the log of the one before
-- ARGV[10…] seq, frame and starts (empty if none) of each entry
--
-- Returns {verdict, head}: "ok"; "at" if the head differs from ARGV[2] (nothing was appended); "new" if there is no such
-- run, or only an earlier attempt of it, so the owner must send it from the start; "lost" if another process has ended or
-- removed it.

local run = redis.call('HMGET', KEYS[1], 'owner', 'attempt')
local owner = run[1]
if owner and owner ~= '' and ARGV[2] == '0' and tonumber(ARGV[9]) > tonumber(run[2] or 0) then
  redis.call('DEL', KEYS[1])
  owner = false
end
if not owner then
  if ARGV[2] ~= '0' then
    return {'new', 0}
  end
  redis.call('DEL', KEYS[2])
  redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'about', ARGV[4], 'head', 0, 'attempt', ARGV[9])
  redis.call('SADD', KEYS[3], ARGV[7])
  redis.call('SADD', KEYS[4], ARGV[1])
  redis.call('PEXPIRE', KEYS[3], ARGV[3])
  redis.call('PEXPIRE', KEYS[4], ARGV[3])
  redis.call('SET', KEYS[5], 'begun', 'PX', ARGV[8], 'NX')
elseif owner ~= '' and owner ~= ARGV[1] and tonumber(ARGV[9]) > tonumber(run[2] or 0) then
  return {'new', 0}
elseif owner ~= ARGV[1] or redis.call('HGET', KEYS[1], 'ended') == 'lost' then
  return {'lost', 0}
end

local head = redis.call('HGET', KEYS[1], 'head')
if head ~= ARGV[2] then
  return {'at', tonumber(head)}
end
for i = 10, #ARGV, 3 do
  head = ARGV[i]
  if ARGV[i + 2] == '' then
    redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[6], head .. '-0', 'frame', ARGV[i + 1])
  else
    redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[6], head .. '-0', 'frame', ARGV[i + 1], 'starts', ARGV[i + 2])
  end
end
redis.call('HSET', KEYS[1], 'head', head)
if ARGV[5] ~= '' then
  redis.call('HSET', KEYS[1], 'ended', ARGV[5])
  redis.call('SREM', KEYS[3], ARGV[7])
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return {'ok', tonumber(head)}
