-- KEYS[1]  string: the lease of a process
-- KEYS[2]  string: the suspicion that it is dead
-- ARGV[1]  lifetime of a lease, ms
--
-- Returns 1 if the process counts as alive, else 0.

return isAlive(KEYS[1], KEYS[2], ARGV[1]) and 1 or 0
