-- Adds calls that were allowed elsewhere to a log of sliding-window.lua, at the times when they were made. Repeating it,
-- because the reply was lost, does nothing.
--
-- KEYS[1]   list: server times of the counted calls, microseconds, oldest first
-- KEYS[2]   string: exists for a window once these calls were added
-- ARGV[1]   window, seconds
-- ARGV[2…]  ages of the calls, microseconds

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = ARGV[1] * 1000000
if not redis.call('SET', KEYS[2], 1, 'NX', 'PX', math.ceil(window / 1000)) then
  return 0
end

local log = {}
for _, at in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  log[#log + 1] = tonumber(at)
end
for i = 2, #ARGV do
  log[#log + 1] = now - tonumber(ARGV[i])
end
table.sort(log)

redis.call('DEL', KEYS[1])
for _, at in ipairs(log) do
  if at > now - window then
    redis.call('RPUSH', KEYS[1], string.format('%.0f', at))
  end
end
redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
return #ARGV - 1
