-- Adds calls that were allowed elsewhere to a log of sliding-window.lua, at the times when they were made.
--
-- KEYS[1]   list: server times of the counted calls, microseconds, oldest first
-- ARGV[1]   window, seconds
-- ARGV[2…]  ages of the calls, microseconds

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = ARGV[1] * 1000000

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
return #log
