-- Replaces a value that is the expected one.
--
-- KEYS[1]  string
-- ARGV[1]  what is expected; empty for nothing
-- ARGV[2]  what takes its place; empty to delete it
-- ARGV[3]  how long that is kept, ms
--
-- Returns what stood there before, or an empty string.

local held = redis.call('GET', KEYS[1]) or ''
if held == ARGV[1] then
  if ARGV[2] == '' then
    redis.call('DEL', KEYS[1])
  else
    redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  end
end
return held
