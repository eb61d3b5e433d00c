-- Counts a failure of a provider, and pauses it for all processes after a series of them.
--
-- KEYS[1]  hash: `failures` of this series since the last pause, and `trips`, the pauses since it last answered
-- KEYS[2]  string: exists while nobody may call the provider
-- ARGV[1]  failures that pause it
-- ARGV[2]  the first pause, ms; it doubles with each
-- ARGV[3]  the longest pause, ms
-- ARGV[4]  the pause that the provider asked for, ms; 0 for none

local failures = redis.call('HINCRBY', KEYS[1], 'failures', 1)
local asked = tonumber(ARGV[4])
if asked > 0 or failures >= tonumber(ARGV[1]) then
  local trips = redis.call('HINCRBY', KEYS[1], 'trips', 1)
  redis.call('HSET', KEYS[1], 'failures', 0)
  local pause = asked > 0 and asked or math.min(ARGV[2] * 2 ^ (trips - 1), tonumber(ARGV[3]))
  if pause > redis.call('PTTL', KEYS[2]) then
    redis.call('SET', KEYS[2], '1', 'PX', string.format('%d', pause))
  end
end
redis.call('PEXPIRE', KEYS[1], 2 * ARGV[3])
