-- Takes the turn at a provider that answers one request at a time.
--
-- KEYS[1]  string: exists while a process has the turn; its value is the id of that turn
-- KEYS[2]  string: exists until the next turn may begin
-- ARGV[1]  the id of this turn
-- ARGV[2]  how long it lasts unless it is ended, ms
-- ARGV[3]  time until the next one may begin, ms
--
-- Returns 0 if it was taken, else ms after which to ask again.

if redis.call('EXISTS', KEYS[1]) == 1 then
  return math.max(redis.call('PTTL', KEYS[2]), 1)
end
local wait = redis.call('PTTL', KEYS[2])
if wait > 0 then
  return wait
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
if tonumber(ARGV[3]) > 0 then
  redis.call('SET', KEYS[2], '1', 'PX', ARGV[3])
end
return 0
