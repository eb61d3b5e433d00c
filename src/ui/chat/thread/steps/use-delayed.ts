/** A condition that is short-lived most of the time. */
import { useEffect, useState } from 'preact/hooks';

/** True once `condition` has held for `ms`, so that what is soon over is not shown. */
export function useDelayed(condition: boolean, ms: number): boolean {
  const [holds, setHolds] = useState(false);
  useEffect(() => {
    if (!condition) return setHolds(false);
    const timer = setTimeout(() => setHolds(true), ms);
    return () => clearTimeout(timer);
  }, [condition]);
  return holds;
}
