-- Appends to the log of a run, for its owner alone: not once another process has ended the run as lost.
--
-- KEYS[1]   hash: the run: owner, about (JSON), head (the newest seq), ended (how, once it has)
-- KEYS[2]   stream: its log; the id of an entry is <seq>-0, its fields are frame (JSON) and, of a span, starts
-- KEYS[3]   set: the owner's runs that have not ended
-- KEYS[4]   set: the processes that have such runs
-- ARGV[1]   owner, the id of a process
-- ARGV[2]   the head that the owner knows of; 0 begins the run
-- ARGV[3]   how long all of them are kept, ms
-- ARGV[4]   about, where the run begins
-- ARGV[5]   how the last of these entries ends the run; empty if it does not
-- ARGV[6]   most entries of a log: a bound for what has gone wrong, which no lawful run reaches
-- ARGV[7]   the id of the run
-- ARGV[8…]  seq, frame and starts (empty if none) of each entry
--
-- Returns {verdict, head}: "ok"; "at" when the head is another than the owner knows of, and nothing was appended; "new"
-- when there is no such run, so that it must begin anew; "lost" when it was ended.

local owner = redis.call('HGET', KEYS[1], 'owner')
if not owner then
  if ARGV[2] ~= '0' then
    return {'new', 0}
  end
  redis.call('DEL', KEYS[2])
  redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'about', ARGV[4], 'head', 0)
  redis.call('SADD', KEYS[3], ARGV[7])
  redis.call('SADD', KEYS[4], ARGV[1])
  redis.call('PEXPIRE', KEYS[3], ARGV[3])
  redis.call('PEXPIRE', KEYS[4], ARGV[3])
elseif owner ~= ARGV[1] or redis.call('HGET', KEYS[1], 'ended') == 'lost' then
  return {'lost', 0}
end

local head = redis.call('HGET', KEYS[1], 'head')
if head ~= ARGV[2] then
  return {'at', tonumber(head)}
end
for i = 8, #ARGV, 3 do
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
