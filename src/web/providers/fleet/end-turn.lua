-- Ends a turn, unless it has ended and another has it.
--
-- KEYS[1]  string: the id of the turn
-- ARGV[1]  the id of the turn to end

if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[1])
end
