-- Replaces a value if it equals the expected one.
--
-- KEYS[1]  string
-- ARGV[1]  the expected value; empty for none
-- ARGV[2]  the new value; empty to delete it
-- ARGV[3]  time to live of the new value, ms
--
-- Returns the previous value, or an empty string.

local held = redis.call('GET', KEYS[1]) or ''
if held == ARGV[1] then
  if ARGV[2] == '' then
    redis.call('DEL', KEYS[1])
  else
    redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  end
end
return held
